package io.berth.apiserver.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.json.Json;
import io.berth.apiserver.resource.ResourceType;
import io.berth.apiserver.selector.SelectableFields;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/// An object that is ready to be stored but has no revision yet. Encoding it is the expensive part
/// of a write, and happens before the store's lock is taken.
///
/// The revision is put into the bytes at a place that is the same for all objects of a type: kind,
/// apiVersion and metadata come first, and `resourceVersion` is the first member of metadata.
public final class Draft {
    private static final String REVISION_FIELD = "resourceVersion";

    final ResourceType type;
    final String namespace;
    final String name;
    final String uid;
    final Map<String, String> labels;
    final String[] fields;

    /// The encoded object with an empty `resourceVersion`.
    private final byte[] json;

    private final int revisionOffset;

    private Draft(ResourceType type, ObjectNode object) {
        ObjectNode metadata = Json.ensure(object, "metadata");
        this.type = type;
        this.namespace = metadata.path("namespace").asText("");
        this.name = metadata.path("name").asText("");
        this.uid = metadata.path("uid").asText("");
        this.labels = labels(metadata);
        this.fields = SelectableFields.values(type, object);
        this.json = Json.bytes(ordered(type, object, metadata));
        this.revisionOffset = head(type).length;
    }

    /// Encodes the object as it is now; later changes to the tree have no effect.
    public static Draft of(ResourceType type, ObjectNode object) {
        return new Draft(type, object);
    }

    String path() {
        return ObjectPath.of(namespace, name);
    }

    /// The object as it would be stored at a revision.
    public StoredObject at(long revision) {
        return new StoredObject(
                this, splice(json, revisionOffset, revisionOffset, revision), revision);
    }

    /// Replaces `bytes[from, to)` by the digits of a revision.
    static byte[] splice(byte[] bytes, int from, int to, long revision) {
        byte[] digits = Long.toString(revision).getBytes(StandardCharsets.US_ASCII);
        byte[] result = new byte[bytes.length - (to - from) + digits.length];
        System.arraycopy(bytes, 0, result, 0, from);
        System.arraycopy(digits, 0, result, from, digits.length);
        System.arraycopy(bytes, to, result, from + digits.length, bytes.length - to);
        return result;
    }

    /// What every encoded object of the type starts with.
    static byte[] head(ResourceType type) {
        String head =
                "{\"kind\":\""
                        + type.kind()
                        + "\",\"apiVersion\":\""
                        + type.apiVersion()
                        + "\",\"metadata\":{\""
                        + REVISION_FIELD
                        + "\":\"";
        return head.getBytes(StandardCharsets.US_ASCII);
    }

    private static ObjectNode ordered(ResourceType type, ObjectNode object, ObjectNode metadata) {
        ObjectNode result =
                Json.object().put("kind", type.kind()).put("apiVersion", type.apiVersion());
        ObjectNode newMetadata = result.putObject("metadata").put(REVISION_FIELD, "");
        metadata.properties()
                .forEach(e -> {
                    if (!e.getKey().equals(REVISION_FIELD)) {
                        newMetadata.set(e.getKey(), e.getValue());
                    }
                });
        object.properties()
                .forEach(e -> {
                    if (!result.has(e.getKey())) {
                        result.set(e.getKey(), e.getValue());
                    }
                });
        return result;
    }

    private static Map<String, String> labels(JsonNode metadata) {
        var labels = new HashMap<String, String>();
        metadata.path("labels")
                .properties()
                .forEach(e -> labels.put(e.getKey(), e.getValue().asText("")));
        return Map.copyOf(labels);
    }
}
