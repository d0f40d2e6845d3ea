package io.berth.api.assume;

import java.util.function.Function;

/// How to tell objects, and their versions, apart.
///
/// @param key `namespace/name`, or the name alone outside namespaces
/// @param version the `resourceVersion`
public record Identity<T>(Function<T, String> key, Function<T, String> version) {
    String keyOf(T object) {
        return key.apply(object);
    }

    String versionOf(T object) {
        return version.apply(object);
    }
}
