package io.berth.lab.explain;

import io.berth.api.explain.Explanation;
import io.berth.api.verdict.PreFilterVerdict.OnlyNodes;
import io.berth.api.verdict.Refusal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What the event of a failed attempt says, counted again from groups.
final class FailureText {
    private FailureText() {}

    /// @param nodeCount how many nodes there are
    static String of(Explanation explanation, List<Group> groups, int nodeCount) {
        var refusal = wholeRefusal(explanation);
        return "0/%d nodes are available: %s."
                .formatted(
                        nodeCount,
                        refusal.isEmpty() ? String.join(", ", counted(groups)) : refusal);
    }

    /// What was said against the pod as a whole, before any node was looked at; empty where nothing
    /// was.
    static String wholeRefusal(Explanation explanation) {
        String text = "";
        var named = new java.util.TreeSet<String>();
        for (var answer : explanation.preFilters()) {
            if (answer.verdict() instanceof Refusal refusal) {
                text = String.join(", ", refusal.reasons());
            } else if (answer.verdict() instanceof OnlyNodes) {
                named.add(answer.plugin());
            }
        }
        if (text.isEmpty() && explanation.nodes().isEmpty() && !named.isEmpty()) {
            return named.size() == 1
                    ? "node(s) didn't satisfy plugin " + named.first()
                    : "node(s) didn't satisfy plugin(s) [%s] simultaneously"
                            .formatted(String.join(" ", named));
        }
        return text;
    }

    /// `<count> <reason>`, sorted as text; only what the first filter says counts.
    private static List<String> counted(List<Group> groups) {
        Map<String, Integer> counts = new HashMap<>();
        for (var group : groups) {
            for (var reason : group.reasons()) {
                if (reason.plugin().equals(group.filters().getFirst())) {
                    counts.merge(reason.text(), reason.count(), Integer::sum);
                }
            }
        }
        return counts.entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .sorted()
                .toList();
    }
}
