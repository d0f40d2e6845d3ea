package io.berth.api.plugin;

import io.berth.api.handle.Cycle;
import io.berth.api.model.Pod;
import io.berth.api.verdict.PreBindVerdict;
import org.jspecify.annotations.Nullable;

/// Prepares a binding, for example by provisioning a volume. Runs on a binding thread and may
/// block.
public interface PreBind extends Plugin {
    /// Whether there will be something to do. Asked on the engine thread once the pod has its place
    /// in the books, so it must not block.
    default boolean hasWork(Cycle cycle, Pod pod, String nodeName) {
        return true;
    }

    /// Reads nothing that belongs to the engine thread, the notes of the cycle excepted, and
    /// changes none of it: what there is to remember goes into the verdict and comes to [#wrote].
    PreBindVerdict preBind(Cycle cycle, Pod pod, String nodeName);

    /// Whether [#preBind] does nothing but write to the API server, and is over as soon as that has
    /// answered; what else the binding has to wait for comes from [#wrote]. The pod then stands in
    /// the line that [Bind#isSingleWrite] tells of, until it waits for others.
    default boolean onlyWrites() {
        return false;
    }

    /// Hears what [#preBind] has written, on the engine thread and before anything else happens to
    /// the pod, also where it failed later.
    ///
    /// @return what the binding has to wait for now; null where it need not, or is over anyhow
    default @Nullable Awaited wrote(
            Cycle cycle, Pod pod, String nodeName, PreBindVerdict.Wrote wrote) {
        return null;
    }

    /// Asks a [#preBind] of this pod that is under way to come to its end soon: the pod is not to
    /// be bound after all, so its verdict no longer matters. Called by another thread, perhaps just
    /// after the end; must not block.
    default void cancelPreBind(Cycle cycle, Pod pod, String nodeName) {}

    /// Whether this plugin may run at the same time as its neighbours in the list.
    default boolean allowsParallel() {
        return false;
    }
}
