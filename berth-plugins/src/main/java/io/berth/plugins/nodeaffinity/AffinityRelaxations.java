package io.berth.plugins.nodeaffinity;

import io.berth.api.label.Labels;
import io.berth.api.label.Requirement;
import io.berth.api.label.Requirement.Operator;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.relax.Edit;
import io.berth.api.relax.Obstacle;
import io.berth.api.relax.Relaxation;
import io.berth.api.relax.Relaxation.Change;
import io.berth.api.relax.Who;
import io.berth.api.spec.Affinity;
import io.berth.api.spec.NodeSelector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Wishes about nodes that could be dropped or widened: keys of the node selector, expressions of
/// required node affinity, one at a time, and each as a whole.
final class AffinityRelaxations {
    private static final String REQUIRED =
            "/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution";
    private static final int MOST_VALUES = 3;

    private final Pod pod;
    private final List<Node> nodes;
    private final List<Relaxation> found = new ArrayList<>();

    private AffinityRelaxations(Pod pod, List<Obstacle> obstacles) {
        this.pod = pod;
        this.nodes = obstacles.stream().map(Obstacle::node).toList();
    }

    static List<Relaxation> of(Pod pod, List<Obstacle> obstacles) {
        var relaxing = new AffinityRelaxations(pod, obstacles);
        var labels = pod.spec().nodeSelector();
        if (labels != null) {
            relaxing.dropKeys(labels);
        }
        var required = pod.spec().affinity().requiredNodes();
        if (required != null) {
            relaxing.relaxTerms(required);
            relaxing.dropRequired();
        }
        return relaxing.found;
    }

    /// A key alone where it is the only one that a node lacks; else all that some node lacks.
    private void dropKeys(Labels labels) {
        var tried = new HashSet<Set<String>>();
        nodes.stream()
                .map(node -> unmet(labels, node))
                .filter(keys -> !keys.isEmpty() && keys.size() < 4)
                .sorted(Comparator.comparingInt(Set::size))
                .filter(tried::add)
                .limit(6)
                .forEach(keys -> dropKeys(labels, keys));
    }

    private static Set<String> unmet(Labels labels, Node node) {
        var keys = new HashSet<String>();
        labels.forEach((key, value) -> {
            if (!value.equals(node.labels().value(key))) {
                keys.add(key);
            }
        });
        return keys;
    }

    private void dropKeys(Labels labels, Set<String> keys) {
        var left = labels;
        var edits = new ArrayList<Edit>();
        var words = new ArrayList<String>();
        for (var key : keys.stream().sorted().toList()) {
            left = left.without(key);
            edits.add(Edit.remove(Edit.pointer("/spec/nodeSelector", key), labels.value(key)));
            words.add(key + "=" + labels.value(key));
        }
        propose(
                "drop nodeSelector " + String.join(", ", words),
                pod.toBuilder().spec(pod.spec().toBuilder().nodeSelector(left).build()).build(),
                edits,
                "",
                80);
    }

    private void relaxTerms(NodeSelector required) {
        for (int i = 0; i < required.terms().size(); i++) {
            var term = required.terms().get(i);
            for (int j = 0; j < term.expressions().size(); j++) {
                var expression = term.expressions().get(j);
                if (expression.operator() == Operator.IN) {
                    widen(required, i, j, expression);
                }
                if (term.expressions().size() + term.fields().size() > 1) {
                    dropExpression(required, i, j, expression);
                }
            }
        }
    }

    /// Allows one more value that nodes have, the most frequent ones first.
    private void widen(NodeSelector required, int i, int j, Requirement expression) {
        var counts = new HashMap<String, Integer>();
        for (var node : nodes) {
            var value = node.labels().value(expression.key());
            if (value != null && !expression.values().contains(value)) {
                counts.merge(value, 1, Integer::sum);
            }
        }
        counts.entrySet().stream()
                .sorted(
                        Comparator.comparingInt((Map.Entry<String, Integer> e) -> -e.getValue())
                                .thenComparing(Map.Entry::getKey))
                .limit(MOST_VALUES)
                .forEach(entry -> widen(required, i, j, expression, entry.getKey()));
    }

    private void widen(NodeSelector required, int i, int j, Requirement expression, String value) {
        var values = new ArrayList<>(expression.values());
        values.add(value);
        propose(
                "allow %s=%s besides %s"
                        .formatted(expression.key(), value, String.join(", ", expression.values())),
                with(
                        replaced(
                                required,
                                i,
                                j,
                                new Requirement(expression.key(), expression.operator(), values))),
                List.of(
                        Edit.add(
                                REQUIRED
                                        + "/nodeSelectorTerms/%d/matchExpressions/%d/values/-"
                                                .formatted(i, j),
                                value)),
                "",
                40);
    }

    private void dropExpression(NodeSelector required, int i, int j, Requirement expression) {
        propose(
                "drop node affinity " + expression.text(),
                with(replaced(required, i, j, null)),
                List.of(
                        Edit.remove(
                                REQUIRED
                                        + "/nodeSelectorTerms/%d/matchExpressions/%d"
                                                .formatted(i, j),
                                expression.text())),
                "",
                80);
    }

    private void dropRequired() {
        propose(
                "drop required node affinity",
                with(null),
                List.of(Edit.remove(REQUIRED, null)),
                "",
                100);
    }

    private static NodeSelector replaced(
            NodeSelector required, int i, int j, @Nullable Requirement other) {
        var terms = new ArrayList<>(required.terms());
        var expressions = new ArrayList<>(terms.get(i).expressions());
        if (other == null) {
            expressions.remove(j);
        } else {
            expressions.set(j, other);
        }
        terms.set(i, new NodeSelector.Term(expressions, terms.get(i).fields()));
        return new NodeSelector(terms);
    }

    private Pod with(@Nullable NodeSelector required) {
        var old = pod.spec().affinity();
        var affinity =
                new Affinity(
                        required,
                        old.preferredNodes(),
                        old.hasPreferredNodes(),
                        old.hasPodAffinity(),
                        old.requiredPods(),
                        old.preferredPods(),
                        old.requiredAntiPods(),
                        old.preferredAntiPods());
        return pod.toBuilder().spec(pod.spec().toBuilder().affinity(affinity).build()).build();
    }

    private void propose(
            String sentence, Pod changed, List<Edit> edits, String family, int cutPercent) {
        found.add(
                new Relaxation(
                        sentence, Who.OWNER, new Change.OfPod(changed, edits), family, cutPercent));
    }
}
