package io.berth.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.schema.Field;
import io.berth.apiserver.schema.SchemaType;
import io.berth.apiserver.schema.SchemaType.ListOf;
import io.berth.apiserver.schema.SchemaType.MapOf;
import io.berth.apiserver.schema.StructType;
import java.util.ArrayList;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Strategic merge patch: a merge patch that knows the API's types, so that lists such as
/// containers or conditions merge by key.
///
/// A patch may carry directives: `$patch: delete|replace|merge` in an object,
/// `$deleteFromPrimitiveList/<list>`, `$setElementOrder/<list>` and `$retainKeys` beside fields.
/// Patches that do not fit are refused with upstream's words; where a real server says 500 to them,
/// the status here is 422.
public final class StrategicMergePatch {
    static final String DIRECTIVE = "$patch";
    private static final String RETAIN_KEYS = "$retainKeys";
    private static final String DELETE_FROM = "$deleteFromPrimitiveList/";
    private static final String ELEMENT_ORDER = "$setElementOrder/";

    private StrategicMergePatch() {}

    /// Applies a patch to an object of the given type; a new tree is returned. Without a type,
    /// lists are replaced.
    public static ObjectNode apply(ObjectNode original, JsonNode patch, Optional<StructType> type) {
        if (!(patch instanceof ObjectNode fields)) {
            throw PatchException.badRequest(
                    "json: cannot unmarshal %s into Go value of type map[string]interface {}"
                            .formatted(Json.typeName(patch)));
        }
        return merge(original.deepCopy(), fields.deepCopy(), type.orElse(null));
    }

    /// Merges into `target`; uses up `patch`.
    private static ObjectNode merge(
            ObjectNode target, ObjectNode patch, @Nullable SchemaType type) {
        JsonNode directive = patch.remove(DIRECTIVE);
        if (directive != null) {
            switch (directive.asText("")) {
                case "replace" -> {
                    return patch;
                }
                case "delete" -> {
                    return target.objectNode();
                }
                case "merge" -> {
                    // Merging is what happens anyway.
                }
                default ->
                        throw PatchException.unprocessable(
                                "unknown patch type: %s in map: %s"
                                        .formatted(
                                                directive.asText(),
                                                Json.goText(
                                                        patch.put(DIRECTIVE, directive.asText()))));
            }
        }
        retainKeys(target, patch);
        orderElements(target, patch, type);
        for (var entry : patch.properties()) {
            String key = entry.getKey();
            if (key.startsWith(DELETE_FROM)) {
                deleteFrom(target, key.substring(DELETE_FROM.length()), entry.getValue());
            } else {
                mergeField(target, key, entry.getValue(), type);
            }
        }
        return target;
    }

    private static void mergeField(
            ObjectNode target, String key, JsonNode value, @Nullable SchemaType type) {
        JsonNode present = target.get(key);
        if (value.isNull()) {
            target.remove(key);
        } else if (present instanceof ObjectNode object && value instanceof ObjectNode fields) {
            JsonNode directive = fields.get(DIRECTIVE);
            ObjectNode merged = merge(object, fields, typeOf(type, key));
            // `$patch: delete` in a struct field leaves nothing of it.
            if (directive != null && directive.asText("").equals("delete")) {
                target.remove(key);
            } else {
                target.set(key, merged);
            }
        } else if (present instanceof ArrayNode list && value instanceof ArrayNode elements) {
            target.set(key, mergeList(list, elements, field(type, key), typeOf(type, key)));
        } else {
            JsonNode clean = Directives.strip(value);
            if (clean == null) {
                target.remove(key);
            } else {
                target.set(key, clean);
            }
        }
    }

    private static ArrayNode mergeList(
            ArrayNode original, ArrayNode patch, @Nullable Field field, @Nullable SchemaType type) {
        if (field == null || !field.patch().merge()) {
            return Directives.stripList(patch);
        }
        boolean objects = requireOneKind(original, patch);
        if (!objects) {
            ArrayNode merged = original.arrayNode();
            original.forEach(value -> addOnce(merged, value));
            patch.forEach(value -> addOnce(merged, value));
            return ElementOrder.of("").arrange(merged, patch, original);
        }
        String mergeKey = field.patch().key();
        ArrayNode kept = original.deepCopy();
        ArrayNode rest = original.arrayNode();
        boolean replace = false;
        for (JsonNode element : patch) {
            JsonNode directive = element.get(DIRECTIVE);
            switch (directive == null ? "" : directive.asText("")) {
                case "" -> rest.add(element);
                case "delete" -> deleteMatching(kept, mergeKey, keyOf(element, mergeKey));
                case "replace" -> replace = true;
                case "merge" ->
                        throw PatchException.unprocessable(
                                "merging lists cannot yet be specified in the patch");
                default ->
                        throw PatchException.unprocessable(
                                "unknown patch type: %s in map: %s"
                                        .formatted(
                                                element.get(DIRECTIVE).asText(),
                                                Json.goText(element)));
            }
        }
        if (replace) {
            return Directives.stripList(rest);
        }
        SchemaType items = type instanceof ListOf list ? list.items() : null;
        for (JsonNode element : rest) {
            mergeElement(kept, (ObjectNode) element, mergeKey, items);
        }
        return ElementOrder.of(mergeKey).arrange(kept, rest, original);
    }

    private static void mergeElement(
            ArrayNode list, ObjectNode element, String mergeKey, @Nullable SchemaType items) {
        JsonNode key = keyOf(element, mergeKey);
        int at = ElementOrder.of(mergeKey).indexOf(list, key);
        if (at >= 0) {
            list.set(at, merge((ObjectNode) list.get(at), element, items));
        } else {
            JsonNode clean = Directives.strip(element);
            if (clean != null) {
                list.add(clean);
            }
        }
    }

    private static void deleteMatching(ArrayNode list, String mergeKey, JsonNode key) {
        for (int i = list.size() - 1; i >= 0; i--) {
            JsonNode found = list.get(i).get(mergeKey);
            if (found != null && Json.same(found, key)) {
                list.remove(i);
            }
        }
    }

    static JsonNode keyOf(JsonNode element, String mergeKey) {
        JsonNode key = element.get(mergeKey);
        if (key == null) {
            throw PatchException.unprocessable(
                    "map: %s does not contain declared merge key: %s"
                            .formatted(Json.goText(element), mergeKey));
        }
        return key;
    }

    private static void addOnce(ArrayNode list, JsonNode value) {
        if (!Json.contains(list, value)) {
            list.add(value);
        }
    }

    /// Whether the elements are objects; lists of lists and mixed lists have no merge.
    private static boolean requireOneKind(ArrayNode original, ArrayNode patch) {
        Boolean objects = null;
        for (ArrayNode list : new ArrayNode[] {original, patch}) {
            for (JsonNode element : list) {
                if (element.isArray()) {
                    throw PatchException.unprocessable("lists of lists are not supported");
                }
                if (objects != null && objects != element.isObject()) {
                    throw PatchException.unprocessable(
                            "list element types are not identical: [%s %s]"
                                    .formatted(Json.goText(original), Json.goText(patch)));
                }
                objects = element.isObject();
            }
        }
        return objects != null && objects;
    }

    /// Anything but a list is passed over, as a real server does.
    private static void deleteFrom(ObjectNode target, String key, JsonNode value) {
        if (value instanceof ArrayNode gone && target.get(key) instanceof ArrayNode list) {
            ArrayNode left = target.arrayNode();
            for (JsonNode element : list) {
                if (!Json.contains(gone, element)) {
                    left.add(element);
                }
            }
            target.set(key, left);
        }
    }

    private static void retainKeys(ObjectNode target, ObjectNode patch) {
        JsonNode directive = patch.remove(RETAIN_KEYS);
        if (directive == null) {
            return;
        }
        if (!(directive instanceof ArrayNode retained)) {
            throw PatchException.badRequest("invalid patch format of retainKeys");
        }
        var keys = new ArrayList<String>();
        retained.forEach(key -> keys.add(key.asText()));
        for (var entry : patch.properties()) {
            if (!entry.getValue().isNull()
                    && !entry.getKey().startsWith("$")
                    && !keys.contains(entry.getKey())) {
                throw PatchException.badRequest("invalid patch format of retainKeys");
            }
        }
        target.retain(keys);
    }

    /// Carries out `$setElementOrder`: merges the list it names now, then arranges it.
    private static void orderElements(
            ObjectNode target, ObjectNode patch, @Nullable SchemaType type) {
        var directives = new ArrayList<String>();
        patch.fieldNames()
                .forEachRemaining(name -> {
                    if (name.startsWith(ELEMENT_ORDER)) {
                        directives.add(name);
                    }
                });
        for (String directive : directives) {
            String key = directive.substring(ELEMENT_ORDER.length());
            if (!(patch.remove(directive) instanceof ArrayNode order)) {
                throw PatchException.badRequest("invalid patch format of setElementOrder list");
            }
            Field field = field(type, key);
            ElementOrder arranging = ElementOrder.of(field == null ? "" : field.patch().key());
            ArrayNode before =
                    target.get(key) instanceof ArrayNode list ? list : target.arrayNode();
            if (patch.get(key) instanceof ArrayNode elements) {
                arranging.requireOrder(elements, order);
                mergeField(target, key, elements, type);
                patch.remove(key);
            }
            String deletion = DELETE_FROM + key;
            if (patch.get(deletion) instanceof ArrayNode gone) {
                deleteFrom(target, key, gone);
                patch.remove(deletion);
            }
            if (target.get(key) instanceof ArrayNode merged) {
                target.set(key, arranging.arrange(merged, order, before));
            }
        }
    }

    private static @Nullable Field field(@Nullable SchemaType type, String key) {
        return type instanceof StructType struct ? struct.field(key).orElse(null) : null;
    }

    private static @Nullable SchemaType typeOf(@Nullable SchemaType type, String key) {
        return switch (type) {
            case StructType struct -> struct.field(key).map(Field::type).orElse(null);
            case MapOf map -> map.values();
            case null, default -> null;
        };
    }
}
