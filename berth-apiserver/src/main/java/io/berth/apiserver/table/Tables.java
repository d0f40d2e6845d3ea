package io.berth.apiserver.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.resource.ResourceType;
import java.time.Instant;
import java.util.List;

/// Makes `meta.k8s.io/v1` Tables of lists, of single objects and of watch events.
public final class Tables {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private Tables() {}

    /// How much of the object each row carries: the query parameter `includeObject`.
    public enum IncludeObject {
        NONE,
        METADATA,
        OBJECT;

        /// The value of the parameter; metadata if it is absent.
        ///
        /// @throws IllegalArgumentException for other words, with a message for the client
        public static IncludeObject parse(String parameter) {
            return switch (parameter) {
                case "", "Metadata" -> METADATA;
                case "None" -> NONE;
                case "Object" -> OBJECT;
                default ->
                        throw new IllegalArgumentException(
                                "unrecognized includeObject value: \"" + parameter + "\"");
            };
        }
    }

    /// A table of a list, or of one object.
    ///
    /// @param source a `…List`, or an object of the type
    /// @param now the moment from which ages are counted
    public static ObjectNode table(
            ResourceType type, ObjectNode source, IncludeObject include, Instant now) {
        List<Column> columns = Columns.of(type);
        ObjectNode table = NODES.objectNode().put("kind", "Table");
        table.put("apiVersion", "meta.k8s.io/v1");
        boolean list =
                source.path("kind").asText("").endsWith("List") && source.path("items").isArray();
        ObjectNode metadata = table.putObject("metadata");
        if (list) {
            copy(source.path("metadata"), metadata, "resourceVersion");
            copy(source.path("metadata"), metadata, "continue");
            copy(source.path("metadata"), metadata, "remainingItemCount");
        } else {
            copy(source.path("metadata"), metadata, "resourceVersion");
        }
        table.set("columnDefinitions", definitions(columns));
        ArrayNode rows = table.putArray("rows");
        if (list) {
            source.path("items").forEach(item -> rows.add(row(type, columns, item, include, now)));
        } else {
            rows.add(row(type, columns, source, include, now));
        }
        return table;
    }

    private static ArrayNode definitions(List<Column> columns) {
        ArrayNode definitions = NODES.arrayNode();
        for (Column column : columns) {
            definitions
                    .addObject()
                    .put("name", column.name())
                    .put("type", column.type())
                    .put("format", column.format())
                    .put("description", column.description())
                    .put("priority", column.priority());
        }
        return definitions;
    }

    private static ObjectNode row(
            ResourceType type,
            List<Column> columns,
            JsonNode object,
            IncludeObject include,
            Instant now) {
        ObjectNode row = NODES.objectNode();
        ArrayNode cells = row.putArray("cells");
        for (Column column : columns) {
            switch (column.cell().apply(object, now)) {
                case Long number -> cells.add(number);
                case Boolean flag -> cells.add(flag);
                case Object text -> cells.add(text.toString());
            }
        }
        if (type.builtInKind().equals("Pod")) {
            completed(row, object.path("status").path("phase").asText(""));
        }
        switch (include) {
            case NONE -> row.putNull("object");
            case METADATA -> row.set("object", metadataOnly(object));
            case OBJECT -> row.set("object", withType(type, object));
        }
        return row;
    }

    /// Lets kubectl tell pods that are over from those that run.
    private static void completed(ObjectNode row, String phase) {
        if (phase.equals("Succeeded") || phase.equals("Failed")) {
            row.putArray("conditions")
                    .addObject()
                    .put("type", "Completed")
                    .put("status", "True")
                    .put("reason", phase)
                    .put(
                            "message",
                            phase.equals("Succeeded")
                                    ? "The pod has completed successfully."
                                    : "The pod failed.");
        }
    }

    private static ObjectNode metadataOnly(JsonNode object) {
        ObjectNode partial = NODES.objectNode().put("kind", "PartialObjectMetadata");
        partial.put("apiVersion", "meta.k8s.io/v1");
        partial.set("metadata", object.path("metadata").deepCopy());
        return partial;
    }

    /// Items of a list carry no type of their own.
    private static ObjectNode withType(ResourceType type, JsonNode object) {
        ObjectNode whole = NODES.objectNode();
        whole.put("kind", type.kind()).put("apiVersion", type.apiVersion());
        object.properties().forEach(entry -> whole.set(entry.getKey(), entry.getValue()));
        return whole;
    }

    private static void copy(JsonNode from, ObjectNode to, String field) {
        if (from.has(field)) {
            to.set(field, from.get(field));
        }
    }
}
