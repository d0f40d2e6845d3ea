package io.berth.kube.codec.kind;

import io.berth.api.amount.Quantity;
import io.berth.api.model.AccessMode;
import io.berth.api.model.PersistentVolume;
import io.berth.kube.codec.wire.ObjectInput;
import java.io.IOException;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;

/// Reads what persistent volumes and claims have in common.
final class VolumeFields {
    /// The annotation that named the class before there was a field; where it is, it counts.
    static final String CLASS = "volume.beta.kubernetes.io/storage-class";

    private VolumeFields() {}

    static AccessMode[] accessModes(ObjectInput in) throws IOException {
        var modes = EnumSet.noneOf(AccessMode.class);
        for (var text : in.texts()) {
            var mode = AccessMode.of(text);
            if (mode != null) {
                modes.add(mode);
            }
        }
        return modes.toArray(AccessMode[]::new);
    }

    static String volumeMode(ObjectInput in) throws IOException {
        String mode = in.sharedText();
        return mode.isEmpty() ? PersistentVolume.FILESYSTEM : mode;
    }

    /// The amount of storage among others; null where it is not there.
    static @Nullable Quantity storage(ObjectInput in) throws IOException {
        return in.resources().get("storage");
    }
}
