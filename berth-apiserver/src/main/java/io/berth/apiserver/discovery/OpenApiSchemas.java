package io.berth.apiserver.discovery;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.resource.ResourceType;
import io.berth.apiserver.schema.Field;
import io.berth.apiserver.schema.SchemaCatalog;
import io.berth.apiserver.schema.SchemaType;
import io.berth.apiserver.schema.SchemaType.ListOf;
import io.berth.apiserver.schema.SchemaType.MapOf;
import io.berth.apiserver.schema.SchemaType.Scalar;
import io.berth.apiserver.schema.StructType;
import java.util.Map;
import java.util.TreeMap;

/// Turns structs of the schema catalog into OpenAPI schemas, with the merge rules as extensions.
/// Types that a struct refers to are added along the way.
final class OpenApiSchemas {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";

    private final String refPrefix;
    private final boolean wrapRefs;
    private final Map<String, ObjectNode> schemas = new TreeMap<>();

    /// @param refPrefix where schemas live in the document
    /// @param wrapRefs OpenAPI 3.0 ignores what stands beside a `$ref`, so there it is wrapped
    OpenApiSchemas(String refPrefix, boolean wrapRefs) {
        this.refPrefix = refPrefix;
        this.wrapRefs = wrapRefs;
    }

    Map<String, ObjectNode> schemas() {
        return schemas;
    }

    /// The kind and its list.
    void addKind(ResourceType type) {
        SchemaCatalog.of(type)
                .ifPresent(struct -> {
                    add(struct);
                    ObjectNode own = schemas.get(name(struct));
                    if (own != null) {
                        markKind(own, type.group(), type.version(), type.kind());
                    }
                    addList(type, struct);
                });
    }

    void addStruct(String structName) {
        SchemaCatalog.struct(structName).ifPresent(this::add);
    }

    ObjectNode ref(String schemaName) {
        return NODES.objectNode().put("$ref", refPrefix + schemaName);
    }

    static void markKind(ObjectNode schema, String group, String version, String kind) {
        schema.withArray("x-kubernetes-group-version-kind")
                .addObject()
                .put("group", group)
                .put("kind", kind)
                .put("version", version);
    }

    private void addList(ResourceType type, StructType struct) {
        addStruct("meta.v1.ListMeta");
        ObjectNode list = object("A list of " + type.kind() + " objects.");
        ObjectNode properties = list.putObject("properties");
        properties.set("apiVersion", scalar(Scalar.STRING));
        properties.set("kind", scalar(Scalar.STRING));
        properties.set("metadata", ref(META + "ListMeta"));
        properties.putObject("items").put("type", "array").set("items", ref(name(struct)));
        list.putArray("required").add("items");
        markKind(list, type.group(), type.version(), type.kind() + "List");
        schemas.put(name(struct) + "List", list);
    }

    private void add(StructType struct) {
        if (schemas.containsKey(name(struct))) {
            return;
        }
        ObjectNode schema = object(Descriptions.of(struct));
        schemas.put(name(struct), schema);
        ObjectNode properties = NODES.objectNode();
        for (Field field : struct.fields()) {
            properties.set(field.name(), property(struct, field));
            if (field.required()) {
                schema.withArray("required").add(field.name());
            }
        }
        if (!properties.isEmpty()) {
            schema.set("properties", properties);
        }
        if (struct.atomic()) {
            schema.put("x-kubernetes-map-type", "atomic");
        }
    }

    private ObjectNode property(StructType owner, Field field) {
        ObjectNode node = type(field.type());
        if (wrapRefs && node.has("$ref")) {
            ObjectNode wrapped = NODES.objectNode();
            wrapped.putArray("allOf").add(node);
            node = wrapped;
        }
        String description = Descriptions.of(owner, field);
        if (!description.isEmpty()) {
            node.put("description", description);
        }
        if (field.defaultValue().isPresent()) {
            node.set("default", field.defaultValue().get());
        }
        if (field.type() instanceof ListOf) {
            listRules(node, field);
        } else if (field.atomicMap()) {
            node.put("x-kubernetes-map-type", "atomic");
        }
        if (!field.patch().strategy().isEmpty()) {
            node.put("x-kubernetes-patch-strategy", field.patch().strategy());
        }
        if (!field.patch().key().isEmpty()) {
            node.put("x-kubernetes-patch-merge-key", field.patch().key());
        }
        return node;
    }

    private static void listRules(ObjectNode node, Field field) {
        switch (field.listKind()) {
            case ATOMIC -> node.put("x-kubernetes-list-type", "atomic");
            case SET -> node.put("x-kubernetes-list-type", "set");
            case MAP -> {
                field.listKeys().forEach(node.withArray("x-kubernetes-list-map-keys")::add);
                node.put("x-kubernetes-list-type", "map");
            }
        }
    }

    private ObjectNode type(SchemaType type) {
        return switch (type) {
            case StructType struct -> {
                add(struct);
                yield ref(name(struct));
            }
            case ListOf list -> {
                ObjectNode node = NODES.objectNode().put("type", "array");
                node.set("items", type(list.items()));
                yield node;
            }
            case MapOf map -> {
                ObjectNode node = NODES.objectNode().put("type", "object");
                node.set("additionalProperties", type(map.values()));
                yield node;
            }
            case Scalar scalar -> scalar(scalar);
        };
    }

    private ObjectNode scalar(Scalar scalar) {
        ObjectNode node = NODES.objectNode();
        return switch (scalar) {
            case STRING -> node.put("type", "string");
            case BOOLEAN -> node.put("type", "boolean");
            case INT32 -> node.put("type", "integer").put("format", "int32");
            case INT64 -> node.put("type", "integer").put("format", "int64");
            case DOUBLE -> node.put("type", "number").put("format", "double");
            case BYTES -> node.put("type", "string").put("format", "byte");
            case ANY -> node.put("type", "object");
            case QUANTITY -> named("io.k8s.apimachinery.pkg.api.resource.Quantity", "");
            case INT_OR_STRING ->
                    named("io.k8s.apimachinery.pkg.util.intstr.IntOrString", "int-or-string");
            case TIME -> named(META + "Time", "date-time");
            case MICRO_TIME -> named(META + "MicroTime", "date-time");
        };
    }

    /// A scalar with a schema of its own; all are texts in JSON.
    private ObjectNode named(String name, String format) {
        schemas.computeIfAbsent(
                name,
                key -> {
                    ObjectNode schema = NODES.objectNode().put("type", "string");
                    return format.isEmpty() ? schema : schema.put("format", format);
                });
        return ref(name);
    }

    private static ObjectNode object(String description) {
        ObjectNode node = NODES.objectNode();
        if (!description.isEmpty()) {
            node.put("description", description);
        }
        return node.put("type", "object");
    }

    /// The name of a struct in OpenAPI documents.
    static String name(StructType struct) {
        return name(struct.name());
    }

    static String name(String structName) {
        boolean machinery = structName.startsWith("meta.");
        return (machinery ? "io.k8s.apimachinery.pkg.apis." : "io.k8s.api.") + structName;
    }
}
