package io.berth.sim.invariant;

import io.berth.api.handle.ClusterException;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.api.write.Write;
import org.jspecify.annotations.Nullable;

/// Something that must hold of a scheduler and its cluster. It is told of every moment at which it
/// may have ceased to, looks at what concerns it, and throws [Broken].
///
/// A new one is a class and a line in [Invariants].
public interface Invariant {
    /// Before the engine hears of an object.
    default void beforeSeen(ClusterObject object) {}

    /// Before the engine hears that an object is gone.
    default void beforeGone(Kind kind, String key) {}

    /// After a step of the engine that did something.
    default void afterStep() {}

    /// After a change in the cluster.
    default void afterChange() {}

    /// When nothing is under way any more.
    default void atRest() {}

    /// At the first rest of every calm: for what is dear.
    default void inCalm() {}

    /// At rest, after so long that every pod has been tried again.
    default void afterFlush() {}

    /// The search for a pod's node has come to its end; nothing has been changed by it yet.
    default void atAttempt(Pod pod) {}

    /// An attempt has chosen a node.
    default void atChoice(Pod pod, String node) {}

    /// A chosen node is given back.
    default void atReturn(Pod pod) {}

    /// An attempt came to nothing, and the pod is where it goes from there.
    default void atFailure(Pod pod) {}

    /// A pod was evicted for another one.
    default void atEviction(Pod victim, @Nullable Pod preemptor) {}

    /// The engine has a task begun, by its name, such as `bind default/p1`.
    default void atTask(String name) {}

    /// There is no thread for a task that the engine wants to begin.
    default void atNoThread(String name) {}

    /// The scheduler sends a write.
    default void atWrite(Write write) {}

    /// The API server did what it was asked to.
    ///
    /// @param isLate whether whoever asked for it has given up waiting, or is no more
    default void atEffect(Write write, boolean isLate) {}

    /// The scheduler got an answer.
    ///
    /// @param failure null where it got what it asked for
    default void atAnswer(Write write, @Nullable ClusterException failure) {}
}
