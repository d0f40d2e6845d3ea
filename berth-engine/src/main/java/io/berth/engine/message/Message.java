package io.berth.engine.message;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.api.verdict.PreBindVerdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the engine thread is told. All of it is data that can be kept, counted and told again to
/// another engine, except for questions, which change nothing.
public sealed interface Message {
    /// What messages of its sort are called where they are counted. No record may have a part of
    /// this name.
    default String sort() {
        return getClass().getSimpleName();
    }

    /// What the watches see. There is no end to it, so it has to wait while the engine is behind.
    sealed interface News extends Message {}

    /// An object exists in this form.
    record Seen(ClusterObject object) implements News {}

    /// An object is gone.
    record Gone(Kind kind, String namespace, String name) implements News {}

    /// The first complete list of a kind has been delivered.
    record Synced(Kind kind) implements News {}

    /// What became of an errand: work that the engine had done elsewhere, since it may block.
    sealed interface Outcome extends Message {
        /// The number that the engine gave it.
        long errand();
    }

    /// A pod has its node.
    ///
    /// @param toActivate pods that plugins want to be tried now
    record Bound(long errand, List<Pod> toActivate) implements Outcome {
        public Bound {
            toActivate = List.copyOf(toActivate);
        }
    }

    /// A pod did not get its node.
    record BindingFailed(long errand, Setback why) implements Outcome {}

    /// PreBind plugins have done what they had to do before the next group, or one of a group has.
    ///
    /// @param setback null where all went well
    /// @param wrote what a plugin wants to hear of; null where there is nothing
    record Prepared(
            long errand, int group, @Nullable Setback setback, PreBindVerdict.@Nullable Wrote wrote)
            implements Outcome {}

    /// A pod's status was written, or could not be.
    ///
    /// @param problem null where nothing went wrong
    record StatusWritten(long errand, boolean isWritten, @Nullable String problem)
            implements Outcome {}

    /// An errand broke down, or could not even begin.
    record Failed(long errand, String problem) implements Outcome {}

    /// Somebody said whether a pod that waits may go on.
    ///
    /// @param attempt which of the pod's attempts is meant
    /// @param plugin on whose behalf; empty for the scheduler itself
    record PermitDecided(String podUid, long attempt, String plugin, Permission permission)
            implements Message {}

    /// Somebody stopped the preparation of a pod's binding.
    ///
    /// @param message what users read about the pod
    record PreBindCancelled(String podUid, String message) implements Message {}

    /// A plugin wants pods to be tried now.
    record Activate(List<Pod> pods) implements Message {
        public Activate {
            pods = List.copyOf(pods);
        }
    }

    /// Pods are to be placed, or not.
    record Paused(boolean isPaused) implements Message {}

    /// A question. Whatever it is, the engine is the same afterwards; so it is in no record.
    record Ask(Question question) implements Message {}

    /// Something that somebody wants to know.
    interface Question {
        /// Finds the answer, on the engine thread.
        void answer();

        /// There will be no answer.
        void drop();
    }
}
