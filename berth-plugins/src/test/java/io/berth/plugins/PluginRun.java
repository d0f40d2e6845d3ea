package io.berth.plugins;

import io.berth.api.column.NodeView;
import io.berth.api.model.Pod;
import io.berth.api.plugin.ClusterFilter;
import io.berth.api.plugin.ClusterScore;
import io.berth.api.plugin.FeasibleNodes;
import io.berth.api.plugin.Filter;
import io.berth.api.plugin.NodeLocalFilter;
import io.berth.api.plugin.NodeLocalScore;
import io.berth.api.plugin.Normalize;
import io.berth.api.plugin.Plugin;
import io.berth.api.plugin.PreFilter;
import io.berth.api.plugin.PreScore;
import io.berth.api.plugin.Score;
import io.berth.api.plugin.SlotJudge;
import io.berth.api.plugin.SlotScore;
import io.berth.api.verdict.Pass;
import io.berth.api.verdict.PreFilterVerdict;
import io.berth.api.verdict.Skip;
import io.berth.api.verdict.Verdict;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Runs one plugin for one pod over all nodes, as an attempt would.
public final class PluginRun {
    private final TestCluster cluster;
    private final Plugin plugin;
    private final Pod pod;
    private final TestCycle cycle = new TestCycle();

    private PluginRun(TestCluster cluster, Plugin plugin, Pod pod) {
        this.cluster = cluster;
        this.plugin = plugin;
        this.pod = pod;
        cluster.state.refresh();
    }

    public static PluginRun of(TestCluster cluster, Plugin plugin, Pod pod) {
        return new PluginRun(cluster, plugin, pod);
    }

    public TestCycle cycle() {
        return cycle;
    }

    public PreFilterVerdict preFilter() {
        return plugin instanceof PreFilter point
                ? point.preFilter(cycle, pod)
                : PreFilterVerdict.PASS;
    }

    /// The verdict on every node by name; everything passes where the plugin skips.
    public Map<String, Verdict> filter() {
        return filter(preFilter() instanceof Skip);
    }

    public Verdict filter(String node) {
        return Objects.requireNonNull(filter().get(node));
    }

    private Map<String, Verdict> filter(boolean skipped) {
        var filter = (Filter) plugin;
        var judge = skipped ? SlotJudge.PASS_ALL : hasColumns() ? judge(cycle) : null;
        var verdicts = new LinkedHashMap<String, Verdict>();
        for (var node : cluster.nodes().all()) {
            var verdict = judge == null ? filter.filter(cycle, pod, node) : verdict(judge, node);
            verdicts.put(node.name(), verdict);
            if (!skipped) {
                requireEqual(filter.filter(cycle, pod, node), verdict);
            }
        }
        if (judge != null) {
            requireSameAtOnce(judge, cluster.nodes().all());
        }
        return verdicts;
    }

    /// A judge must choose among many nodes as it judges each.
    private static void requireSameAtOnce(SlotJudge judge, List<? extends NodeView> nodes) {
        int[] slots = nodes.stream().mapToInt(NodeView::slot).toArray();
        int[] passing = Arrays.stream(slots).filter(judge::passes).toArray();
        // Only the first so many count.
        int[] chosen = Arrays.copyOf(slots, slots.length + 3);
        int count = judge.retain(chosen, slots.length);
        requireEqual(Arrays.toString(Arrays.copyOf(chosen, count)), Arrays.toString(passing));
    }

    private boolean hasColumns() {
        return plugin instanceof NodeLocalFilter || plugin instanceof ClusterFilter;
    }

    /// Compares the verdicts on all nodes with a recount, then takes some pods off a node and puts
    /// another on it, in thought, and compares again.
    public void compareWith(Recount recount, RandomCluster random) {
        var nodes = cluster.nodes().all();
        var expected = new LinkedHashMap<String, Verdict>();
        for (var node : nodes) {
            expected.put(node.name(), recount.verdict(node.node()));
        }
        requireEqual(filter(), expected);
        compareDryRun(recount, random, nodes.get(random.random.nextInt(nodes.size())));
        requireEqual(filter(false), expected);
    }

    private void compareDryRun(Recount recount, RandomCluster random, NodeView node) {
        var copy = cycle.copy();
        var whatIf = Objects.requireNonNull(((PreFilter) plugin).whatIf());
        try (var scratch = cluster.state.scratch()) {
            scratch.copyOf(node.slot());
            for (var other : List.copyOf(node.pods())) {
                if (random.chance(60)) {
                    scratch.remove(other);
                    whatIf.podRemoved(copy, pod, other, scratch.view());
                    recount.change(other, node.node(), -1);
                }
            }
            if (random.chance(50)) {
                var nominated = random.pod().onNode(node.name());
                scratch.add(nominated);
                whatIf.podAdded(copy, pod, nominated, scratch.view());
                recount.change(nominated, node.node(), 1);
            }
            if (hasColumns()) {
                requireSameAtOnce(judge(copy), List.of(scratch.view()));
                requireSameAtOnce(judge(copy), cluster.nodes().all());
            }
            requireEqual(
                    hasColumns()
                            ? verdict(judge(copy), scratch.view())
                            : ((Filter) plugin).filter(copy, pod, scratch.view()),
                    recount.verdict(node.node()));
        }
    }

    public SlotJudge judge(TestCycle in) {
        return switch (plugin) {
            case NodeLocalFilter local -> local.judge(pod.spec(), cluster.columns());
            case ClusterFilter global -> global.judge(in, pod, cluster.columns());
            default -> throw new IllegalArgumentException(plugin.name() + " is no column filter");
        };
    }

    /// Both halves of a judge must agree.
    public static Verdict verdict(SlotJudge judge, NodeView node) {
        var verdict = judge.explain(node.slot());
        requireEqual(judge.passes(node.slot()), verdict instanceof Pass);
        return verdict;
    }

    /// Cheaper than a fluent assertion, which counts for a check that is made a million times.
    private static void requireEqual(Object actual, Object expected) {
        if (!actual.equals(expected)) {
            throw new AssertionError("expected " + expected + " but was " + actual);
        }
    }

    /// Raw scores of the nodes, null where the plugin is left out.
    public @Nullable Map<String, Long> rawScores(List<NodeView> feasible) {
        if (plugin instanceof PreScore point
                && !point.preScore(cycle, pod, FeasibleNodes.of(feasible))) {
            return null;
        }
        var scorer = scorer();
        var scores = new LinkedHashMap<String, Long>();
        for (var node : feasible) {
            long score = scorer.score(node.slot());
            scores.put(node.name(), score);
            requireEqual(((Score) plugin).score(cycle, pod, node), score);
        }
        requireSameAtOnce(scorer, feasible);
        return scores;
    }

    private static void requireSameAtOnce(SlotScore scorer, List<NodeView> nodes) {
        int[] slots = nodes.stream().mapToInt(NodeView::slot).toArray();
        long[] one = Arrays.stream(slots).mapToLong(scorer::score).toArray();
        long[] all = new long[slots.length];
        scorer.scoreAll(slots, slots.length, all);
        requireEqual(Arrays.toString(all), Arrays.toString(one));
    }

    private SlotScore scorer() {
        return switch (plugin) {
            case NodeLocalScore local -> local.scorer(pod.spec(), cluster.columns());
            case ClusterScore global -> global.scorer(cycle, pod, cluster.columns());
            default -> throw new IllegalArgumentException(plugin.name() + " is no column score");
        };
    }

    public @Nullable Map<String, Long> rawScores() {
        return rawScores(cluster.nodes().all());
    }

    /// Scores after normalising, null where the plugin is left out.
    public @Nullable Map<String, Long> scores(List<NodeView> feasible) {
        var raw = rawScores(feasible);
        if (raw == null || !(plugin instanceof Normalize point)) {
            return raw;
        }
        // Longer than needed, as the engine's arrays are.
        var values = new long[raw.size() + 3];
        var slots = new int[values.length];
        int count = 0;
        for (var node : feasible) {
            slots[count] = node.slot();
            values[count++] = raw.getOrDefault(node.name(), 0L);
        }
        values[count] = 1_000_000;
        point.normalize(cycle, pod, new Normalize.Scores(slots, values, count));
        var result = new LinkedHashMap<String, Long>();
        for (int i = 0; i < count; i++) {
            result.put(feasible.get(i).name(), values[i]);
        }
        return result;
    }

    public @Nullable Map<String, Long> scores() {
        return scores(cluster.nodes().all());
    }
}
