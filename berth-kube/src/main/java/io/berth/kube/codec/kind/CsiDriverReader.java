package io.berth.kube.codec.kind;

import io.berth.api.model.CsiDriver;
import io.berth.kube.codec.wire.ObjectInput;
import io.berth.kube.codec.wire.Schema;
import java.io.IOException;

/// Reads drivers of volumes.
final class CsiDriverReader implements KindReader {
    static final Schema SCHEMA =
            Schemas.object(
                    new Schema()
                            .with(4, "storageCapacity")
                            .with(11, "preventPodSchedulingIfMissing"),
                    new Schema());

    private boolean hasStorageCapacity;
    private boolean preventsScheduling;

    @Override
    public void clear() {
        hasStorageCapacity = false;
        preventsScheduling = false;
    }

    @Override
    public void read(String field, ObjectInput in) throws IOException {
        if (!field.equals("spec")) {
            in.skip();
            return;
        }
        if (!in.beginObject()) {
            return;
        }
        for (String each = in.nextField(); each != null; each = in.nextField()) {
            switch (each) {
                case "storageCapacity" -> hasStorageCapacity = in.flag();
                case "preventPodSchedulingIfMissing" -> preventsScheduling = in.flag();
                default -> in.skip();
            }
        }
    }

    @Override
    public CsiDriver build(Metadata metadata) {
        return new CsiDriver(metadata.name, hasStorageCapacity, preventsScheduling);
    }
}
