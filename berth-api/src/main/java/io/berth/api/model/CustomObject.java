package io.berth.api.model;

import io.berth.api.label.Labels;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An object of a kind that Berth knows nothing about: a plugin's own.
///
/// @param content all of it but its metadata, as trees of [Map], [java.util.List], [String],
///   [Boolean], [Long], [Double] and null; nobody may change them
public record CustomObject(
        Kind kind,
        String namespace,
        String name,
        String uid,
        String resourceVersion,
        Labels labels,
        Labels annotations,
        Map<String, @Nullable Object> content)
        implements ClusterObject {

    /// For tests.
    public static CustomObject of(
            Kind kind, String namespace, String name, Map<String, @Nullable Object> content) {
        return new CustomObject(kind, namespace, name, "", "", Labels.EMPTY, Labels.EMPTY, content);
    }

    /// The value at a path of field names, such as `spec`, `watts`; null where there is none.
    public @Nullable Object at(String... path) {
        Object value = content;
        for (var field : path) {
            if (!(value instanceof Map<?, ?> map)) {
                return null;
            }
            value = map.get(field);
        }
        return value;
    }
}
