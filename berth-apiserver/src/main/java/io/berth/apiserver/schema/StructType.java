package io.berth.apiserver.schema;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// A named set of fields, such as `core.v1.PodSpec`. Structs may refer to each other, so their
/// fields are filled in while the catalog loads and never change afterwards.
public final class StructType implements SchemaType {
    private final String name;
    private final boolean atomic;
    private final Map<String, Field> fields = new LinkedHashMap<>();

    StructType(String name, boolean atomic) {
        this.name = name;
        this.atomic = atomic;
    }

    void add(Field field) {
        fields.put(field.name(), field);
    }

    /// The name in the catalog: group, version and Go type, such as `core.v1.PodSpec`.
    public String name() {
        return name;
    }

    /// The last part of the name: `PodSpec`.
    public String simpleName() {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    /// Whether server-side apply owns and replaces this struct as one value.
    public boolean atomic() {
        return atomic;
    }

    /// In alphabetical order.
    public Collection<Field> fields() {
        return Collections.unmodifiableCollection(fields.values());
    }

    public Optional<Field> field(String fieldName) {
        return Optional.ofNullable(fields.get(fieldName));
    }

    @Override
    public String toString() {
        return name;
    }
}
