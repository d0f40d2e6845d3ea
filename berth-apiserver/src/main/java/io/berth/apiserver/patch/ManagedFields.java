package io.berth.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.resource.ResourceType;
import io.berth.apiserver.schema.Field;
import io.berth.apiserver.schema.SchemaCatalog;
import io.berth.apiserver.schema.SchemaType.ListOf;
import io.berth.apiserver.schema.StructType;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Who manages which fields of an object: `metadata.managedFields`, kept up to date by every write.
public final class ManagedFields {
    /// What belongs to the server and is never anyone's.
    private static final FieldSet UNOWNED = unowned();

    private static final Set<String> SKELETON =
            Set.of("metadata", "spec", "status", "template", "strategy", "updateStrategy");
    private static final int MAX_MANAGER_LENGTH = 128;

    private final Map<Owner, Entry> entries = new LinkedHashMap<>();

    private ManagedFields() {}

    /// One line of managedFields, without its fields.
    record Owner(String manager, String operation, String apiVersion, String subresource) {
        static Owner apply(ResourceType type, String manager, String subresource) {
            return new Owner(manager, "Apply", type.apiVersion(), subresource);
        }

        static Owner update(ResourceType type, String manager, String subresource) {
            return new Owner(manager, "Update", type.apiVersion(), subresource);
        }
    }

    /// @param time when the fields last changed, as text
    record Entry(FieldSet fields, String time) {}

    /// The name of the manager behind a request: its `fieldManager` parameter, or what its
    /// User-Agent says before the first slash.
    public static String managerName(String fieldManager, String userAgent) {
        if (!fieldManager.isEmpty()) {
            return fieldManager;
        }
        int slash = userAgent.indexOf('/');
        String name = slash < 0 ? userAgent : userAgent.substring(0, slash);
        return name.isEmpty()
                ? "unknown"
                : name.substring(0, Math.min(name.length(), MAX_MANAGER_LENGTH));
    }

    /// The object of a create, update or non-apply patch with its managedFields: the manager now
    /// owns what it changed, and nobody owns what it removed. Call it after defaulting and before
    /// admission changes the object further. The given trees are left as they are.
    ///
    /// @param live what is stored; empty for a create
    /// @param subresource empty for the resource itself
    public static ObjectNode afterUpdate(
            ResourceType type,
            String subresource,
            Optional<ObjectNode> live,
            ObjectNode updated,
            String manager,
            Instant now) {
        Optional<StructType> struct = SchemaCatalog.of(type);
        ManagedFields managed =
                of(updated.path("metadata").has("managedFields") ? updated : live.orElse(updated));
        JsonNode before =
                live.<JsonNode>map(object -> object)
                        .orElseGet(() ->
                                struct.map(ManagedFields::skeleton)
                                        .orElseGet(JsonNodeFactory.instance::objectNode));
        var difference = TypedFields.of(struct).compare(before, updated);
        FieldSet ignored = UNOWNED.union(ignored(type, subresource));
        FieldSet changed = difference.changed().minusTrees(ignored);
        Owner own = Owner.update(type, manager, subresource);
        managed.takeFromOthers(own, changed, now);
        managed.dropRemoved(difference.removed(), now);
        managed.put(own, managed.fields(own).union(changed), now);
        return managed.writeTo(updated.deepCopy());
    }

    /// The fields that a request to this (sub)resource cannot set.
    static FieldSet ignored(ResourceType type, String subresource) {
        var set = new FieldSet();
        if (subresource.equals("status")) {
            set.add(List.of("f:spec"));
            set.add(List.of("f:metadata", "f:ownerReferences"));
            set.add(List.of("f:metadata", "f:deletionTimestamp"));
        } else if (type.hasSubresource("status")) {
            set.add(List.of("f:status"));
        }
        return set;
    }

    static FieldSet neverOwned() {
        return UNOWNED;
    }

    static ManagedFields of(JsonNode object) {
        var managed = new ManagedFields();
        for (JsonNode entry : object.path("metadata").path("managedFields")) {
            managed.entries.put(
                    new Owner(
                            entry.path("manager").asText(""),
                            entry.path("operation").asText(""),
                            entry.path("apiVersion").asText(""),
                            entry.path("subresource").asText("")),
                    new Entry(
                            FieldSet.parse(entry.path("fieldsV1")), entry.path("time").asText("")));
        }
        return managed;
    }

    Map<Owner, Entry> entries() {
        return entries;
    }

    FieldSet fields(Owner owner) {
        Entry entry = entries.get(owner);
        return entry == null ? new FieldSet() : entry.fields;
    }

    /// All owned places together.
    FieldSet all() {
        return entries.values().stream().map(Entry::fields).reduce(new FieldSet(), FieldSet::union);
    }

    /// Gives an owner its fields; the time changes only if they do.
    void put(Owner owner, FieldSet fields, Instant now) {
        Entry present = entries.get(owner);
        if (fields.isEmpty()) {
            entries.remove(owner);
        } else if (present == null || !present.fields.equals(fields)) {
            entries.put(owner, new Entry(fields, now.truncatedTo(ChronoUnit.SECONDS).toString()));
        }
    }

    void takeFromOthers(Owner taker, FieldSet taken, Instant now) {
        for (Owner owner : List.copyOf(entries.keySet())) {
            if (!owner.equals(taker)) {
                put(owner, fields(owner).minus(taken), now);
            }
        }
    }

    void dropRemoved(FieldSet removed, Instant now) {
        for (Owner owner : List.copyOf(entries.keySet())) {
            put(owner, fields(owner).minus(removed), now);
        }
    }

    ObjectNode writeTo(ObjectNode object) {
        ObjectNode metadata =
                object.get("metadata") instanceof ObjectNode present
                        ? present
                        : object.putObject("metadata");
        if (entries.isEmpty()) {
            metadata.remove("managedFields");
            return object;
        }
        ArrayNode list = metadata.putArray("managedFields");
        entries.entrySet().stream()
                .sorted(
                        Comparator.<Map.Entry<Owner, Entry>, String>comparing(
                                        e -> e.getKey().operation())
                                .thenComparing(e -> e.getValue().time())
                                .thenComparing(e -> e.getKey().manager())
                                .thenComparing(e -> e.getKey().apiVersion())
                                .thenComparing(e -> e.getKey().subresource()))
                .forEach(e -> write(list.addObject(), e.getKey(), e.getValue()));
        return object;
    }

    private static void write(ObjectNode node, Owner owner, Entry entry) {
        node.put("manager", owner.manager)
                .put("operation", owner.operation)
                .put("apiVersion", owner.apiVersion)
                .put("time", entry.time)
                .put("fieldsType", "FieldsV1")
                .set("fieldsV1", entry.fields.toJson());
        if (!owner.subresource.isEmpty()) {
            node.put("subresource", owner.subresource);
        }
    }

    /// What a new object has even when empty. Its parts are nobody's, only what is in them.
    private static ObjectNode skeleton(StructType type) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        for (Field field : type.fields()) {
            if (field.type() instanceof StructType struct && SKELETON.contains(field.name())) {
                node.set(field.name(), skeleton(struct));
            } else if (field.type() instanceof ListOf && field.required()) {
                node.putArray(field.name());
            }
        }
        return node;
    }

    private static FieldSet unowned() {
        var set = new FieldSet();
        set.add(List.of("f:apiVersion"));
        set.add(List.of("f:kind"));
        for (String field :
                List.of(
                        "name",
                        "namespace",
                        "creationTimestamp",
                        "selfLink",
                        "uid",
                        "generation",
                        "managedFields",
                        "resourceVersion")) {
            set.add(List.of("f:metadata", "f:" + field));
        }
        return set;
    }
}
