package io.berth.lab.explain;

import io.berth.api.amount.Amounts;
import io.berth.api.explain.FilterAnswer;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.spec.Taint;
import io.berth.api.verdict.Lack;
import io.berth.api.verdict.Refusal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Says why a filter refuses a node more exactly than its reason does: which label, which taint,
/// how much. Filters that are not known here are quoted.
final class Details {
    private static final String NODE_PREFIX = "node(s) ";
    private static final int LONGEST = 60;
    private static final String AFFINITY = "NodeAffinity";
    private static final String TAINTS = "TaintToleration";
    private static final int MOST_BITS = 60;
    private static final long UNTOLD = -1;

    private final Pod pod;
    private final List<Map.Entry<String, String>> selector;

    /// What is said of the taints that a node has.
    private final Map<List<Taint>, String> taints = new HashMap<>();

    /// What is said of node affinity, by what holds: see [#unmet].
    private final Map<Long, String> labels = new HashMap<>();

    Details(Pod pod) {
        this.pod = pod;
        var wanted = pod.spec().nodeSelector();
        this.selector = wanted == null ? List.of() : List.copyOf(wanted.toMap().entrySet());
    }

    String of(FilterAnswer answer, Node node) {
        if (!dependsOnNode(answer)) {
            return of(answer);
        }
        var text = answer.plugin().equals(AFFINITY) ? labels(node) : taints(node);
        return text.isEmpty() ? quoted(answer) : text;
    }

    /// Whether it takes a look at the node to say what the answer means.
    static boolean dependsOnNode(FilterAnswer answer) {
        return answer.lacks().isEmpty()
                && answer.detail().isEmpty()
                && (answer.plugin().equals(AFFINITY) || answer.plugin().equals(TAINTS));
    }

    /// The same for an answer that means the same on every node.
    String of(FilterAnswer answer) {
        if (!answer.lacks().isEmpty()) {
            return answer.lacks().stream().map(Details::lack).collect(Collectors.joining(", "));
        }
        if (!answer.detail().isEmpty()) {
            return answer.detail();
        }
        return answer.plugin().equals("NodeUnschedulable") ? "cordoned" : quoted(answer);
    }

    static String lack(Lack lack) {
        // Said of thousands of nodes.
        return lack.resource()
                + ": "
                + Amounts.rough(lack.resource(), lack.wanted())
                + " wanted, "
                + Amounts.rough(lack.resource(), Math.max(0, lack.available()))
                + " free";
    }

    /// The same over several nodes.
    static String atMost(Lack lack) {
        return "%s: %s wanted, at most %s free"
                .formatted(
                        lack.resource(),
                        Amounts.rough(lack.resource(), lack.wanted()),
                        Amounts.rough(lack.resource(), Math.max(0, lack.available())));
    }

    /// What a node would need more of.
    static String missing(Lack lack) {
        return Amounts.rough(lack.resource(), lack.wanted() - lack.available())
                + " "
                + lack.resource();
    }

    /// Thousands of nodes have the same labels, as far as the pod is concerned.
    private String labels(Node node) {
        long unmet = unmet(node);
        return unmet == UNTOLD
                ? labelsInWords(node)
                : labels.computeIfAbsent(unmet, _ -> labelsInWords(node));
    }

    /// A bit for each label of the selector and each expression of the one term that a node does
    /// not have, and one for whether node affinity as a whole does not hold; [#UNTOLD] where there
    /// are more than have room. All that [#labelsInWords] says follows from these.
    private long unmet(Node node) {
        long unmet = 0;
        int bit = 0;
        if (selector.size() > MOST_BITS) {
            return UNTOLD;
        }
        for (var wanted : selector) {
            boolean has = wanted.getValue().equals(node.labels().value(wanted.getKey()));
            unmet |= has ? 0 : 1L << bit;
            bit++;
        }
        var required = pod.spec().affinity().requiredNodes();
        if (required == null || required.matches(node)) {
            return unmet;
        }
        unmet |= 1L << bit++;
        if (required.terms().size() == 1) {
            var expressions = required.terms().getFirst().expressions();
            if (bit + expressions.size() > MOST_BITS) {
                return UNTOLD;
            }
            for (var expression : expressions) {
                unmet |= expression.matches(node.labels()) ? 0 : 1L << bit;
                bit++;
            }
        }
        return unmet;
    }

    private String labelsInWords(Node node) {
        var unmet = new ArrayList<String>();
        var selector = pod.spec().nodeSelector();
        if (selector != null) {
            selector.forEach((key, value) -> {
                if (!value.equals(node.labels().value(key))) {
                    unmet.add(key + "≠" + value);
                }
            });
        }
        var required = pod.spec().affinity().requiredNodes();
        if (required != null && !required.matches(node)) {
            unmet.add(unmetTerm(node));
        }
        return String.join(", ", unmet);
    }

    /// The expressions that do not hold, where there is one term; else that none does.
    private String unmetTerm(Node node) {
        var required = pod.spec().affinity().requiredNodes();
        if (required == null || required.terms().size() != 1) {
            return "no term of node affinity";
        }
        var unmet =
                required.terms().getFirst().expressions().stream()
                        .filter(expression -> !expression.matches(node.labels()))
                        .map(expression -> "not " + expression.text())
                        .collect(Collectors.joining(", "));
        return unmet.isEmpty() ? "other node named" : unmet;
    }

    private String taints(Node node) {
        return taints.computeIfAbsent(node.taints(), this::taintsInWords);
    }

    private String taintsInWords(List<Taint> all) {
        return all.stream()
                .filter(Taint::keepsPodsAway)
                .filter(taint ->
                        pod.spec().tolerations().stream().noneMatch(t -> t.tolerates(taint)))
                .map(Details::taint)
                .collect(Collectors.joining(", "));
    }

    static String taint(Taint taint) {
        return "taint "
                + taint.key()
                + (taint.value().isEmpty() ? "" : "=" + taint.value())
                + ":"
                + taint.effect();
    }

    private static String quoted(FilterAnswer answer) {
        var reasons =
                answer.verdict() instanceof Refusal refusal ? refusal.reasons() : List.<String>of();
        return cut(reasons.stream().map(Details::bare).collect(Collectors.joining(", ")));
    }

    /// A reason as users know it, as far as it fits into a table.
    static String shortened(String reason) {
        return cut(bare(reason));
    }

    private static String bare(String reason) {
        return reason.startsWith(NODE_PREFIX) ? reason.substring(NODE_PREFIX.length()) : reason;
    }

    private static String cut(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST - 1) + "…";
    }
}
