package io.berth.api.write;

import io.berth.api.model.Kind;

/// An object that was written, by its version from then on.
///
/// @param key `namespace/name`, or the name alone outside namespaces
public record Written(Kind kind, String key, String resourceVersion) {}
