package io.berth.kube.codec;

import io.berth.api.model.ClusterObject;
import org.jspecify.annotations.Nullable;

/// An object as it came over the wire, with the identity that every object of the API has.
///
/// @param object null where only the identity was asked for, or where the rest could not be read
/// @param raw the object as JSON; null where it was not asked for
public record Decoded(
        String namespace,
        String name,
        String uid,
        String resourceVersion,
        @Nullable ClusterObject object,
        byte @Nullable [] raw) {
    public Decoded(
            String namespace,
            String name,
            String uid,
            String resourceVersion,
            @Nullable ClusterObject object) {
        this(namespace, name, uid, resourceVersion, object, null);
    }

    Decoded withRaw(byte[] json) {
        return new Decoded(namespace, name, uid, resourceVersion, object, json);
    }

    /// `namespace/name`, or the name alone outside namespaces.
    public String key() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
