package io.berth.kube.codec.kind;

import io.berth.api.label.LabelSelector;
import io.berth.api.model.Kind;
import io.berth.api.model.PodController;
import io.berth.kube.codec.wire.ObjectInput;
import io.berth.kube.codec.wire.Schema;
import io.berth.kube.codec.wire.Selectors;
import java.io.IOException;

/// Reads what owns pods that are alike: which pods it selects.
final class PodControllerReader implements KindReader {
    static final Schema SCHEMA = Schemas.object(Schemas.SELECTING, new Schema());

    private final Kind kind;
    private LabelSelector selector = LabelSelector.NOTHING;

    PodControllerReader(Kind kind) {
        this.kind = kind;
    }

    @Override
    public void clear() {
        selector = LabelSelector.NOTHING;
    }

    @Override
    public void read(String field, ObjectInput in) throws IOException {
        if (field.equals("spec")) {
            in.only("selector", () -> selector = selector(in));
        } else {
            in.skip();
        }
    }

    /// A replication controller's is the old form.
    private LabelSelector selector(ObjectInput in) throws IOException {
        return kind == Kind.REPLICATION_CONTROLLER
                ? Selectors.equalities(in)
                : Selectors.labelSelector(in);
    }

    @Override
    public PodController build(Metadata metadata) {
        return new PodController(kind, metadata.namespace, metadata.name, selector);
    }
}
