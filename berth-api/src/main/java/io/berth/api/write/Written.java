package io.berth.api.write;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import org.jspecify.annotations.Nullable;

/// An object that was written, by its version from then on.
///
/// @param key `namespace/name`, or the name alone outside namespaces
/// @param object as it is from then on; null where its version is enough
public record Written(
        Kind kind, String key, String resourceVersion, @Nullable ClusterObject object) {
    public Written(Kind kind, String key, String resourceVersion) {
        this(kind, key, resourceVersion, null);
    }
}
