package io.berth.sim.invariant;

import io.berth.api.model.Pod;
import io.berth.engine.Engine;
import io.berth.engine.queue.Place;
import io.berth.sim.cluster.ApiServer;
import io.berth.sim.fault.Mishaps;
import java.util.HashSet;
import java.util.Set;

/// Watches what becomes of a place that a failed binding, or a pod deleted before it was bound,
/// gives back: pods that only lacked room must be woken by it (rules E-71, E-106). Later events may
/// hide that they were not, so it is looked at in the very step.
public final class FreedPlaces {
    private static final Set<String> ROOM = Set.of("NodeResourcesFit");

    private final Engine engine;
    private final ApiServer server;
    private final Attempts attempts;
    private final Mishaps mishaps;
    private Set<String> assumed = Set.of();

    public FreedPlaces(Engine engine, ApiServer server, Attempts attempts, Mishaps mishaps) {
        this.mishaps = mishaps;
        this.engine = engine;
        this.server = server;
        this.attempts = attempts;
    }

    /// To be called after every step of the engine.
    public void check() {
        var state = engine.state();
        boolean isFreed = assumed.stream().anyMatch(uid -> state.podOf(uid) == null);
        if (isFreed) {
            mishaps.without(this::checkThoseWithout);
        }
        assumed = new HashSet<>();
        if (state.assumedCount() > 0) {
            state.pods().stream().map(Pod::uid).filter(state::isAssumed).forEach(assumed::add);
        }
    }

    private void checkThoseWithout() {
        for (var info : engine.queue().pending()) {
            if (info.place() == Place.PARKED
                    && info.unschedulablePlugins().equals(ROOM)
                    // One whose preemption goes on is kept back; the end of that wakes it (E-163).
                    && !info.isGated()
                    && !LostWakeups.isKnown(info, server, attempts)) {
                var possible = Calm.possibleNodes(engine, info.pod());
                Broken.require(
                        possible.isEmpty(),
                        "%s was not woken by a place that was given back, though it could go to %s",
                        info.key(),
                        possible);
            }
        }
    }
}
