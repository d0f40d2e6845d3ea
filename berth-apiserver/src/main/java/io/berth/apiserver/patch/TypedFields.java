package io.berth.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.schema.Field;
import io.berth.apiserver.schema.Field.ListKind;
import io.berth.apiserver.schema.SchemaType;
import io.berth.apiserver.schema.SchemaType.ListOf;
import io.berth.apiserver.schema.SchemaType.MapOf;
import io.berth.apiserver.schema.SchemaType.Scalar;
import io.berth.apiserver.schema.StructType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An object seen as a tree of ownable places. What is a place depends on the type: a field, a key
/// of a map, an element of a keyed list or of a set; what is atomic has nothing below it.
///
/// @param type the type of the value, null where the schema knows nothing
/// @param field the field that holds the value, null for elements of lists and maps
record TypedFields(@Nullable SchemaType type, @Nullable Field field) {

    static TypedFields of(Optional<StructType> type) {
        return new TypedFields(type.orElse(null), null);
    }

    private boolean isLeaf(JsonNode value) {
        return switch (type) {
            case Scalar scalar -> true;
            case StructType struct -> struct.atomic() || (field != null && field.atomicMap());
            case MapOf map -> field != null && field.atomicMap();
            case ListOf list -> field == null || field.listKind() == ListKind.ATOMIC;
            case null -> !value.isObject();
        };
    }

    private TypedFields child(String name) {
        return switch (type) {
            case StructType struct -> {
                Field found = struct.field(name).orElse(null);
                yield new TypedFields(found == null ? null : found.type(), found);
            }
            case MapOf map -> new TypedFields(map.values(), null);
            case null, default -> new TypedFields(null, null);
        };
    }

    private TypedFields item() {
        return new TypedFields(type instanceof ListOf list ? list.items() : null, null);
    }

    /// The path element of a list element.
    private String element(JsonNode item) {
        if (field == null || field.listKind() == ListKind.SET) {
            return "v:" + item;
        }
        ObjectNode key = JsonNodeFactory.instance.objectNode();
        for (String name : field.listKeys().stream().sorted().toList()) {
            JsonNode value = item.get(name);
            key.set(name, value != null ? value : defaultOf(name));
        }
        return "k:" + key;
    }

    private JsonNode defaultOf(String key) {
        return type instanceof ListOf list && list.items() instanceof StructType struct
                ? struct.field(key)
                        .flatMap(Field::defaultValue)
                        .orElseGet(() -> JsonNodeFactory.instance.textNode(""))
                : JsonNodeFactory.instance.textNode("");
    }

    private Map<String, JsonNode> elements(JsonNode list) {
        var result = new LinkedHashMap<String, JsonNode>();
        for (JsonNode item : list) {
            result.putIfAbsent(element(item), item);
        }
        return result;
    }

    /// The places that a configuration says something about.
    FieldSet places(JsonNode value) {
        var set = new FieldSet();
        addPlaces(value, List.of(), set);
        return set;
    }

    private void addPlaces(JsonNode value, List<String> path, FieldSet set) {
        if (isLeaf(value)) {
            set.add(path);
        } else if (value.isObject()) {
            for (var entry : value.properties()) {
                JsonNode inner = entry.getValue();
                var at = append(path, "f:" + entry.getKey());
                child(entry.getKey()).addPlaces(inner, at, set);
                boolean declared =
                        type instanceof StructType struct
                                && struct.field(entry.getKey()).isPresent();
                if (inner.isNull() || (inner.isObject() && inner.isEmpty()) || !declared) {
                    set.add(at);
                }
            }
        } else if (value.isArray()) {
            requireNoDuplicates(value, path);
            elements(value)
                    .forEach((element, inner) -> {
                        var at = append(path, element);
                        item().addPlaces(inner, at, set);
                        set.add(at);
                    });
        }
    }

    private void requireNoDuplicates(JsonNode list, List<String> path) {
        var seen = new LinkedHashSet<String>();
        for (JsonNode item : list) {
            String element = element(item);
            if (!seen.add(element)) {
                throw PatchException.badRequest(
                        "%s: duplicate entries for key %s"
                                .formatted(
                                        FieldPaths.text(path), FieldPaths.text(List.of(element))));
            }
        }
    }

    /// What differs between two objects.
    record Difference(FieldSet changed, FieldSet removed) {}

    /// `changed` holds what was added or got another value.
    Difference compare(JsonNode before, JsonNode after) {
        var difference = new Difference(new FieldSet(), new FieldSet());
        compare(before, after, List.of(), difference);
        return difference;
    }

    private void compare(
            JsonNode before, JsonNode after, List<String> path, Difference difference) {
        boolean was = !before.isMissingNode() && !before.isNull();
        boolean is = !after.isMissingNode() && !after.isNull();
        if (!path.isEmpty() && !was && is && !before.isNull()) {
            difference.changed.add(path);
        }
        if (!path.isEmpty() && was && !is) {
            difference.removed.add(path);
        }
        JsonNode some = is ? after : before;
        if (isLeaf(some) || (before.isEmpty() && after.isEmpty())) {
            if (was && is && !Json.same(before, after)) {
                difference.changed.add(path);
            }
        } else if (some.isObject()) {
            var names = new LinkedHashSet<String>();
            before.fieldNames().forEachRemaining(names::add);
            after.fieldNames().forEachRemaining(names::add);
            for (String name : names) {
                child(name)
                        .compare(
                                before.path(name),
                                after.path(name),
                                append(path, "f:" + name),
                                difference);
            }
        } else if (some.isArray()) {
            Map<String, JsonNode> old = elements(before);
            Map<String, JsonNode> fresh = elements(after);
            var names = new LinkedHashSet<String>(old.keySet());
            names.addAll(fresh.keySet());
            for (String name : names) {
                item().compare(
                                old.getOrDefault(name, MissingNode.getInstance()),
                                fresh.getOrDefault(name, MissingNode.getInstance()),
                                append(path, name),
                                difference);
            }
        }
    }

    /// The live value with a configuration laid over it.
    JsonNode merge(JsonNode live, JsonNode config) {
        if (config.isMissingNode()) {
            return live.deepCopy();
        }
        if (live.isMissingNode() || isLeaf(config) || live.getNodeType() != config.getNodeType()) {
            return config.deepCopy();
        }
        if (config instanceof ObjectNode fields) {
            ObjectNode merged = (ObjectNode) live.deepCopy();
            for (var entry : fields.properties()) {
                merged.set(
                        entry.getKey(),
                        child(entry.getKey()).merge(live.path(entry.getKey()), entry.getValue()));
            }
            return merged;
        }
        return config.isArray() ? mergeList(live, config) : config.deepCopy();
    }

    /// Elements of the configuration come in its order; the others keep their place before the
    /// shared element that they stood before.
    private ArrayNode mergeList(JsonNode live, JsonNode config) {
        Map<String, JsonNode> left = elements(live);
        Map<String, JsonNode> right = elements(config);
        var shared = new ArrayList<>(right.keySet());
        shared.retainAll(left.keySet());
        var leftNames = new ArrayList<>(left.keySet());
        var done = new LinkedHashSet<String>();
        ArrayNode merged = JsonNodeFactory.instance.arrayNode();
        int at = 0;
        for (String name : right.keySet()) {
            if (left.containsKey(name)) {
                // Everything of the live list up to this shared element goes first.
                int until = leftNames.indexOf(name);
                for (; at < until; at++) {
                    String other = leftNames.get(at);
                    if (!right.containsKey(other) && done.add(other)) {
                        merged.add(left.getOrDefault(other, MissingNode.getInstance()).deepCopy());
                    }
                }
                at = Math.max(at, until + 1);
            } else if (shared.stream().allMatch(done::contains)) {
                // After the last shared element, what is left of the live list goes first.
                for (; at < leftNames.size(); at++) {
                    String other = leftNames.get(at);
                    if (!right.containsKey(other) && done.add(other)) {
                        merged.add(left.getOrDefault(other, MissingNode.getInstance()).deepCopy());
                    }
                }
            }
            done.add(name);
            merged.add(
                    item().merge(
                                    left.getOrDefault(name, MissingNode.getInstance()),
                                    right.getOrDefault(name, MissingNode.getInstance())));
        }
        for (String other : leftNames) {
            if (!right.containsKey(other) && done.add(other)) {
                merged.add(left.getOrDefault(other, MissingNode.getInstance()).deepCopy());
            }
        }
        return merged;
    }

    /// Takes a place out of an object, and what becomes empty by that, unless it is owned.
    ///
    /// @param owned the places that some manager still owns
    void remove(JsonNode root, List<String> path, FieldSet owned) {
        remove(root, path, 0, owned);
    }

    private void remove(JsonNode at, List<String> path, int depth, FieldSet owned) {
        String element = path.get(depth);
        boolean last = depth == path.size() - 1;
        if (at instanceof ObjectNode object && element.startsWith("f:")) {
            String name = element.substring(2);
            JsonNode inner = object.path(name);
            if (!last) {
                child(name).remove(inner, path, depth + 1, owned);
            }
            boolean emptied = !last && depth > 0 && inner.isContainerNode() && inner.isEmpty();
            if (last || (emptied && !owned.contains(path.subList(0, depth + 1)))) {
                object.remove(name);
            }
        } else if (at instanceof ArrayNode list) {
            for (int i = 0; i < list.size(); i++) {
                if (element(list.get(i)).equals(element)) {
                    if (last) {
                        list.remove(i);
                    } else {
                        item().remove(list.get(i), path, depth + 1, owned);
                    }
                    return;
                }
            }
        }
    }

    private static List<String> append(List<String> path, String element) {
        var result = new ArrayList<String>(path.size() + 1);
        result.addAll(path);
        result.add(element);
        return List.copyOf(result);
    }
}
