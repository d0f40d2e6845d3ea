package io.berth.engine.cycle;

import io.berth.api.explain.Decision;
import io.berth.api.handle.Log;
import io.berth.api.handle.Recorder;
import io.berth.api.model.Pod;
import io.berth.engine.framework.CycleState;
import io.berth.engine.port.AttemptObserver;
import io.berth.engine.port.EngineMetrics;
import io.berth.engine.port.Sampler;
import io.berth.engine.port.TimeSource;
import io.berth.engine.profile.Profile;
import io.berth.engine.queue.QueuedPodInfo;
import io.berth.engine.queue.SchedulingQueue;
import io.berth.engine.search.Diagnosis;
import io.berth.engine.search.SearchResult;
import io.berth.engine.state.ClusterState;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Takes the head of the queue and tries to place it, one pod after the other (rules E-79 to E-84).
///
/// Owned by the engine thread.
public final class SchedulingLoop {
    private final SchedulingQueue queue;
    private final Map<String, Profile> profiles;
    private final ClusterState state;
    private final Reservation reservation;
    private final Unplaced unplaced;
    private final Recorder recorder;
    private final TimeSource time;
    private final EngineMetrics metrics;
    private final AttemptObserver observer;
    private final Log log;
    private final Sampler sampler = new Sampler();

    public SchedulingLoop(
            Map<String, Profile> profiles,
            Reservation reservation,
            Unplaced unplaced,
            AttemptContext context) {
        this.profiles = profiles;
        this.reservation = reservation;
        this.unplaced = unplaced;
        this.queue = context.queue();
        this.state = context.state();
        this.recorder = context.recorder();
        this.time = context.time();
        this.metrics = context.metrics();
        this.observer = context.observer();
        this.log = context.log();
    }

    /// Tries one pod.
    ///
    /// @return false where none was ready
    public boolean runOnce() {
        var info = queue.pop();
        if (info == null) {
            return false;
        }
        var pod = info.pod();
        var profile = profiles.get(pod.spec().schedulerName());
        if (profile == null) {
            log.error(
                    null,
                    "profile not found for scheduler name \"" + pod.spec().schedulerName() + "\"",
                    "pod",
                    pod.key());
            queue.done(pod.uid());
            return true;
        }
        if (log.isOn(4)) {
            log.info(4, "About to try and schedule pod", "pod", pod.key());
        }
        if (isToBeSkipped(pod, profile)) {
            queue.done(pod.uid());
            return true;
        }
        schedule(info, profile);
        return true;
    }

    /// Pods on their way out, and pods that already have a place in our books (E-81).
    private boolean isToBeSkipped(Pod pod, Profile profile) {
        if (pod.isTerminating()) {
            recorder.record(
                    new Recorder.Event(
                            pod,
                            Recorder.Type.WARNING,
                            "FailedScheduling",
                            "Scheduling",
                            "skip schedule deleting pod: " + pod.key(),
                            profile.name()));
            log.info(3, "Skip schedule deleting pod", "pod", pod.key());
            return true;
        }
        return state.isAssumed(pod.uid());
    }

    private void schedule(QueuedPodInfo info, Profile profile) {
        var pod = info.pod();
        if (log.isOn(3)) {
            log.info(3, "Attempting to schedule pod", "pod", pod.key());
        }
        var cycle = CycleState.ofAttempt(metrics.isOn() && sampler.next());
        var attempt = new Attempt(info, pod, info.schedulingCycle(), profile, cycle, time.nanos());
        SearchResult placement;
        try {
            placement = profile.search(attempt.cycle(), pod);
        } catch (RuntimeException | Error broken) {
            // Whoever's mistake it is: the pod must come back, or nobody would ever try it again.
            observer.decided(pod, profile.name(), () -> new Decision.Broken(broken));
            metrics.algorithm(time.nanos() - attempt.startedNanos());
            log.error(broken, "Error selecting node for pod", "pod", pod.key());
            unplaced.handle(attempt, Failure.broken(broken), "");
            return;
        }
        metrics.algorithm(time.nanos() - attempt.startedNanos());
        observer.decided(pod, profile.name(), placement::told);
        switch (placement) {
            case SearchResult.Found found -> reservation.take(attempt, found);
            case SearchResult.NoNodes _ -> unplaced.handle(attempt, Failure.noNodes(), "");
            case SearchResult.NoFit(var diagnosis) -> {
                @Nullable String nomination = "";
                if (profile.hasPostFilters()) {
                    var help = profile.postFilter(attempt.cycle(), pod, diagnosis);
                    tell(pod, help, diagnosis);
                    nomination = help.nominatedNode();
                } else {
                    log.info(
                            3,
                            "No PostFilter plugins are registered, so no preemption will be"
                                    + " performed");
                }
                unplaced.handle(attempt, Failure.noFit(diagnosis), nomination);
            }
        }
    }

    private void tell(Pod pod, Profile.Help help, Diagnosis diagnosis) {
        String sentence = "Status after running PostFilter plugins for pod";
        if (help.isBroken()) {
            log.error(null, sentence, "pod", pod.key(), "status", diagnosis.postFilterMessage());
        } else if (log.isOn(5)) {
            log.info(5, sentence, "pod", pod.key(), "status", diagnosis.postFilterMessage());
        }
    }
}
