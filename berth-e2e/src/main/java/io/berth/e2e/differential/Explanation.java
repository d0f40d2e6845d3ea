package io.berth.e2e.differential;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.e2e.differential.scenario.Json;
import io.berth.e2e.differential.scenario.Scenario;
import io.berth.e2e.differential.scenario.Vocabulary;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.StreamSupport;

/// Reasons for which both may differ: those under "Different on purpose" in docs/differences.md
/// that a scenario can show.
///
/// A reason alone explains nothing: it has to be shown that without it both decide alike. So a
/// reason comes with the same scenario in other words, in which it does not apply. Upstream must
/// decide on that as Berth does on the original.
///
/// @param reason a few words
/// @param reworded the scenario without it
record Explanation(String reason, Scenario reworded) {
    static final String NEGATIVE_NAMESPACE_SELECTOR =
            "namespaceSelector made only of NotIn and DoesNotExist";

    private static final Set<String> NEGATIVE = Set.of("NotIn", "DoesNotExist");

    /// The reason that a scenario holds for a difference, if it holds one.
    static Optional<Explanation> of(Scenario scenario) {
        var reworded =
                new Scenario(
                        scenario.objects().stream().map(Explanation::withNamespaceNames).toList(),
                        withNamespaceNames(scenario.pod()));
        return reworded.equals(scenario)
                ? Optional.empty()
                : Optional.of(new Explanation(NEGATIVE_NAMESPACE_SELECTOR, reworded));
    }

    /// The object with names of namespaces in place of negative selectors of them.
    private static ObjectNode withNamespaceNames(ObjectNode object) {
        var copy = object.deepCopy();
        for (var parent : copy.findParents("namespaceSelector")) {
            var selector = parent.get("namespaceSelector");
            if (isNegative(selector)) {
                var names = new TreeSet<String>();
                parent.at("/namespaces").forEach(name -> names.add(name.asText()));
                Vocabulary.NAMESPACES.stream()
                        .filter(name -> selects(selector, Vocabulary.labelsOf(name)))
                        .forEach(names::add);
                if (names.isEmpty()) {
                    // An empty list would stand for the pod's own.
                    names.add("nowhere");
                }
                ((ObjectNode) parent).remove("namespaceSelector");
                ((ObjectNode) parent).set("namespaces", Json.array(names));
            }
        }
        return copy;
    }

    private static boolean isNegative(JsonNode selector) {
        var expressions = selector.at("/matchExpressions");
        return selector.at("/matchLabels").isEmpty()
                && !expressions.isEmpty()
                && StreamSupport.stream(expressions.spliterator(), false)
                        .allMatch(e -> NEGATIVE.contains(e.at("/operator").asText()));
    }

    /// Of a selector that is negative.
    private static boolean selects(JsonNode selector, JsonNode labels) {
        for (var expression : selector.at("/matchExpressions")) {
            var value = labels.path(expression.at("/key").asText());
            boolean isExcluded =
                    expression.at("/operator").asText().equals("DoesNotExist")
                            ? !value.isMissingNode()
                            : StreamSupport.stream(expression.at("/values").spliterator(), false)
                                    .anyMatch(value::equals);
            if (isExcluded) {
                return false;
            }
        }
        return true;
    }
}
