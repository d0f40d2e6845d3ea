package io.berth.kube.codec.kind;

import io.berth.api.model.ClusterObject;
import io.berth.kube.codec.wire.ObjectInput;
import java.io.IOException;

/// Reads what objects of one kind have beside their metadata, from JSON and protobuf alike.
///
/// Holds what it has read of the present object, so it serves one stream and one thread. A kind is
/// one such file, its record in the model, and a line in [KindTable] and in
/// [io.berth.api.model.Kind].
public interface KindReader {
    /// Forgets the object before.
    void clear();

    /// Reads the value of a field of the object itself, such as `spec`, or passes over it.
    void read(String field, ObjectInput in) throws IOException;

    ClusterObject build(Metadata metadata);

    /// How much of the metadata is wanted.
    default Metadata.Extent metadata() {
        return Metadata.Extent.WITHOUT_ANNOTATIONS;
    }
}
