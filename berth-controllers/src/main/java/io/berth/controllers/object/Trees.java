package io.berth.controllers.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Small questions and changes to trees of JSON.
public final class Trees {
    private Trees() {}

    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /// The member of that name, made where it is missing.
    public static ObjectNode child(ObjectNode parent, String name) {
        return parent.get(name) instanceof ObjectNode there ? there : parent.putObject(name);
    }

    public static ArrayNode list(ObjectNode parent, String name) {
        return parent.get(name) instanceof ArrayNode there ? there : parent.putArray(name);
    }

    public static Optional<Instant> instant(JsonNode time) {
        try {
            return time.isTextual()
                    ? Optional.of(OffsetDateTime.parse(time.textValue()).toInstant())
                    : Optional.empty();
        } catch (DateTimeException notATime) {
            return Optional.empty();
        }
    }

    public static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /// Drops members that say nothing, so that trees of different writers can be compared.
    public static JsonNode withoutNulls(JsonNode tree) {
        JsonNode copy = tree.deepCopy();
        dropNulls(copy);
        return copy;
    }

    private static void dropNulls(JsonNode tree) {
        for (Iterator<JsonNode> each = tree.iterator(); each.hasNext(); ) {
            JsonNode member = each.next();
            if (member.isNull()) {
                each.remove();
            } else {
                dropNulls(member);
            }
        }
    }

    public static void put(ObjectNode parent, String name, Map<String, String> texts) {
        ObjectNode child = child(parent, name);
        texts.forEach(child::put);
    }

    /// Puts a list; an empty one is none.
    public static void put(ObjectNode parent, String name, List<String> texts) {
        if (texts.isEmpty()) {
            parent.putNull(name);
            return;
        }
        ArrayNode list = parent.putArray(name);
        texts.forEach(list::add);
    }

    /// Has a patch replace an object's owners.
    public static void putOwners(ObjectNode patch, List<Owner> owners) {
        ObjectNode metadata = child(patch, "metadata");
        if (owners.isEmpty()) {
            metadata.putNull("ownerReferences");
        } else {
            ArrayNode list = metadata.putArray("ownerReferences");
            owners.forEach(each -> list.add(each.tree()));
        }
    }

    /// A patch of metadata that is refused if the object has changed or is another by now.
    public static ObjectNode metadataPatch(Meta meta) {
        ObjectNode patch = object();
        patch.putObject("metadata")
                .put("uid", meta.uid())
                .put("resourceVersion", Long.toString(meta.version()));
        return patch;
    }
}
