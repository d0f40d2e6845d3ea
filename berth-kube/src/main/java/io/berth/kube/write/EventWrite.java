package io.berth.kube.write;

import org.jspecify.annotations.Nullable;

/// One event on its way to the server, in either of the two forms that the API has.
interface EventWrite {
    /// Where events of its namespace are created.
    String collection();

    String name();

    /// The whole event.
    byte[] create();

    /// What has changed since the server last heard of it; null for news.
    byte @Nullable [] patch();
}
