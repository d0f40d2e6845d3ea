package io.berth.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A set of places in an object, as `fieldsV1` writes it: a tree whose edges are path elements.
///
/// An element is `f:<field>`, `k:<keys as JSON>` for an element of a keyed list, or `v:<value as
/// JSON>` for an element of a set. A node that is a member and has children says so with `.`; a
/// node without children is always a member.
///
/// Example: `{"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:image":{}}}}}` holds
/// `.spec.containers[name="c"]` and `.spec.containers[name="c"].image`.
final class FieldSet {
    private static final String SELF = ".";

    private boolean member;
    private final Map<String, FieldSet> children = new TreeMap<>();

    /// The set as a tree; a set of nothing is an empty object.
    static FieldSet parse(JsonNode fields) {
        var set = new FieldSet();
        for (var entry : fields.properties()) {
            if (entry.getKey().equals(SELF)) {
                set.member = true;
            } else {
                FieldSet child = parse(entry.getValue());
                child.member |= child.children.isEmpty();
                set.children.put(entry.getKey(), child);
            }
        }
        return set;
    }

    ObjectNode toJson() {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        for (var entry : children.entrySet()) {
            ObjectNode child = entry.getValue().toJson();
            if (entry.getValue().member && !entry.getValue().children.isEmpty()) {
                ObjectNode withSelf = JsonNodeFactory.instance.objectNode();
                withSelf.putObject(SELF);
                child = withSelf.setAll(child);
            }
            node.set(entry.getKey(), child);
        }
        return node;
    }

    boolean isEmpty() {
        return !member && children.isEmpty();
    }

    void add(List<String> path) {
        FieldSet at = this;
        for (String element : path) {
            at = at.children.computeIfAbsent(element, key -> new FieldSet());
        }
        at.member = true;
    }

    boolean contains(List<String> path) {
        FieldSet at = find(path);
        return at != null && at.member;
    }

    /// Whether this place or one below it is in the set.
    boolean reaches(List<String> path) {
        FieldSet at = find(path);
        return at != null && !at.isEmpty();
    }

    private @Nullable FieldSet find(List<String> path) {
        FieldSet at = this;
        for (String element : path) {
            at = at.children.get(element);
            if (at == null) {
                return null;
            }
        }
        return at;
    }

    /// All members, parents before children.
    List<List<String>> paths() {
        var result = new ArrayList<List<String>>();
        collect(List.of(), result);
        return result;
    }

    private void collect(List<String> prefix, List<List<String>> result) {
        if (member) {
            result.add(prefix);
        }
        children.forEach((element, child) -> {
            var path = new ArrayList<>(prefix);
            path.add(element);
            child.collect(List.copyOf(path), result);
        });
    }

    FieldSet union(FieldSet other) {
        var result = new FieldSet();
        result.addAll(this);
        result.addAll(other);
        return result;
    }

    private void addAll(FieldSet other) {
        member |= other.member;
        other.children.forEach((element, child) ->
                children.computeIfAbsent(element, key -> new FieldSet()).addAll(child));
    }

    FieldSet minus(FieldSet other) {
        var result = new FieldSet();
        result.member = member && !other.member;
        children.forEach((element, child) -> {
            FieldSet theirs = other.children.get(element);
            result.keep(element, theirs == null ? child.copy() : child.minus(theirs));
        });
        return result;
    }

    /// Without the places in the other set and everything below them.
    FieldSet minusTrees(FieldSet other) {
        var result = new FieldSet();
        result.member = member;
        children.forEach((element, child) -> {
            FieldSet theirs = other.children.get(element);
            if (theirs == null) {
                result.keep(element, child.copy());
            } else if (!theirs.member) {
                result.keep(element, child.minusTrees(theirs));
            }
        });
        return result;
    }

    FieldSet intersection(FieldSet other) {
        var result = new FieldSet();
        result.member = member && other.member;
        children.forEach((element, child) -> {
            FieldSet theirs = other.children.get(element);
            if (theirs != null) {
                result.keep(element, child.intersection(theirs));
            }
        });
        return result;
    }

    private FieldSet copy() {
        return union(new FieldSet());
    }

    private void keep(String element, FieldSet child) {
        if (!child.isEmpty()) {
            children.put(element, child);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FieldSet set
                && set.member == member
                && set.children.equals(children);
    }

    @Override
    public int hashCode() {
        return children.hashCode();
    }

    @Override
    public String toString() {
        return toJson().toString();
    }
}
