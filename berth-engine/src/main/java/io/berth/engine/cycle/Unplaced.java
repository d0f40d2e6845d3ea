package io.berth.engine.cycle;

import io.berth.api.model.Pod;
import io.berth.api.model.PodCondition;
import io.berth.api.plugin.Listers;
import io.berth.api.plugin.Log;
import io.berth.api.plugin.Recorder;
import io.berth.engine.queue.SchedulingQueue;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Takes care of a pod that got no place: back to the queue with reasons, event, condition (rules
/// E-107, E-108).
///
/// Owned by the engine thread.
public final class Unplaced {
    private static final int NOTE_LIMIT_BYTES = 1024;
    private static final String CUT_MARK = " ...";

    private final Listers known;
    private final StatusWrites statuses;
    private final Workplace at;

    public Unplaced(Listers known, StatusWrites statuses, Workplace at) {
        this.known = known;
        this.statuses = statuses;
        this.at = at;
    }

    /// @param nomination what becomes of the pod's nomination: a node, empty to clear it, null to
    ///   leave it as it is
    void handle(Attempt attempt, Failure failure, @Nullable String nomination) {
        var pod = attempt.pod();
        attempt.profile()
                .metrics()
                .attempt(failure.metricResult(), at.time().nanos() - attempt.startedNanos());
        tellLog(pod, failure);

        var info = attempt.info();
        info.clearRejectors();
        info.rejectedBy(failure.rejectors(), failure.pending());
        var latest = known.pod(pod.namespace(), pod.name());
        if (latest != null && !latest.uid().equals(pod.uid())) {
            at.log()
                    .info(
                            2,
                            "Pod was recreated while handling scheduling failure. Skip requeueing"
                                    + " and status updates.",
                            "pod",
                            pod.key(),
                            "oldUID",
                            pod.uid(),
                            "newUID",
                            latest.uid());
            at.queue().done(pod.uid());
            return;
        }
        var current = requeue(attempt, latest);
        nominate(current, nomination);
        record(attempt, current, failure);
        statuses.write(
                current,
                PodCondition.of(
                        PodCondition.POD_SCHEDULED,
                        "False",
                        failure.conditionReason(),
                        failure.message()),
                nomination);
    }

    private void tellLog(Pod pod, Failure failure) {
        Log log = at.log();
        if (failure.message().equals(Failure.NO_NODES)) {
            log.info(
                    2,
                    "Unable to schedule pod; no nodes are registered to the cluster; waiting",
                    "pod",
                    pod.key());
        } else if (failure.isRejection()) {
            log.info(
                    2,
                    "Unable to schedule pod; no fit; waiting",
                    "pod",
                    pod.key(),
                    "err",
                    failure.message());
        } else {
            log.error(
                    null,
                    "Error scheduling pod; retrying",
                    "pod",
                    pod.key(),
                    "err",
                    failure.message());
        }
    }

    /// Puts the newest form of the pod back, unless it is gone or has got a node meanwhile.
    private Pod requeue(Attempt attempt, @Nullable Pod latest) {
        var pod = attempt.pod();
        SchedulingQueue queue = at.queue();
        if (latest == null) {
            at.log().info(0, "Pod doesn't exist in informer cache", "pod", pod.key());
            queue.done(pod.uid());
            return pod;
        }
        if (latest.isAssigned()) {
            at.log()
                    .info(
                            0,
                            "Pod has been assigned to node. Abort adding it back to queue.",
                            "pod",
                            pod.key(),
                            "node",
                            latest.nodeName());
            queue.done(pod.uid());
            return latest;
        }
        attempt.info().replacePod(latest);
        queue.returnFailed(attempt.info())
                .ifPresent(why ->
                        at.log().error(null, "Error occurred", "pod", pod.key(), "err", why));
        return latest;
    }

    private void nominate(Pod pod, @Nullable String nomination) {
        var nominator = at.queue().nominator();
        if (nomination == null) {
            nominator.nominateByStatus(pod);
        } else if (nomination.isEmpty()) {
            nominator.remove(pod);
        } else {
            nominator.nominate(pod, nomination);
        }
    }

    private void record(Attempt attempt, Pod pod, Failure failure) {
        at.recorder()
                .record(
                        new Recorder.Event(
                                pod,
                                Recorder.Type.WARNING,
                                "FailedScheduling",
                                "Scheduling",
                                cut(failure.message()),
                                attempt.profile().name()));
    }

    /// Cuts a note to what the API takes, at a character's end.
    static String cut(String note) {
        byte[] bytes = note.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= NOTE_LIMIT_BYTES) {
            return note;
        }
        int end = NOTE_LIMIT_BYTES - CUT_MARK.length();
        while ((bytes[end] & 0xC0) == 0x80) {
            end--;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8) + CUT_MARK;
    }
}
