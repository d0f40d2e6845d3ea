package io.berth.lab.explain;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// All pods that wait for a node, in groups.
///
/// @param pods how many there are
/// @param isCut whether some were not judged since there are too many kinds of them
public record PendingReport(
        Source source, int pods, boolean isCut, List<Cause> causes, List<String> uncertain) {
    public PendingReport {
        causes = List.copyOf(causes);
        uncertain = List.copyOf(uncertain);
    }

    /// Pods that wait for the same thing.
    ///
    /// @param plugin the filter that stands in the way of most; empty where none does
    /// @param text what it says
    /// @param key what they are grouped by besides: an owner, or nothing
    /// @param oldest when the first of them was created; null where that is not known
    /// @param examples names of pods
    public record Cause(
            Category category,
            String plugin,
            String text,
            String key,
            int count,
            @Nullable Instant oldest,
            List<String> examples) {
        public Cause {
            examples = List.copyOf(examples);
        }
    }

    /// What pods are grouped by, besides their category.
    public enum By {
        REASON,
        OWNER,
        PLUGIN
    }
}
