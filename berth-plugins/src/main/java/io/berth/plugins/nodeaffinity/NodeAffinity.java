package io.berth.plugins.nodeaffinity;

import io.berth.api.column.NodeColumns;
import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.event.Registration.Hint;
import io.berth.api.handle.Cycle;
import io.berth.api.label.Requirement.Operator;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.FeasibleNodes;
import io.berth.api.plugin.NodeLocalFilter;
import io.berth.api.plugin.NodeLocalScore;
import io.berth.api.plugin.Normalize;
import io.berth.api.plugin.PreFilter;
import io.berth.api.plugin.PreScore;
import io.berth.api.plugin.SlotJudge;
import io.berth.api.plugin.SlotScore;
import io.berth.api.relax.Obstacle;
import io.berth.api.relax.Relaxable;
import io.berth.api.relax.Relaxation;
import io.berth.api.spec.NodeSelector;
import io.berth.api.spec.PodSpec;
import io.berth.api.verdict.PreFilterVerdict;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import io.berth.plugins.arguments.Problems;
import io.berth.plugins.hint.Hints;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Keeps a pod on the nodes that its node selector and required node affinity name, and prefers
/// those that its preferred node affinity names.
public final class NodeAffinity
        implements PreFilter,
                NodeLocalFilter,
                PreScore,
                NodeLocalScore,
                Normalize,
                Events,
                Relaxable {
    public static final String NAME = "NodeAffinity";

    static final Refusal NOT_ENFORCED =
            Refusal.hopeless("node(s) didn't match scheduler-enforced node affinity");
    static final Refusal NOT_MATCHED =
            Refusal.hopeless("node(s) didn't match Pod's node affinity/selector");
    static final Refusal CONFLICT = Refusal.hopeless("pod affinity terms conflict");

    private final @Nullable NodeSelector enforced;
    private final List<NodeSelector.Preferred> addedPreferred;

    public NodeAffinity(NodeAffinityArguments arguments) {
        this.enforced = arguments.addedRequired();
        this.addedPreferred = arguments.addedPreferred();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public PreFilterVerdict preFilter(Cycle cycle, Pod pod) {
        var required = pod.spec().affinity().requiredNodes();
        if (required == null) {
            return enforced == null && pod.spec().nodeSelector() == null
                    ? PreFilterVerdict.SKIP
                    : PreFilterVerdict.PASS;
        }
        return onlyNodes(required);
    }

    /// Where every term names its nodes, none but those need to be looked at (daemon set pods).
    private static PreFilterVerdict onlyNodes(NodeSelector required) {
        if (required.terms().isEmpty()) {
            return PreFilterVerdict.PASS;
        }
        var names = new LinkedHashSet<String>();
        for (var term : required.terms()) {
            var named = namesIn(term);
            if (named == null) {
                return PreFilterVerdict.PASS;
            }
            names.addAll(named);
        }
        return names.isEmpty() ? CONFLICT : new PreFilterVerdict.OnlyNodes(names);
    }

    private static @Nullable Set<String> namesIn(NodeSelector.Term term) {
        Set<String> names = null;
        for (var field : term.fields()) {
            if (field.key().equals(NodeSelector.Term.NAME_FIELD)
                    && field.operator() == Operator.IN) {
                if (names == null) {
                    names = new LinkedHashSet<>(field.values());
                } else {
                    names.retainAll(field.values());
                }
            }
        }
        return names;
    }

    @Override
    public SlotJudge judge(PodSpec spec, NodeColumns columns) {
        var required = RequiredNodes.of(spec);
        if (enforced == null && required.isAny()) {
            return SlotJudge.PASS_ALL;
        }
        return new Judge(
                enforced == null ? NodeMatch.ALWAYS : NodeMatch.of(enforced, columns),
                required.compile(columns));
    }

    @Override
    public boolean preScore(Cycle cycle, Pod pod, FeasibleNodes feasible) {
        var affinity = pod.spec().affinity();
        if (!affinity.hasPreferredNodes()) {
            return !addedPreferred.isEmpty();
        }
        requireSound(affinity.preferredNodes());
        return true;
    }

    /// What the API server lets through all the same (NA-5).
    private static void requireSound(List<NodeSelector.Preferred> terms) {
        var problems = new Problems();
        for (int i = 0; i < terms.size(); i++) {
            var preferred = terms.get(i);
            if (counts(preferred) && !preferred.term().isSound()) {
                TermProblems.add(problems, "[" + i + "]", preferred.term());
            }
        }
        problems.throwIfAny();
    }

    @Override
    public SlotScore scorer(PodSpec spec, NodeColumns columns) {
        var matches = new ArrayList<NodeMatch>();
        var weights = new ArrayList<Integer>();
        for (var terms : List.of(addedPreferred, spec.affinity().preferredNodes())) {
            for (var preferred : terms) {
                if (counts(preferred)) {
                    matches.add(NodeMatch.of(preferred.term(), columns));
                    weights.add(preferred.weight());
                }
            }
        }
        return weighted(
                matches.toArray(NodeMatch[]::new),
                weights.stream().mapToInt(Integer::intValue).toArray());
    }

    private static SlotScore weighted(NodeMatch[] matches, int[] weights) {
        return slot -> {
            long sum = 0;
            for (int i = 0; i < matches.length; i++) {
                if (matches[i].matches(slot)) {
                    sum += weights[i];
                }
            }
            return sum;
        };
    }

    private static boolean counts(NodeSelector.Preferred preferred) {
        var term = preferred.term();
        return preferred.weight() != 0
                && !(term.expressions().isEmpty() && term.fields().isEmpty());
    }

    @Override
    public void normalize(Cycle cycle, Pod pod, Scores scores) {
        Normalize.proportionally(scores, false);
    }

    @Override
    public List<Relaxation> relaxations(Pod pod, List<Obstacle> obstacles) {
        return AffinityRelaxations.of(pod, obstacles);
    }

    @Override
    public List<Registration> events() {
        return List.of(
                Registration.of(
                        ClusterEvent.NODE,
                        Action.ADD | Action.UPDATE_NODE_LABEL,
                        this::nodeBecameMatching));
    }

    private Hint nodeBecameMatching(
            Pod waiting, @Nullable ClusterObject before, @Nullable ClusterObject after) {
        var now = Hints.node(after);
        var old = Hints.node(before);
        if (now == null || enforced != null && !enforced.matches(now)) {
            return Hint.SKIP;
        }
        var required = RequiredNodes.of(waiting.spec());
        return required.matches(now)
                ? Hints.queueIf(old == null || !required.matches(old))
                : Hints.queueIf(required.isUnclearOn(now));
    }

    private record Judge(NodeMatch enforced, NodeMatch required) implements SlotJudge {
        @Override
        public boolean passes(int slot) {
            return enforced.matches(slot) && required.matches(slot);
        }

        @Override
        public Verdict explain(int slot) {
            if (!enforced.matches(slot)) {
                return NOT_ENFORCED;
            }
            return required.matches(slot) ? Verdict.PASS : NOT_MATCHED;
        }
    }
}
