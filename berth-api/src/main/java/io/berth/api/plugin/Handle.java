package io.berth.api.plugin;

import io.berth.api.column.NodeColumns;
import io.berth.api.model.Pod;
import java.util.Collection;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// What a plugin may reach of the scheduler it runs in.
public interface Handle {
    String profileName();

    /// For the scheduling cycle only; a binding thread must not read it.
    NodeList nodes();

    NodeColumns columns();

    Listers listers();

    Nominations nominations();

    /// May be used from any thread.
    ClusterWrites writes();

    /// May be used from any thread.
    Recorder recorder();

    /// May be used from any thread.
    Log log();

    /// The scheduler's clock.
    long nowMillis();

    RandomGenerator random();

    int parallelism();

    /// Calls `body` for every index below `count`, on the workers.
    void parallel(int count, java.util.function.IntConsumer body);

    Collection<WaitingPod> waitingPods();

    @Nullable WaitingPod waitingPod(String uid);

    /// Rejects a waiting pod, if there is one.
    boolean rejectWaitingPod(String uid);

    /// Stops a binding that is still being prepared (PreBind). May be used from any thread.
    ///
    /// @param message what users read about the pod
    /// @return false where no such binding is under way, or where it can no longer be stopped
    boolean cancelPreBind(String uid, String message);

    /// Whether a binding was stopped in this way, but what prepares it has not come to its end yet.
    /// May be used from any thread.
    boolean isPreBindCancelled(String uid);

    /// Puts pods back into the active queue. May be used from any thread.
    void activate(Collection<Pod> pods);

    /// Runs the profile's filters for one node, with the pods that are nominated to it in thought
    /// on it and without, as the scheduling cycle does. An error of a plugin is thrown.
    Verdict filterWithNominatedPods(Cycle cycle, Pod pod, NodeView node);

    /// Begins a dry run for a pod, with the notes of its attempt.
    DryRun dryRun(Cycle cycle, Pod pod);

    /// Starts hearing of changes of the state. What exists already is told first.
    void observe(StateObserver observer);

    /// Starts work that may block, away from the engine thread.
    void background(String name, Runnable task);

    /// Where a plugin counts for metrics of the scheduler. May be used from any thread.
    default SchedulerMetrics metrics() {
        return SchedulerMetrics.NONE;
    }

    /// Services outside that take part in scheduling, in the order in which they are asked.
    default List<Extender> extenders() {
        return List.of();
    }

    /// Names of the enabled plugins of this profile, in order.
    List<String> pluginNames();
}
