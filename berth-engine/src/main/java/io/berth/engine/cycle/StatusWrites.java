package io.berth.engine.cycle;

import io.berth.api.model.Pod;
import io.berth.api.model.PodCondition;
import io.berth.api.plugin.ClusterWrites;
import io.berth.api.plugin.Log;
import io.berth.engine.port.Tasks;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// Writes pod conditions without keeping the engine waiting.
///
/// Per pod one write is under way at a time, so that an older condition never overwrites a newer
/// one; what comes meanwhile waits, and only the newest of it is written. So there are never more
/// entries than pods. Owned by the engine thread; the writes themselves run as tasks.
public final class StatusWrites {
    private final ClusterWrites writes;
    private final Tasks tasks;
    private final Executor onEngine;
    private final Log log;

    /// By uid: what to write after the write under way; null where nothing waits.
    private final Map<String, Slot> underWay = new HashMap<>();

    private static final class Slot {
        @Nullable Write next;
    }

    /// @param pod as it is known to be; only what differs from it is sent
    private record Write(Pod pod, PodCondition condition, @Nullable String nomination) {
        /// Whether the pod already says all of it.
        boolean isSaid() {
            var known = pod.condition(condition.type());
            return known != null
                    && known.status().equals(condition.status())
                    && known.reason().equals(condition.reason())
                    && known.message().equals(condition.message())
                    && (nomination == null || nomination.equals(pod.nominatedNodeName()));
        }

        /// A newer condition replaces one that waits; what that wanted of the nomination still
        /// holds unless the newer one wants something else.
        Write inPlaceOf(Write waiting) {
            return nomination != null ? this : new Write(pod, condition, waiting.nomination);
        }

        /// The same write for a pod that an earlier write has changed, which may not have been seen
        /// yet. Without this a word that is taken back at once would stay.
        Write after(Write earlier) {
            var changed = pod.toBuilder().condition(earlier.condition);
            if (earlier.nomination != null) {
                changed.nominatedNodeName(earlier.nomination);
            }
            return new Write(changed.build(), condition, nomination);
        }
    }

    public StatusWrites(ClusterWrites writes, Tasks tasks, Executor onEngine, Log log) {
        this.writes = writes;
        this.tasks = tasks;
        this.onEngine = onEngine;
        this.log = log;
    }

    /// How many pods have a write under way.
    public int underWay() {
        return underWay.size();
    }

    void write(Pod pod, PodCondition condition, @Nullable String nomination) {
        var write = new Write(pod, condition, nomination);
        var slot = underWay.get(pod.uid());
        if (slot != null) {
            slot.next = slot.next == null ? write : write.inPlaceOf(slot.next);
            return;
        }
        if (!write.isSaid()) {
            underWay.put(pod.uid(), new Slot());
            start(write);
        }
    }

    private void tellLog(Pod pod, PodCondition condition, @Nullable String nomination) {
        log.info(
                3,
                "Updating pod condition and nominated node name",
                "pod",
                pod.key(),
                "conditionType",
                condition.type(),
                "conditionStatus",
                condition.status(),
                "conditionReason",
                condition.reason(),
                "nominatedNodeName",
                nomination == null ? pod.nominatedNodeName() : nomination,
                "nominatingMode",
                nomination == null ? "ModeNoop" : "ModeOverride");
    }

    private void start(Write write) {
        tellLog(write.pod, write.condition, write.nomination);
        tasks.start(
                "status " + write.pod.key(),
                () -> {
                    boolean isWritten = false;
                    try {
                        writes.patchStatus(write.pod, write.condition, write.nomination);
                        isWritten = true;
                    } catch (RuntimeException refused) {
                        log.error(refused, "Error updating pod", "pod", write.pod.key());
                    } finally {
                        boolean changed = isWritten;
                        onEngine.execute(() -> done(write, changed));
                    }
                });
    }

    private void done(Write write, boolean isWritten) {
        var slot = underWay.get(write.pod.uid());
        if (slot == null || slot.next == null) {
            underWay.remove(write.pod.uid());
            return;
        }
        var next = isWritten ? slot.next.after(write) : slot.next;
        slot.next = null;
        if (next.isSaid()) {
            underWay.remove(write.pod.uid());
        } else {
            start(next);
        }
    }
}
