package io.berth.kube.codec.kind;

import io.berth.api.model.CustomObject;
import io.berth.api.model.Kind;
import io.berth.kube.codec.wire.JsonInput;
import io.berth.kube.codec.wire.ObjectInput;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads objects of a kind that has no record of its own, as trees. They are asked for in JSON,
/// since nobody knows the numbers of their fields.
final class CustomReader implements KindReader {
    private final Kind kind;
    private Map<String, @Nullable Object> content = new LinkedHashMap<>();

    CustomReader(Kind kind) {
        this.kind = kind;
    }

    @Override
    public Metadata.Extent metadata() {
        return Metadata.Extent.ALL;
    }

    @Override
    public void clear() {
        content = new LinkedHashMap<>();
    }

    @Override
    public void read(String field, ObjectInput in) throws IOException {
        if (!(in instanceof JsonInput json)) {
            throw in.wrongType("JSON");
        }
        content.put(field, json.tree());
    }

    @Override
    public CustomObject build(Metadata metadata) {
        return new CustomObject(
                kind,
                metadata.namespace,
                metadata.name,
                metadata.uid,
                metadata.resourceVersion,
                metadata.labels,
                metadata.annotations,
                Collections.unmodifiableMap(content));
    }
}
