package io.berth.kube.codec;

import io.berth.kube.client.ApiStatus;

/// One line of a watch.
public sealed interface WatchEvent {
    /// An object was added or changed.
    record Seen(Decoded object) implements WatchEvent {}

    /// An object is gone; only its identity is filled in.
    record Gone(Decoded object) implements WatchEvent {}

    /// Nothing changed up to this version.
    ///
    /// @param initialEventsEnd whether all objects that existed at the start have been sent
    record Bookmark(String resourceVersion, boolean initialEventsEnd) implements WatchEvent {}

    /// The server ends the watch.
    record Failed(ApiStatus status) implements WatchEvent {}

    /// An event of a type that this version does not know, or one without an object.
    record Unknown(String type) implements WatchEvent {}
}
