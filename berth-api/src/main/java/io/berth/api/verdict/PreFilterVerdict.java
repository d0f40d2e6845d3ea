package io.berth.api.verdict;

import java.util.Set;

/// What a plugin says about a pod before any node is looked at.
public sealed interface PreFilterVerdict permits Pass, Skip, Refusal, PreFilterVerdict.OnlyNodes {
    /// Any node may do.
    PreFilterVerdict PASS = Pass.INSTANCE;

    /// The plugin's filter need not be asked for this pod.
    PreFilterVerdict SKIP = Skip.INSTANCE;

    /// None but these nodes can do. Their order is kept.
    record OnlyNodes(Set<String> names) implements PreFilterVerdict {
        public OnlyNodes {
            names = java.util.Collections.unmodifiableSet(new java.util.LinkedHashSet<>(names));
        }
    }
}
