package io.berth.kube.codec.kind;

import io.berth.api.model.Namespace;
import io.berth.kube.codec.wire.ObjectInput;
import io.berth.kube.codec.wire.Schema;
import java.io.IOException;

/// Reads namespaces, of which only the metadata matters.
final class NamespaceReader implements KindReader {
    static final Schema SCHEMA = Schemas.object(new Schema(), new Schema());

    @Override
    public void clear() {}

    @Override
    public void read(String field, ObjectInput in) throws IOException {
        in.skip();
    }

    @Override
    public Namespace build(Metadata metadata) {
        return new Namespace(metadata.name, metadata.labels);
    }
}
