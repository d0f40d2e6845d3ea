package io.berth.kube.codec.kind;

import io.berth.api.amount.Quantity;
import io.berth.api.label.LabelSelector;
import io.berth.api.model.CsiStorageCapacity;
import io.berth.kube.codec.wire.ObjectInput;
import io.berth.kube.codec.wire.Schema;
import io.berth.kube.codec.wire.Selectors;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Reads how much room there is for volumes.
final class CsiStorageCapacityReader implements KindReader {
    static final Schema SCHEMA =
            Schemas.object()
                    .with(2, "nodeTopology", Schemas.LABEL_SELECTOR)
                    .with(3, "storageClassName")
                    .withAmount(4, "capacity")
                    .withAmount(5, "maximumVolumeSize");

    private String storageClass = "";
    private LabelSelector nodeTopology = LabelSelector.NOTHING;
    private @Nullable Quantity capacity;
    private @Nullable Quantity maximumVolumeSize;

    @Override
    public void clear() {
        storageClass = "";
        nodeTopology = LabelSelector.NOTHING;
        capacity = null;
        maximumVolumeSize = null;
    }

    @Override
    public void read(String field, ObjectInput in) throws IOException {
        switch (field) {
            case "storageClassName" -> storageClass = in.sharedText();
            case "nodeTopology" -> nodeTopology = in.shared().part(Selectors.labelSelector(in));
            case "capacity" -> capacity = in.quantity();
            case "maximumVolumeSize" -> maximumVolumeSize = in.quantity();
            default -> in.skip();
        }
    }

    @Override
    public CsiStorageCapacity build(Metadata metadata) {
        return new CsiStorageCapacity(
                metadata.namespace,
                metadata.name,
                storageClass,
                nodeTopology,
                capacity,
                maximumVolumeSize);
    }
}
