package io.berth.lab.explain;

import io.berth.api.amount.Amounts;
import io.berth.api.explain.FilterAnswer;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.spec.Taint;
import io.berth.api.verdict.Lack;
import io.berth.api.verdict.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Says why a filter refuses a node more exactly than its reason does: which label, which taint,
/// how much. Filters that are not known here are quoted.
final class Details {
    private static final String NODE_PREFIX = "node(s) ";
    private static final int LONGEST = 60;

    private final Pod pod;

    Details(Pod pod) {
        this.pod = pod;
    }

    String of(FilterAnswer answer, Node node) {
        if (!answer.lacks().isEmpty()) {
            return answer.lacks().stream().map(Details::lack).collect(Collectors.joining(", "));
        }
        if (!answer.detail().isEmpty()) {
            return answer.detail();
        }
        var text =
                switch (answer.plugin()) {
                    case "NodeAffinity" -> labels(node);
                    case "TaintToleration" -> taints(node);
                    case "NodeUnschedulable" -> "cordoned";
                    default -> "";
                };
        return text.isEmpty() ? quoted(answer) : text;
    }

    static String lack(Lack lack) {
        return "%s: %s wanted, %s free"
                .formatted(
                        lack.resource(),
                        Amounts.rough(lack.resource(), lack.wanted()),
                        Amounts.rough(lack.resource(), Math.max(0, lack.available())));
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

    private String labels(Node node) {
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
        return node.taints().stream()
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
