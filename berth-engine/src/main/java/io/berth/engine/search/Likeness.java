package io.berth.engine.search;

import io.berth.api.explain.FilterAnswer;
import io.berth.api.explain.NodeExplanation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Which nodes all filters say the same of, so that what is said is written down once for each sort
/// of nodes rather than for each node.
///
/// Filters are noted one after the other. A sort is the chain of the refusals so far, each link
/// with the one before it; nodes that one more filter refuses alike go on to the same next link.
final class Likeness {
    private record Refused(int position, FilterAnswer answer) {}

    /// Nodes that were refused alike so far.
    private static final class Sort {
        private final @Nullable Sort before;
        private final @Nullable Refused last;
        private final Map<Refused, Sort> next = new HashMap<>(4);
        private @Nullable List<FilterAnswer> answers;

        Sort(@Nullable Sort before, @Nullable Refused last) {
            this.before = before;
            this.last = last;
        }

        Sort with(Refused refused) {
            return next.computeIfAbsent(refused, known -> new Sort(this, known));
        }
    }

    private final List<FilterAnswer> passes = new ArrayList<>();
    private final Sort[] sorts;

    Likeness(int nodes) {
        sorts = new Sort[nodes];
        Arrays.fill(sorts, new Sort(null, null));
    }

    /// The next filter is asked, and says this where it is not heard to refuse.
    void begin(FilterAnswer pass) {
        passes.add(pass);
    }

    /// The filter refuses a node.
    void refused(int node, FilterAnswer answer) {
        sorts[node] = sorts[node].with(new Refused(passes.size() - 1, answer));
    }

    /// What all filters say of a node, after the last: the same list for nodes of a sort.
    List<FilterAnswer> answers(int node) {
        var sort = sorts[node];
        var known = sort.answers;
        if (known == null) {
            known = answers(sort);
            sort.answers = known;
        }
        return known;
    }

    private List<FilterAnswer> answers(Sort sort) {
        var answers = new ArrayList<>(passes);
        for (Sort each = sort; each != null && each.last != null; each = each.before) {
            answers.set(each.last.position, each.last.answer);
        }
        return NodeExplanation.sharedFilters(answers);
    }
}
