package io.berth.controllers.object;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.OptionalLong;

/// What a pod tolerates.
///
/// @param seconds for how long; absent for ever
public record Toleration(
        String key, String operator, String value, String effect, OptionalLong seconds) {
    public static List<Toleration> list(JsonNode list) {
        return list.valueStream()
                .map(each ->
                        new Toleration(
                                each.path("key").asText(""),
                                each.path("operator").asText(""),
                                each.path("value").asText(""),
                                each.path("effect").asText(""),
                                each.path("tolerationSeconds").isNumber()
                                        ? OptionalLong.of(each.path("tolerationSeconds").asLong())
                                        : OptionalLong.empty()))
                .toList();
    }

    public boolean tolerates(Taint taint) {
        boolean effectFits = effect.isEmpty() || effect.equals(taint.effect());
        boolean keyFits = key.isEmpty() || key.equals(taint.key());
        return effectFits
                && keyFits
                && switch (operator) {
                    case "Exists" -> true;
                    case "", "Equal" -> !key.isEmpty() && value.equals(taint.value());
                    default -> false;
                };
    }

    /// What keeps pods from a node.
    public record Taint(String key, String value, String effect) {
        public static List<Taint> list(JsonNode node) {
            return node.path("spec")
                    .path("taints")
                    .valueStream()
                    .map(each ->
                            new Taint(
                                    each.path("key").asText(""),
                                    each.path("value").asText(""),
                                    each.path("effect").asText("")))
                    .toList();
        }
    }
}
