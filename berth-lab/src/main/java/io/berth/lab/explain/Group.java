package io.berth.lab.explain;

import io.berth.api.verdict.Lack;
import io.berth.api.verdict.Refusal.Remedy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Nodes that the same filters refuse.
///
/// @param filters all that refuse these nodes, in the order of asking; the first is the one that
///   the event of the failed attempt counts
/// @param isBesideNominated whether the first refuses them only because of the pods that are
///   nominated to them
/// @param reasons what the filters say, in their own words, most frequent first for each filter
/// @param details the same, said more exactly
/// @param remedy what the first filter thinks may help
public record Group(
        int count,
        List<String> filters,
        boolean isBesideNominated,
        List<Reason> reasons,
        List<Detail> details,
        Remedy remedy,
        List<Example> examples) {
    public static final int MOST_EXAMPLES = 5;

    public Group {
        filters = List.copyOf(filters);
        reasons = List.copyOf(reasons);
        details = List.copyOf(details);
        examples = List.copyOf(examples);
    }

    /// A reason that a filter gives.
    ///
    /// @param text as users read it in events
    /// @param count how many nodes it gives it for
    /// @param lack what there is most of on one of these nodes, where the reason is a lack
    public record Reason(String plugin, String text, int count, @Nullable Lack lack) {}

    /// A reason in our words, with the values that matter.
    public record Detail(String plugin, String text, int count) {}

    /// One of the nodes.
    public record Example(String node, String detail) {}
}
