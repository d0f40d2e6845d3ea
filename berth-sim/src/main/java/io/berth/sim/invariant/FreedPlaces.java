package io.berth.sim.invariant;

import io.berth.api.model.Pod;
import io.berth.engine.Engine;
import io.berth.engine.queue.Place;
import io.berth.sim.cluster.ApiServer;
import io.berth.sim.fault.Mishaps;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Watches what becomes of a place that a failed binding gives back: pods that only lacked room
/// must be woken by it (rule E-106). Later events may hide that they were not, so it is looked at
/// in the very step.
public final class FreedPlaces {
    private static final Set<String> ROOM = Set.of("NodeResourcesFit");

    private final Engine engine;
    private final ApiServer server;
    private final Attempts attempts;
    private final Mishaps mishaps;
    private final Map<String, Pod> failed = new HashMap<>();
    private final Set<String> without = new HashSet<>();

    public FreedPlaces(Engine engine, ApiServer server, Attempts attempts, Mishaps mishaps) {
        this.mishaps = mishaps;
        this.engine = engine;
        this.server = server;
        this.attempts = attempts;
    }

    /// The binding was answered with an error; the engine will hear of it soon.
    public void bindingFailed(Pod pod) {
        failed.put(pod.uid(), pod);
    }

    /// Before a step of the engine.
    public void before() {
        without.clear();
        failed.keySet().removeIf(uid -> !engine.state().isAssumed(uid));
        if (!failed.isEmpty()) {
            mishaps.without(this::noteThoseWithout);
        }
    }

    private void noteThoseWithout() {
        for (var info : engine.queue().pending()) {
            if (info.place() == Place.PARKED
                    && info.unschedulablePlugins().equals(ROOM)
                    && Calm.possibleNodes(engine, info.pod()).isEmpty()) {
                without.add(info.pod().uid());
            }
        }
    }

    /// After the step.
    public void after() {
        if (without.isEmpty()
                || failed.keySet().stream().allMatch(uid -> engine.state().isAssumed(uid))) {
            return;
        }
        mishaps.without(this::checkThoseWithout);
    }

    private void checkThoseWithout() {
        for (var info : engine.queue().pending()) {
            if (info.place() == Place.PARKED
                    && without.contains(info.pod().uid())
                    // One whose preemption goes on is kept back; the end of that wakes it (E-163).
                    && !info.isGated()
                    && !failed.containsKey(info.pod().uid())
                    && !LostWakeups.isKnown(info, server, attempts)) {
                var possible = Calm.possibleNodes(engine, info.pod());
                Broken.require(
                        possible.isEmpty(),
                        "%s was not woken by the end of a binding, though it could go to %s",
                        info.key(),
                        possible);
            }
        }
    }
}
