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
import java.util.IdentityHashMap;
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

    /// Nodes of which all filters say the same.
    private static final class Sort {
        private final Key key;

        /// Those that refuse them, the one that counts first.
        private final List<FilterAnswer> answers;

        private final double shortfall;

        /// The nodes with the same key, once one of the sort is among them.
        private @Nullable List<Member> group;

        /// What one of them adds to, and in whose count.
        private @Nullable Counters counters;

        private @Nullable Count count;

        Sort(Key key, List<FilterAnswer> answers, double shortfall) {
            this.key = key;
            this.answers = answers;
            this.shortfall = shortfall;
        }
    }

    /// A node that cannot take the pod.
    static final class Member {
        private final NodeExplanation node;
        private final Sort sort;

        private Member(NodeExplanation node, Sort sort) {
            this.node = node;
            this.sort = sort;
        }

        String name() {
            return node.name();
        }

        /// What each filter says against it, the one that counts first.
        List<FilterAnswer> answers() {
            return sort.answers;
        }

        /// How much it lacks, as a part of what is wanted; 1 and more where that is not the reason.
        double shortfall() {
            return sort.shortfall;
        }
    }

    private final Map<Key, List<Member>> members = new LinkedHashMap<>();

    /// By the very list of what filters say, which nodes that are judged alike share.
    private final IdentityHashMap<List<FilterAnswer>, Sort> sorts = new IdentityHashMap<>();

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
                var sort = sort(node);
                group(sort).add(new Member(node, sort));
            }
        }
    }

    private List<Member> group(Sort sort) {
        var group = sort.group;
        if (group == null) {
            group = members.computeIfAbsent(sort.key, _ -> new ArrayList<>());
            sort.group = group;
        }
        return group;
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

    private Sort sort(NodeExplanation node) {
        return node.isLeftOut() || node.besideNominated().isPresent()
                ? sorted(node)
                : sorts.computeIfAbsent(node.filters(), _ -> sorted(node));
    }

    private Sort sorted(NodeExplanation node) {
        return new Sort(key(node), said(node), shortfall(node));
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
        return sort(node).answers;
    }

    private List<FilterAnswer> said(NodeExplanation node) {
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

    Map<Key, List<Member>> members() {
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

    private Group group(Key key, List<Member> members) {
        var count = new Count(key);
        members.forEach(count::add);
        var counted = reasons(count.reasons);
        return new Group(
                members.size(),
                key.filters,
                key.isBesideNominated,
                counted,
                details(count.exact, counted),
                remedy(members.getFirst()),
                examples(members));
    }

    /// How often a detail is told.
    private static final class Times {
        private int count;
    }

    /// What a node of some sort adds to, without a look at what is said again.
    private record Counters(Tally[] reasons, Times[] details, FilterAnswer[] byNode) {}

    /// What is said of the nodes of a group, counted.
    private final class Count {
        private final Map<String, Map<String, Tally>> reasons = new LinkedHashMap<>();
        private final Map<String, Map<String, Times>> exact = new LinkedHashMap<>();

        Count(Key key) {
            key.filters.forEach(plugin -> {
                reasons.put(plugin, new LinkedHashMap<>());
                exact.put(plugin, new LinkedHashMap<>());
            });
        }

        void add(Member member) {
            var counters = countersOf(member.sort);
            for (var tally : counters.reasons) {
                tally.count++;
            }
            for (var times : counters.details) {
                times.count++;
            }
            for (var answer : counters.byNode) {
                times(answer, detail(answer, member.name())).count++;
            }
        }

        private Counters countersOf(Sort sort) {
            var known = sort.counters;
            if (known == null || sort.count != this) {
                known = counters(sort);
                sort.counters = known;
                sort.count = this;
            }
            return known;
        }

        private Counters counters(Sort sort) {
            var tallies = new ArrayList<Tally>();
            var times = new ArrayList<Times>();
            var byNode = new ArrayList<FilterAnswer>();
            for (var answer : sort.answers) {
                tally(answer, tallies);
                if (Details.dependsOnNode(answer)) {
                    byNode.add(answer);
                } else {
                    times.add(times(answer, details.of(answer)));
                }
            }
            return new Counters(
                    tallies.toArray(Tally[]::new),
                    times.toArray(Times[]::new),
                    byNode.toArray(FilterAnswer[]::new));
        }

        private Times times(FilterAnswer answer, String text) {
            return exact.getOrDefault(answer.plugin(), new LinkedHashMap<>())
                    .computeIfAbsent(text, _ -> new Times());
        }

        /// Lacks stand beside the reasons that they belong to.
        private void tally(FilterAnswer answer, List<Tally> into) {
            if (answer.verdict() instanceof Refusal refusal) {
                var tallies = reasons.getOrDefault(answer.plugin(), new LinkedHashMap<>());
                boolean isParallel = answer.lacks().size() == refusal.reasons().size();
                for (int i = 0; i < refusal.reasons().size(); i++) {
                    var tally = tallies.computeIfAbsent(refusal.reasons().get(i), _ -> new Tally());
                    tally.hear(isParallel ? answer.lacks().get(i) : null);
                    into.add(tally);
                }
            }
        }
    }

    /// How often a reason is given, with the most that there is of what is lacking.
    private static final class Tally {
        private int count;
        private @Nullable Lack most;

        void hear(@Nullable Lack lack) {
            if (lack != null && (most == null || lack.available() > most.available())) {
                most = lack;
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
            Map<String, Map<String, Times>> byPlugin, List<Group.Reason> reasons) {
        var details = new ArrayList<Group.Detail>();
        byPlugin.forEach((plugin, counts) -> {
            if (isScattered(counts.values())) {
                int all = sum(counts.values());
                details.add(new Group.Detail(plugin, inAll(plugin, reasons, all), all));
            } else {
                counts.entrySet().stream()
                        .sorted(Comparator.comparingInt(entry -> -entry.getValue().count))
                        .limit(MOST_DETAILS)
                        .forEach(entry ->
                                details.add(
                                        new Group.Detail(
                                                plugin, entry.getKey(), entry.getValue().count)));
            }
        });
        return details;
    }

    /// Whether what is said of each node, such as which pod is in the way, says little of all.
    private static boolean isScattered(Collection<Times> counts) {
        int all = sum(counts);
        return counts.size() > MOST_DETAILS
                && counts.stream().noneMatch(times -> times.count * MOST_DETAILS >= all);
    }

    private static int sum(Collection<Times> counts) {
        return counts.stream().mapToInt(times -> times.count).sum();
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

    private static Refusal.Remedy remedy(Member member) {
        return member.answers().getFirst().verdict() instanceof Refusal refusal
                ? refusal.remedy()
                : Refusal.Remedy.NOTHING_HELPS;
    }

    private List<Group.Example> examples(List<Member> members) {
        var nearest = new ArrayList<Member>();
        for (var member : members) {
            int place = nearest.size();
            while (place > 0 && member.shortfall() < nearest.get(place - 1).shortfall()) {
                place--;
            }
            if (place < Group.MOST_EXAMPLES) {
                nearest.add(place, member);
                if (nearest.size() > Group.MOST_EXAMPLES) {
                    nearest.removeLast();
                }
            }
        }
        return nearest.stream()
                .map(member -> new Group.Example(member.name(), row(member)))
                .toList();
    }

    private String row(Member member) {
        return member.answers().stream()
                .map(answer -> detail(answer, member.name()))
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
