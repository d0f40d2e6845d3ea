package io.berth.apiserver.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.json.Json;
import io.berth.apiserver.resource.ResourceType;
import io.berth.apiserver.selector.SelectableFields;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One state of one object: immutable, and kept as the bytes that clients are sent. A tree of the
/// same object takes about five times the memory, so trees are made on demand.
public final class StoredObject {
    private final ResourceType type;
    private final String namespace;
    private final String name;
    private final String uid;
    private final long revision;
    private final Map<String, String> labels;
    private final String[] fields;
    private final byte[] json;

    /// The object in the form of another API group, once somebody asked for it.
    private volatile byte @Nullable [] alternate;

    StoredObject(Draft draft, byte[] json, long revision) {
        this.type = draft.type;
        this.namespace = draft.namespace;
        this.name = draft.name;
        this.uid = draft.uid;
        this.labels = draft.labels;
        this.fields = draft.fields;
        this.json = json;
        this.revision = revision;
    }

    private StoredObject(StoredObject other, byte[] json, long revision) {
        this.type = other.type;
        this.namespace = other.namespace;
        this.name = other.name;
        this.uid = other.uid;
        this.labels = other.labels;
        this.fields = other.fields;
        this.json = json;
        this.revision = revision;
    }

    /// The same content under a later revision, as the last event of a deleted object shows it.
    public StoredObject withRevision(long newRevision) {
        int from = Draft.head(type).length;
        int to = from + Long.toString(revision).length();
        return new StoredObject(this, Draft.splice(json, from, to, newRevision), newRevision);
    }

    public String path() {
        return ObjectPath.of(namespace, name);
    }

    public ResourceType type() {
        return type;
    }

    public String namespace() {
        return namespace;
    }

    public String name() {
        return name;
    }

    public String uid() {
        return uid;
    }

    public long revision() {
        return revision;
    }

    public Map<String, String> labels() {
        return labels;
    }

    /// The value of a selectable field, empty if not set.
    public String field(String field) {
        return switch (field) {
            case "metadata.name" -> name;
            case "metadata.namespace" -> namespace;
            default -> {
                int index = SelectableFields.names(type).indexOf(field);
                yield index < 0 ? "" : fields[index];
            }
        };
    }

    /// The encoded object. Shared: callers must not write into it.
    public byte[] json() {
        return json;
    }

    /// Where `"metadata"` starts in [#json]: objects in a list leave out what comes before.
    public int itemOffset() {
        return "{'kind':'','apiVersion':'',".length()
                + type.kind().length()
                + type.apiVersion().length();
    }

    /// A tree of the object that belongs to the caller.
    public ObjectNode tree() {
        return Json.parse(json);
    }

    /// The object in another form, converted once.
    public byte[] alternate(Function<StoredObject, byte[]> conversion) {
        byte[] known = alternate;
        if (known == null) {
            known = conversion.apply(this);
            alternate = known;
        }
        return known;
    }
}
