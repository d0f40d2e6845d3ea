package io.berth.api.verdict;

import java.util.List;

/// What a plugin could do for a pod that fits nowhere.
public sealed interface PostFilterVerdict {
    /// Room is being made: the pod may expect this node.
    record Nominated(String nodeName) implements PostFilterVerdict {}

    /// Nothing could be done.
    ///
    /// @param nomination what becomes of an earlier nomination of the pod
    /// @param isFinal later plugins need not try
    record Nothing(List<String> reasons, Nomination nomination, boolean isFinal)
            implements PostFilterVerdict {
        public Nothing {
            reasons = List.copyOf(reasons);
        }

        public static Nothing keeping(String reason) {
            return new Nothing(List.of(reason), Nomination.KEEP, false);
        }

        public static Nothing clearing(String reason) {
            return new Nothing(List.of(reason), Nomination.CLEAR, false);
        }
    }

    enum Nomination {
        KEEP,
        CLEAR
    }
}
