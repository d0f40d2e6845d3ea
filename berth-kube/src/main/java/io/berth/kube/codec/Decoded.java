package io.berth.kube.codec;

import io.berth.api.model.ClusterObject;
import org.jspecify.annotations.Nullable;

/// An object as it came over the wire, with the identity that every object of the API has.
///
/// @param object null where only the identity was asked for, or where the rest could not be read
public record Decoded(
        String namespace,
        String name,
        String uid,
        String resourceVersion,
        @Nullable ClusterObject object) {
    /// `namespace/name`, or the name alone outside namespaces.
    public String key() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
