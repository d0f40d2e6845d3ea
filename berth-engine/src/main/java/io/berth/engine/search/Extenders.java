package io.berth.engine.search;

import io.berth.api.column.NodeView;
import io.berth.api.handle.Extender;
import io.berth.api.handle.Log;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Score;
import io.berth.api.verdict.Refusal;
import io.berth.engine.framework.PluginFailure;
import io.berth.engine.framework.Rejection;
import io.berth.engine.port.Workers;
import io.berth.engine.state.ClusterState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The services outside that take part in a search (rules E-97, E-98, E-101, E-143, E-146, E-148).
///
/// They are asked from within the attempt, as upstream does: the engine waits, for as long as the
/// service's time limit at most. Filters narrow the nodes one after another; scores are asked for
/// side by side and added up in the order of the extenders, so that the outcome does not depend on
/// who answers first.
public final class Extenders {
    private static final long MAX_SCORE = 10;
    private static final long SCALE = Score.MAX / MAX_SCORE;

    private final List<Extender> all;
    private final ClusterState state;
    private final Workers workers;
    private final RandomGenerator random;
    private final Log log;

    public Extenders(
            List<Extender> configured,
            ClusterState state,
            Workers workers,
            RandomGenerator random,
            Log log) {
        this.all = ordered(configured);
        this.state = state;
        this.workers = workers;
        this.random = random;
        this.log = log;
    }

    /// Those that must not fail first, each kind in the configured order (E-143).
    private static List<Extender> ordered(List<Extender> configured) {
        var result = new ArrayList<>(configured);
        result.sort(Comparator.comparing(Extender::isIgnorable));
        return List.copyOf(result);
    }

    /// In the order in which they are asked.
    public List<Extender> all() {
        return all;
    }

    public boolean isEmpty() {
        return all.isEmpty();
    }

    /// Whether any would have a say in which nodes are left or best.
    boolean judgeNodes() {
        for (var extender : all) {
            if (extender.isFilter() || extender.isPrioritizer()) {
                return true;
            }
        }
        return false;
    }

    /// Whether any would be asked about the nodes for this pod.
    boolean judgeNodesFor(Pod pod) {
        for (var extender : all) {
            if ((extender.isFilter() || extender.isPrioritizer()) && extender.isInterested(pod)) {
                return true;
            }
        }
        return false;
    }

    /// The names of those that would be asked about the nodes for this pod.
    List<String> thatJudge(Pod pod) {
        return all.stream()
                .filter(extender -> extender.isFilter() || extender.isPrioritizer())
                .filter(extender -> extender.isInterested(pod))
                .map(Extender::name)
                .toList();
    }

    /// What the filters of extenders left.
    ///
    /// @param slots those left, in the order of the last answer
    /// @param refused what was said about others
    record Left(int[] slots, int count, Map<NodeView, Rejection> refused) {}

    /// Asks the filters, one after another.
    ///
    /// @throws PluginFailure where one fails that must not
    Left filter(Pod pod, int[] slots, int count) {
        var left = new Left(slots, count, all.isEmpty() ? Map.of() : new LinkedHashMap<>());
        for (var extender : all) {
            if (left.count == 0) {
                break;
            }
            if (extender.isFilter() && extender.isInterested(pod)) {
                left = filter(extender, pod, left);
            }
        }
        return left;
    }

    private Left filter(Extender extender, Pod pod, Left before) {
        Extender.Filtered answer;
        int[] slots;
        try {
            var nodes = nodes(before.slots, before.count);
            answer = extender.filter(pod, nodes);
            slots = slots(extender, answer.nodes(), nodes);
        } catch (RuntimeException failed) {
            if (extender.isIgnorable()) {
                log.info(
                        0,
                        "Skipping extender as it returned error and has ignorable flag set",
                        "extender",
                        extender.name(),
                        "err",
                        PluginFailure.textOf(failed));
                return before;
            }
            throw new PluginFailure("", PluginFailure.textOf(failed), failed);
        }
        note(answer.failed(), Refusal.Remedy.PREEMPTION_MAY_HELP, before.refused);
        note(answer.unresolvable(), Refusal.Remedy.NOTHING_HELPS, before.refused);
        return new Left(slots, slots.length, before.refused);
    }

    private List<NodeView> nodes(int[] slots, int count) {
        var result = new ArrayList<NodeView>(count);
        for (int i = 0; i < count; i++) {
            result.add(state.view(slots[i]));
        }
        return result;
    }

    /// The slots of the named nodes, all of which must have been asked about (E-146).
    private static int[] slots(Extender extender, List<String> names, List<NodeView> asked) {
        var byName = HashMap.<String, NodeView>newHashMap(asked.size());
        asked.forEach(node -> byName.put(node.name(), node));
        var result = new int[names.size()];
        for (int i = 0; i < result.length; i++) {
            var node = byName.get(names.get(i));
            if (node == null) {
                throw new IllegalStateException(
                        ("extender \"%s\" claims a filtered node \"%s\" which is not found in the"
                                        + " input node list")
                                .formatted(extender.name(), names.get(i)));
            }
            result[i] = node.slot();
        }
        return result;
    }

    /// Reasons about nodes that do not exist help nobody.
    private void note(
            Map<String, String> reasons, Refusal.Remedy remedy, Map<NodeView, Rejection> refused) {
        reasons.forEach((name, reason) -> {
            var node = state.nodes().byName(name);
            if (node != null) {
                refused.put(node, new Rejection("", new Refusal(List.of(reason), remedy)));
            }
        });
    }

    /// Asks all interested extenders for scores, and adds them to the totals. One that fails gives
    /// none (E-101).
    ///
    /// @return a random key for each node that got a score, which decides among equal totals
    ///   (E-102); null where none did
    long @Nullable [] score(Pod pod, int[] slots, int count, long[] totals) {
        var interested = all.stream().filter(extender -> extender.isInterested(pod)).toList();
        if (interested.isEmpty()) {
            return null;
        }
        var nodes = nodes(slots, count);
        var answers = new ArrayList<@Nullable List<Extender.HostScore>>();
        interested.forEach(extender -> answers.add(extender.isPrioritizer() ? null : zeros(nodes)));
        workers.waitForEach(
                interested.size(),
                i -> {
                    var extender = interested.get(i);
                    if (extender.isPrioritizer()) {
                        answers.set(i, ask(extender, pod, nodes));
                    }
                });
        var scores = new HashMap<String, Long>();
        for (int i = 0; i < answers.size(); i++) {
            var answer = answers.get(i);
            if (answer != null) {
                add(interested.get(i), pod, answer, scores);
            }
        }
        return apply(scores, nodes, totals);
    }

    /// An extender that does not score still counts as having scored every node, as upstream has
    /// it: so chance decides among equals.
    private static List<Extender.HostScore> zeros(List<NodeView> nodes) {
        return nodes.stream().map(node -> new Extender.HostScore(node.name(), 0)).toList();
    }

    private @Nullable List<Extender.HostScore> ask(
            Extender extender, Pod pod, List<NodeView> nodes) {
        try {
            return extender.prioritize(pod, nodes);
        } catch (RuntimeException failed) {
            log.info(
                    5,
                    "Failed to run extender's priority function. No score given by this extender.",
                    "error",
                    PluginFailure.textOf(failed),
                    "pod",
                    pod.key(),
                    "extender",
                    extender.name());
            return null;
        }
    }

    private void add(
            Extender extender, Pod pod, List<Extender.HostScore> answer, Map<String, Long> scores) {
        boolean isTold = log.isOn(10);
        for (var one : answer) {
            if (isTold) {
                log.info(
                        10,
                        "Extender scored node for pod",
                        "pod",
                        pod.key(),
                        "extender",
                        extender.name(),
                        "node",
                        one.nodeName(),
                        "score",
                        one.score());
            }
            long weight = extender.isPrioritizer() ? extender.weight() : 0;
            scores.merge(one.nodeName(), one.score() * weight * SCALE, Long::sum);
        }
    }

    private long @Nullable [] apply(Map<String, Long> scores, List<NodeView> nodes, long[] totals) {
        if (scores.isEmpty()) {
            return null;
        }
        var keys = new long[nodes.size()];
        for (int i = 0; i < keys.length; i++) {
            var score = scores.get(nodes.get(i).name());
            if (score != null) {
                totals[i] += score;
                keys[i] = random.nextLong(Long.MAX_VALUE);
            }
        }
        return keys;
    }

    /// Whether any of them binds pods.
    public boolean canBind() {
        return all.stream().anyMatch(Extender::isBinder);
    }

    /// Binding thread: has the first interested binder bind the pod.
    ///
    /// @return false where none did, so that the bind plugins have to
    /// @throws PluginFailure where one fails that must not
    public boolean bind(Pod pod, String node) {
        for (var extender : all) {
            if (!extender.isBinder() || !extender.isInterested(pod)) {
                continue;
            }
            try {
                extender.bind(pod, node);
                return true;
            } catch (RuntimeException failed) {
                if (!extender.isIgnorable()) {
                    throw new PluginFailure("", PluginFailure.textOf(failed), failed);
                }
                log.info(
                        0,
                        "Skipping extender in bind as it returned error and has ignorable flag set",
                        "extender",
                        extender.name(),
                        "err",
                        PluginFailure.textOf(failed));
            }
        }
        return false;
    }
}
