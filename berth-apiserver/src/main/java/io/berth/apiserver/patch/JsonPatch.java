package io.berth.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// JSON patch, RFC 6902: a list of operations on places named by JSON pointers.
///
/// Like the library that the Kubernetes API server uses, it is lenient where the RFC is not:
/// `replace` may name a key that is not there, a missing `value` is null, and so is the copy of a
/// missing key. Messages are those of that library; a real server hides most of them behind "the
/// server rejected our request due to an error in our request".
public final class JsonPatch {
    /// More operations than this are refused, as upstream does.
    static final int MAX_OPERATIONS = 10_000;

    private JsonPatch() {}

    /// Applies the operations in order; a new tree is returned, and none of them counts if one
    /// fails.
    public static ObjectNode apply(ObjectNode original, JsonNode patch) {
        if (!(patch instanceof ArrayNode operations)) {
            throw PatchException.badRequest(
                    "error decoding patch: json: cannot unmarshal %s into Go value of type []handlers.jsonPatchOp"
                            .formatted(Json.typeName(patch)));
        }
        if (operations.size() > MAX_OPERATIONS) {
            throw PatchException.tooLarge(
                    "The allowed maximum operations in a JSON patch is %d, got %d"
                            .formatted(MAX_OPERATIONS, operations.size()));
        }
        JsonNode document = original.deepCopy();
        for (JsonNode operation : operations) {
            if (!(operation instanceof ObjectNode fields)) {
                throw PatchException.badRequest(
                        "error decoding patch: json: cannot unmarshal %s into Go value of type handlers.jsonPatchOp"
                                .formatted(Json.typeName(operation)));
            }
            document = applyOne(document, fields);
        }
        if (!(document instanceof ObjectNode result)) {
            throw PatchException.unprocessable("the patched document is not an object");
        }
        return result;
    }

    private static JsonNode applyOne(JsonNode document, ObjectNode operation) {
        String op = operation.path("op").asText("");
        return switch (op) {
            case "add" -> add(document, path(operation, "path"), value(operation));
            case "remove" -> remove(document, path(operation, "path"));
            case "replace" -> replace(document, path(operation, "path"), value(operation));
            case "move" -> move(document, path(operation, "from"), path(operation, "path"));
            case "copy" -> copy(document, path(operation, "from"), path(operation, "path"));
            case "test" -> test(document, path(operation, "path"), operation.get("value"));
            default -> throw PatchException.unprocessable("Unexpected kind: " + op);
        };
    }

    private static String path(ObjectNode operation, String field) {
        JsonNode path = operation.get(field);
        if (path == null || !path.isTextual()) {
            throw PatchException.unprocessable(
                    "%s operation failed to decode %s: missing value"
                            .formatted(operation.path("op").asText(), field));
        }
        return path.textValue();
    }

    private static JsonNode value(ObjectNode operation) {
        JsonNode value = operation.get("value");
        return value == null ? NullNode.instance : value.deepCopy();
    }

    private static JsonNode add(JsonNode document, String path, JsonNode value) {
        if (path.isEmpty()) {
            return value;
        }
        Place place = Place.find(document, path);
        if (place == null) {
            throw PatchException.unprocessable(
                    "add operation does not apply: doc is missing path: \"%s\": missing value"
                            .formatted(path));
        }
        switch (place.parent()) {
            case ObjectNode object -> object.set(place.key(), value);
            case ArrayNode array -> {
                int at = place.key().equals("-") ? array.size() : place.index(array.size() + 1);
                array.insert(at, value);
            }
            default -> throw new IllegalStateException("no container at " + path);
        }
        return document;
    }

    private static JsonNode remove(JsonNode document, String path) {
        Place place = Place.find(document, path);
        if (place == null) {
            throw PatchException.unprocessable(
                    "remove operation does not apply: doc is missing path: \"%s\": missing value"
                            .formatted(path));
        }
        take(place, "remove", path);
        return document;
    }

    private static JsonNode take(Place place, String verb, String path) {
        return switch (place.parent()) {
            case ObjectNode object -> {
                JsonNode removed = object.remove(place.key());
                if (removed == null) {
                    throw PatchException.unprocessable(
                            "error in %s for path: '%s': Unable to remove nonexistent key: %s: missing value"
                                    .formatted(verb, path, place.key()));
                }
                yield removed;
            }
            case ArrayNode array -> array.remove(place.index(array.size()));
            default -> throw new IllegalStateException("no container at " + path);
        };
    }

    private static JsonNode replace(JsonNode document, String path, JsonNode value) {
        if (path.isEmpty()) {
            return value;
        }
        Place place = Place.find(document, path);
        if (place == null) {
            throw PatchException.unprocessable(
                    "replace operation does not apply: doc is missing path: %s: missing value"
                            .formatted(path));
        }
        switch (place.parent()) {
            case ObjectNode object -> object.set(place.key(), value);
            case ArrayNode array -> array.set(place.index(array.size()), value);
            default -> throw new IllegalStateException("no container at " + path);
        }
        return document;
    }

    private static JsonNode move(JsonNode document, String from, String path) {
        if (path.startsWith(from + "/")) {
            throw PatchException.unprocessable(
                    "move operation does not apply: %s is inside %s".formatted(path, from));
        }
        Place source = Place.find(document, from);
        if (source == null) {
            throw PatchException.unprocessable(
                    "move operation does not apply: doc is missing from path: %s: missing value"
                            .formatted(from));
        }
        JsonNode moved = take(source, "move", from);
        if (!path.isEmpty() && Place.find(document, path) == null) {
            throw PatchException.unprocessable(
                    "move operation does not apply: doc is missing destination path: %s: missing value"
                            .formatted(path));
        }
        return add(document, path, moved);
    }

    private static JsonNode copy(JsonNode document, String from, String path) {
        if (!from.isEmpty() && Place.find(document, from) == null) {
            throw PatchException.unprocessable(
                    "copy operation does not apply: doc is missing from path: %s: missing value"
                            .formatted(from));
        }
        if (!path.isEmpty() && Place.find(document, path) == null) {
            throw PatchException.unprocessable(
                    "copy operation does not apply: doc is missing destination path: %s: missing value"
                            .formatted(path));
        }
        JsonNode source = read(document, from);
        return add(document, path, source == null ? NullNode.instance : source.deepCopy());
    }

    /// A missing `value` and a missing place both count as null, as in the library upstream uses.
    private static JsonNode test(JsonNode document, String path, @Nullable JsonNode expected) {
        JsonNode wanted = expected == null ? NullNode.instance : expected;
        if (!path.isEmpty() && Place.find(document, path) == null) {
            throw PatchException.unprocessable(
                    "test operation does not apply: is missing path: %s: missing value"
                            .formatted(path));
        }
        JsonNode found = read(document, path);
        if (!Json.same(found == null ? NullNode.instance : found, wanted)) {
            throw PatchException.unprocessable(
                    "testing value %s failed: test failed".formatted(path));
        }
        return document;
    }

    private static @Nullable JsonNode read(JsonNode document, String path) {
        if (path.isEmpty()) {
            return document;
        }
        Place place = Place.find(document, path);
        if (place == null) {
            return null;
        }
        return place.parent() instanceof ArrayNode array
                ? array.get(place.index(array.size()))
                : place.parent().get(place.key());
    }

    /// A place in a document: the container and the last token of the pointer.
    private record Place(JsonNode parent, String key) {

        /// Null if a container on the way is missing.
        static @Nullable Place find(JsonNode document, String pointer) {
            if (!pointer.startsWith("/")) {
                return null;
            }
            List<String> tokens = tokens(pointer);
            JsonNode at = document;
            for (String token : tokens.subList(0, tokens.size() - 1)) {
                at = step(at, token);
                if (at == null) {
                    return null;
                }
            }
            return at.isContainerNode() ? new Place(at, tokens.getLast()) : null;
        }

        private static @Nullable JsonNode step(JsonNode at, String token) {
            if (at instanceof ArrayNode array) {
                return isIndex(token) ? array.get(Integer.parseInt(token)) : null;
            }
            return at.get(token);
        }

        private static List<String> tokens(String pointer) {
            var tokens = new ArrayList<String>();
            for (String token : pointer.substring(1).split("/", -1)) {
                tokens.add(token.replace("~1", "/").replace("~0", "~"));
            }
            return tokens;
        }

        private static boolean isIndex(String token) {
            return !token.isEmpty()
                    && token.length() < 10
                    && token.chars().allMatch(c -> c >= '0' && c <= '9');
        }

        /// The last token as an index below the limit. Negative indices count from the end, as the
        /// library upstream uses allows.
        int index(int limit) {
            boolean negative = key.startsWith("-");
            if (!isIndex(negative ? key.substring(1) : key)) {
                throw PatchException.unprocessable(
                        "value was not a proper array index: '%s'".formatted(key));
            }
            int index = Integer.parseInt(key);
            int resolved = index < 0 ? index + limit : index;
            if (resolved < 0 || resolved >= limit) {
                throw PatchException.unprocessable(
                        "Unable to access invalid index: %d: invalid index referenced"
                                .formatted(index));
            }
            return resolved;
        }
    }
}
