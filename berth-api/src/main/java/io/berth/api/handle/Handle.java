package io.berth.api.handle;

import io.berth.api.column.NodeColumns;
import io.berth.api.column.NodeView;
import io.berth.api.model.Pod;
import io.berth.api.spec.PodSpec;
import io.berth.api.verdict.Verdict;
import java.util.Collection;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
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

    /// May be used from any thread. Nominations have a way of their own ([#nominate]).
    ClusterWrites writes();

    /// Writes a pod's `nominatedNodeName`, in order with everything else that the scheduler writes
    /// of its status. For the engine thread, which does not wait.
    ///
    /// @param node empty to clear it
    /// @param whenDone told on the engine thread why it could not be written; null where it is, or
    ///   where the pod has got a node or is gone
    void nominate(Pod pod, String node, Consumer<@Nullable String> whenDone);

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

    /// Says that what a node-local plugin reads about a slot from elsewhere has changed, so that
    /// kept verdicts and scores for it are out of date. Engine thread only, as from [#observe].
    void staleSlot(int slot);

    /// The same for all slots.
    void staleSlots();

    /// The same for all slots and one spec, in this profile.
    void staleSpec(PodSpec spec);

    /// What the profiles of one scheduler have in common, such as objects that plugins change in
    /// thought. The first who asks makes it. Engine thread only, or while plugins are made.
    <T> T shared(Class<T> type, Supplier<T> make);

    /// Starts work that may block, away from the engine thread.
    ///
    /// @throws java.util.concurrent.RejectedExecutionException where there is no thread for it
    void background(String name, Runnable task);

    /// Where a plugin counts for metrics of the scheduler. May be used from any thread.
    default SchedulerMetrics metrics() {
        return SchedulerMetrics.NONE;
    }

    /// Where a plugin makes metrics of its own. May be used from any thread.
    default OwnMetrics ownMetrics() {
        return OwnMetrics.NONE;
    }

    /// Looks at something that others change at any time: a map that a background task fills,
    /// chance or a clock of the plugin's own. A replay of the engine sees what was seen here. On
    /// other threads than the engine's it is just a look.
    default long outside(LongSupplier look) {
        return look.getAsLong();
    }

    /// As above, for a yes or no.
    default boolean outside(BooleanSupplier look) {
        return outside((LongSupplier) () -> look.getAsBoolean() ? 1 : 0) != 0;
    }

    /// Whether a feature of Kubernetes is on. A feature that nobody speaks of is off.
    default boolean isFeatureOn(String gate) {
        return false;
    }

    /// Services outside that take part in scheduling, in the order in which they are asked.
    default List<Extender> extenders() {
        return List.of();
    }

    /// Names of the enabled plugins of this profile, in order. Not known before all of them are
    /// made.
    ///
    /// @throws IllegalStateException in [PluginFactory#create]
    List<String> pluginNames();
}
