package io.berth.up.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collection;
import java.util.List;

/// Looks at the fields of what a file says: a slip of the pen is told, not passed over.
final class Fields {
    private Fields() {}

    /// @throws FileProblem if it is no object, or has a field that is not known
    static void check(JsonNode tree, Collection<String> known, String place) {
        if (!tree.isObject()) {
            throw new FileProblem("%s must have fields, such as %s".formatted(place, list(known)));
        }
        for (var field : tree.properties()) {
            if (!known.contains(field.getKey())) {
                throw new FileProblem(
                        "%s has a field \"%s\"; known are %s"
                                .formatted(place, field.getKey(), list(known)));
            }
        }
    }

    /// What stands in a list, if there is one.
    ///
    /// @throws FileProblem if it is something else
    static Iterable<JsonNode> list(JsonNode tree, String field, String place) {
        var value = tree.path(field);
        if (value.isMissingNode() || value.isNull()) {
            return List.of();
        }
        if (!value.isArray()) {
            throw new FileProblem("%s: %s must be a list, not %s".formatted(place, field, value));
        }
        return value;
    }

    private static String list(Collection<String> words) {
        return String.join(", ", words.stream().sorted().toList());
    }
}
