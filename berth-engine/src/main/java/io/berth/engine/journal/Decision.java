package io.berth.engine.journal;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What came of an attempt to place a pod.
public sealed interface Decision {
    /// The attempt's number, counted over all pods.
    long attempt();

    /// `namespace/name`.
    String pod();

    /// The pod has a place in the engine's books.
    record Placed(
            long attempt,
            String pod,
            String uid,
            String node,
            int evaluatedNodes,
            int feasibleNodes)
            implements Decision {}

    /// The pod has none, or lost it again on the way.
    ///
    /// @param rejectors plugins whose events may help
    /// @param nomination the node that it is nominated to; empty: none any more; null: as before
    record Unplaced(
            long attempt,
            String pod,
            String uid,
            boolean isRejection,
            String message,
            Set<String> rejectors,
            @Nullable String nomination)
            implements Decision {}
}
