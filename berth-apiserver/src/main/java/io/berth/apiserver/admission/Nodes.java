package io.berth.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Small moves on JSON trees that defaulting is made of. An absent field, a null and an empty text
/// all count as unset, as they do for Go's decoder.
final class Nodes {
    private Nodes() {}

    /// The object in a field, made if it is not there.
    static ObjectNode child(ObjectNode parent, String name) {
        return parent.get(name) instanceof ObjectNode present ? present : parent.putObject(name);
    }

    static boolean unset(JsonNode parent, String name) {
        JsonNode value = parent.get(name);
        return value == null || value.isNull() || (value.isTextual() && value.asText().isEmpty());
    }

    static void fill(ObjectNode parent, String name, String value) {
        if (unset(parent, name)) {
            parent.put(name, value);
        }
    }

    /// An int, since that is what a parser makes of such a number, and trees are compared.
    static void fill(ObjectNode parent, String name, int value) {
        if (unset(parent, name)) {
            parent.put(name, value);
        }
    }

    static void fill(ObjectNode parent, String name, boolean value) {
        if (unset(parent, name)) {
            parent.put(name, value);
        }
    }

    /// As [#fill], and a zero counts as unset too: for fields that are no pointers in Go.
    static void fillZero(ObjectNode parent, String name, int value) {
        if (unset(parent, name) || parent.get(name).asInt() == 0) {
            parent.put(name, value);
        }
    }

    /// The objects of a list; none if the field is no list.
    static List<ObjectNode> objects(JsonNode parent, String name) {
        var result = new ArrayList<ObjectNode>();
        for (JsonNode element : parent.path(name)) {
            if (element instanceof ObjectNode object) {
                result.add(object);
            }
        }
        return result;
    }

    /// Does something with the object in a field, if there is one.
    static void with(JsonNode parent, String name, Consumer<ObjectNode> action) {
        if (parent.get(name) instanceof ObjectNode object) {
            action.accept(object);
        }
    }

    /// The list in a field, made if it is not there.
    static ArrayNode list(ObjectNode parent, String name) {
        return parent.get(name) instanceof ArrayNode present ? present : parent.putArray(name);
    }

    static String name(JsonNode object) {
        return object.path("metadata").path("name").asText("");
    }

    /// Replaces a field by that of another object, which may mean its absence.
    static void copy(ObjectNode from, ObjectNode to, String name) {
        JsonNode value = from.get(name);
        if (value == null) {
            to.remove(name);
        } else {
            to.set(name, value.deepCopy());
        }
    }
}
