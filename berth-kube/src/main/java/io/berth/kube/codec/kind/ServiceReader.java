package io.berth.kube.codec.kind;

import io.berth.api.label.Labels;
import io.berth.api.model.Service;
import io.berth.kube.codec.wire.ObjectInput;
import io.berth.kube.codec.wire.Schema;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Reads services: which pods they select.
final class ServiceReader implements KindReader {
    static final Schema SCHEMA =
            Schemas.object(new Schema().withLabels(2, "selector"), new Schema());

    private @Nullable Labels selector;

    @Override
    public void clear() {
        selector = null;
    }

    @Override
    public void read(String field, ObjectInput in) throws IOException {
        if (field.equals("spec")) {
            in.only("selector", () -> selector = in.labels());
        } else {
            in.skip();
        }
    }

    @Override
    public Service build(Metadata metadata) {
        return new Service(metadata.namespace, metadata.name, selector);
    }
}
