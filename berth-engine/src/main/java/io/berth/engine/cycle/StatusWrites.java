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

    private record Write(Pod pod, PodCondition condition, @Nullable String nomination) {}

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
        if (isSaid(pod, condition)
                && (nomination == null || nomination.equals(pod.nominatedNodeName()))) {
            return;
        }
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
        var write = new Write(pod, condition, nomination);
        var slot = underWay.get(pod.uid());
        if (slot == null) {
            underWay.put(pod.uid(), new Slot());
            start(write);
        } else {
            slot.next = write;
        }
    }

    private static boolean isSaid(Pod pod, PodCondition condition) {
        var known = pod.condition(condition.type());
        return known != null
                && known.status().equals(condition.status())
                && known.reason().equals(condition.reason())
                && known.message().equals(condition.message());
    }

    private void start(Write write) {
        tasks.start(
                "status " + write.pod.key(),
                () -> {
                    try {
                        writes.patchStatus(write.pod, write.condition, write.nomination);
                    } catch (RuntimeException refused) {
                        log.error(refused, "Error updating pod", "pod", write.pod.key());
                    } finally {
                        onEngine.execute(() -> done(write));
                    }
                });
    }

    private void done(Write write) {
        var slot = underWay.get(write.pod.uid());
        if (slot == null || slot.next == null) {
            underWay.remove(write.pod.uid());
            return;
        }
        var next = slot.next;
        slot.next = null;
        start(next);
    }
}
