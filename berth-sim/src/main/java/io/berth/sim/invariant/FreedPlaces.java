package io.berth.sim.invariant;

import io.berth.api.model.Pod;
import io.berth.engine.Inspection;
import io.berth.engine.queue.SubQueue;
import io.berth.sim.plain.Broken;
import java.util.HashSet;
import java.util.Set;

/// Watches what becomes of a place that a failed binding, or a pod deleted before it was bound,
/// gives back: pods that only lacked room must be woken by it (rules E-71, E-106). Later events may
/// hide that they were not, so it is looked at in the very step.
final class FreedPlaces implements Invariant {
    private static final Set<String> ROOM = Set.of("NodeResourcesFit");

    private final Watched watched;
    private final Attempts attempts;
    private Set<String> assumed = Set.of();

    FreedPlaces(Watched watched, Attempts attempts) {
        this.watched = watched;
        this.attempts = attempts;
    }

    @Override
    public void afterStep() {
        var state = Inspection.of(watched.engine()).state();
        boolean isFreed = assumed.stream().anyMatch(uid -> state.podOf(uid) == null);
        if (isFreed) {
            watched.mishaps().without(this::checkThoseWithout);
        }
        assumed = new HashSet<>();
        if (state.assumedCount() > 0) {
            state.pods().stream().map(Pod::uid).filter(state::isAssumed).forEach(assumed::add);
        }
    }

    private void checkThoseWithout() {
        for (var info : Inspection.of(watched.engine()).queue().pending()) {
            if (info.subQueue() == SubQueue.PARKED
                    && info.unschedulablePlugins().equals(ROOM)
                    // One whose preemption goes on is kept back; the end of that wakes it (E-163).
                    && !info.isGated()
                    && !LostWakeups.isKnown(info, watched.server(), attempts)) {
                var possible = Waiters.possibleNodes(watched.engine(), info.pod());
                Broken.require(
                        possible.isEmpty(),
                        "%s was not woken by a place that was given back, though it could go to %s",
                        info.key(),
                        possible);
            }
        }
    }
}
