package io.berth.e2e.differential;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;

/// Known reasons for which both may differ. Each stands in docs/differences.md.
final class Explanation {
    private Explanation() {}

    /// The reason, where a scenario has one and the differences are of its kind.
    static Optional<String> of(Scenario scenario, List<Difference> differences) {
        return Optional.empty();
    }

    static JsonNode unused(JsonNode node) {
        return node;
    }
}
