package io.berth.lab.explain;

import io.berth.api.explain.Explanation;
import io.berth.api.explain.FilterAnswer;
import io.berth.api.explain.NodeExplanation;
import io.berth.api.model.Node;
import io.berth.api.verdict.Lack;
import io.berth.api.verdict.PreFilterVerdict.OnlyNodes;
import io.berth.api.verdict.Refusal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Puts the nodes that cannot take a pod into groups by the filters that refuse them.
final class Groups {
    private static final int MOST_DETAILS = 3;

    /// What the nodes of a group have in common.
    ///
    /// @param filters in the order of asking, the one that counts first
    record Key(List<String> filters, boolean isBesideNominated, boolean isLeftOut) {}

    private final Map<Key, List<NodeExplanation>> members = new LinkedHashMap<>();
    private final Map<String, Node> nodes;
    private final Details details;
    private final FilterAnswer leftOut;

    /// @param nodes all nodes, by name
    Groups(Explanation explanation, Map<String, Node> nodes, Details details) {
        this.nodes = nodes;
        this.details = details;
        this.leftOut = leftOut(explanation);
        for (var node : explanation.nodes()) {
            if (!node.isFeasible()) {
                members.computeIfAbsent(key(node), _ -> new ArrayList<>()).add(node);
            }
        }
    }

    /// What holds for nodes that PreFilter plugins left out.
    private static FilterAnswer leftOut(Explanation explanation) {
        var plugins = new TreeSet<String>();
        for (var answer : explanation.preFilters()) {
            if (answer.verdict() instanceof OnlyNodes) {
                plugins.add(answer.plugin());
            }
        }
        return new FilterAnswer(
                plugins.isEmpty() ? "" : plugins.first(),
                Refusal.hopeless(
                        "node(s) didn't satisfy plugin(s) [" + String.join(" ", plugins) + "]"));
    }

    private Key key(NodeExplanation node) {
        if (node.isLeftOut()) {
            return new Key(List.of(leftOut.plugin()), false, true);
        }
        var filters = new LinkedHashSet<String>();
        node.besideNominated().ifPresent(answer -> filters.add(answer.plugin()));
        boolean isBeside = node.besideNominated().isPresent() && node.refusals().isEmpty();
        node.refusals().forEach(answer -> filters.add(answer.plugin()));
        return new Key(List.copyOf(filters), isBeside, false);
    }

    /// What each filter says against a node, the one that counts first.
    List<FilterAnswer> answers(NodeExplanation node) {
        if (node.isLeftOut()) {
            return List.of(leftOut);
        }
        var answers = new LinkedHashMap<String, FilterAnswer>();
        node.besideNominated()
                .ifPresent(answer -> answers.put(answer.plugin(), beside(answer, node)));
        for (var answer : node.refusals()) {
            answers.putIfAbsent(answer.plugin(), answer);
        }
        return List.copyOf(answers.values());
    }

    /// What is said of a node with the pods that are nominated to it; where the same holds without
    /// them, with what is known of that.
    private static FilterAnswer beside(FilterAnswer answer, NodeExplanation node) {
        for (var alone : node.refusals()) {
            if (alone.plugin().equals(answer.plugin())
                    && alone.verdict().equals(answer.verdict())) {
                return alone;
            }
        }
        var reasons =
                answer.verdict() instanceof Refusal refusal ? refusal.reasons() : List.<String>of();
        return new FilterAnswer(
                answer.plugin(),
                answer.verdict(),
                List.of(),
                "beside pods nominated there: " + String.join(", ", reasons));
    }

    Map<Key, List<NodeExplanation>> members() {
        return members;
    }

    /// The groups, those that are nearest to taking the pod first, then the largest.
    List<Group> all() {
        return members.entrySet().stream()
                .map(entry -> group(entry.getKey(), entry.getValue()))
                .sorted(
                        Comparator.comparingInt((Group group) -> group.filters().size())
                                .thenComparingInt(group -> -group.count()))
                .toList();
    }

    private Group group(Key key, List<NodeExplanation> nodes) {
        var reasons = new LinkedHashMap<String, Map<String, Tally>>();
        var exact = new LinkedHashMap<String, Map<String, Integer>>();
        key.filters.forEach(plugin -> {
            reasons.put(plugin, new LinkedHashMap<>());
            exact.put(plugin, new LinkedHashMap<>());
        });
        for (var node : nodes) {
            for (var answer : answers(node)) {
                count(answer, reasons.getOrDefault(answer.plugin(), new LinkedHashMap<>()));
                exact.getOrDefault(answer.plugin(), new LinkedHashMap<>())
                        .merge(detail(answer, node.name()), 1, Integer::sum);
            }
        }
        var counted = reasons(reasons);
        return new Group(
                nodes.size(),
                key.filters,
                key.isBesideNominated,
                counted,
                details(exact, counted),
                remedy(nodes.getFirst()),
                examples(nodes));
    }

    /// How often a reason is given, with the most that there is of what is lacking.
    private static final class Tally {
        private int count;
        private @Nullable Lack most;

        void add(@Nullable Lack lack) {
            count++;
            if (lack != null && (most == null || lack.available() > most.available())) {
                most = lack;
            }
        }
    }

    /// Lacks stand beside the reasons that they belong to.
    private static void count(FilterAnswer answer, Map<String, Tally> tallies) {
        if (answer.verdict() instanceof Refusal refusal) {
            boolean isParallel = answer.lacks().size() == refusal.reasons().size();
            for (int i = 0; i < refusal.reasons().size(); i++) {
                tallies.computeIfAbsent(refusal.reasons().get(i), _ -> new Tally())
                        .add(isParallel ? answer.lacks().get(i) : null);
            }
        }
    }

    private static List<Group.Reason> reasons(Map<String, Map<String, Tally>> byPlugin) {
        var reasons = new ArrayList<Group.Reason>();
        byPlugin.forEach((plugin, tallies) ->
                tallies.entrySet().stream()
                        .sorted(Comparator.comparingInt(entry -> -entry.getValue().count))
                        .forEach(entry ->
                                reasons.add(
                                        new Group.Reason(
                                                plugin,
                                                entry.getKey(),
                                                entry.getValue().count,
                                                entry.getValue().most))));
        return reasons;
    }

    private static List<Group.Detail> details(
            Map<String, Map<String, Integer>> byPlugin, List<Group.Reason> reasons) {
        var details = new ArrayList<Group.Detail>();
        byPlugin.forEach((plugin, counts) -> {
            if (isScattered(counts.values())) {
                int all = counts.values().stream().mapToInt(Integer::intValue).sum();
                details.add(new Group.Detail(plugin, inAll(plugin, reasons, all), all));
            } else {
                counts.entrySet().stream()
                        .sorted(Comparator.comparingInt(entry -> -entry.getValue()))
                        .limit(MOST_DETAILS)
                        .forEach(entry ->
                                details.add(
                                        new Group.Detail(
                                                plugin, entry.getKey(), entry.getValue())));
            }
        });
        return details;
    }

    /// Whether what is said of each node, such as which pod is in the way, says little of all.
    private static boolean isScattered(Collection<Integer> counts) {
        int all = counts.stream().mapToInt(Integer::intValue).sum();
        return counts.size() > MOST_DETAILS
                && counts.stream().noneMatch(count -> count * MOST_DETAILS >= all);
    }

    private static String inAll(String plugin, List<Group.Reason> reasons, int nodes) {
        return reasons.stream()
                .filter(reason -> reason.plugin().equals(plugin))
                .filter(reason -> reason.count() * 2 >= nodes)
                .map(reason -> {
                    var lack = reason.lack();
                    return lack == null ? Details.shortened(reason.text()) : Details.atMost(lack);
                })
                .collect(
                        Collectors.collectingAndThen(
                                Collectors.joining(", "), text -> text.isEmpty() ? plugin : text));
    }

    private Refusal.Remedy remedy(NodeExplanation node) {
        return answers(node).getFirst().verdict() instanceof Refusal refusal
                ? refusal.remedy()
                : Refusal.Remedy.NOTHING_HELPS;
    }

    private List<Group.Example> examples(List<NodeExplanation> nodes) {
        return nodes.stream()
                .sorted(Comparator.comparingDouble(Groups::shortfall))
                .limit(Group.MOST_EXAMPLES)
                .map(node -> new Group.Example(node.name(), row(node)))
                .toList();
    }

    private String row(NodeExplanation node) {
        return answers(node).stream()
                .map(answer -> detail(answer, node.name()))
                .reduce((a, b) -> a + "; " + b)
                .orElse("");
    }

    String detail(FilterAnswer answer, String node) {
        var known = nodes.get(node);
        return known == null ? "" : details.of(answer, known);
    }

    /// How much a node lacks, as a part of what is wanted; 1 and more where that is not the reason.
    static double shortfall(NodeExplanation node) {
        double most = 0;
        for (var refusal : node.refusals()) {
            if (refusal.lacks().isEmpty()) {
                return 1 + node.refusals().size();
            }
            for (var lack : refusal.lacks()) {
                most =
                        Math.max(
                                most,
                                (double) (lack.wanted() - lack.available())
                                        / Math.max(1, lack.wanted()));
            }
        }
        return node.refusals().isEmpty() ? 1 : most;
    }
}
