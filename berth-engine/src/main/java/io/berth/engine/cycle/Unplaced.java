package io.berth.engine.cycle;

import io.berth.api.handle.Lister;
import io.berth.api.handle.Listers;
import io.berth.api.handle.Log;
import io.berth.api.handle.Recorder;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.api.model.PodCondition;
import io.berth.engine.journal.Decision;
import io.berth.engine.queue.SchedulingQueue;
import java.nio.charset.StandardCharsets;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Takes care of a pod that got no place: back to the queue with reasons, event, condition (rules
/// E-107, E-108).
///
/// Owned by the engine thread.
public final class Unplaced {
    private static final int NOTE_LIMIT_BYTES = 1024;
    private static final String CUT_MARK = " ...";

    private final Lister<Pod> known;
    private final StatusWrites statuses;
    private final AttemptContext context;

    public Unplaced(Listers known, StatusWrites statuses, AttemptContext context) {
        this.known = known.of(Kind.POD, Pod.class);
        this.statuses = statuses;
        this.context = context;
    }

    /// @param nomination what becomes of the pod's nomination: a node, empty to clear it, null to
    ///   leave it as it is
    void handle(Attempt attempt, Failure failure, @Nullable String nomination) {
        var pod = attempt.pod();
        attempt.profile()
                .metrics()
                .attempt(failure.metricResult(), context.time().nanos() - attempt.startedNanos());
        tellLog(pod, failure);
        keep(attempt, failure, nomination);

        var info = attempt.info();
        info.clearRejectors();
        info.rejectedBy(failure.rejectors(), failure.pending());
        var latest = known.get(pod.namespace(), pod.name());
        if (latest != null && !latest.uid().equals(pod.uid())) {
            context.log()
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
            context.queue().done(pod.uid());
            return;
        }
        var current = requeue(attempt, latest);
        nominate(current, nomination);
        context.observer().failed(current, attempt.profile().name(), failure.message());
        record(attempt, current, failure);
        if (current.isAssigned()) {
            // It has got its node meanwhile, so what failed is no longer true of it.
            return;
        }
        statuses.write(
                current,
                PodCondition.of(
                        PodCondition.POD_SCHEDULED,
                        "False",
                        failure.conditionReason(),
                        failure.message()),
                nomination);
    }

    private void keep(Attempt attempt, Failure failure, @Nullable String nomination) {
        if (context.journal().isOn()) {
            context.journal()
                    .decided(
                            new Decision.Unplaced(
                                    attempt.number(),
                                    attempt.pod().key(),
                                    attempt.pod().uid(),
                                    failure.isRejection(),
                                    failure.message(),
                                    new TreeSet<>(failure.rejectors()),
                                    nomination));
        }
    }

    private void tellLog(Pod pod, Failure failure) {
        Log log = context.log();
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
        SchedulingQueue queue = context.queue();
        if (latest == null) {
            context.log().info(0, "Pod doesn't exist in informer cache", "pod", pod.key());
            queue.done(pod.uid());
            return pod;
        }
        if (latest.isAssigned()) {
            context.log()
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
                        context.log().error(null, "Error occurred", "pod", pod.key(), "err", why));
        return latest;
    }

    private void nominate(Pod pod, @Nullable String nomination) {
        var nominator = context.queue().nominator();
        if (nomination == null) {
            nominator.keep(pod);
        } else if (nomination.isEmpty()) {
            nominator.remove(pod);
        } else {
            nominator.nominate(pod, nomination);
        }
    }

    private void record(Attempt attempt, Pod pod, Failure failure) {
        context.recorder()
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
