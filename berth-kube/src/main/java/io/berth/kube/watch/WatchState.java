package io.berth.kube.watch;

import io.berth.api.model.Kind;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// How a watch is doing, for health checks and people.
///
/// @param synced whether the first complete list has been delivered
/// @param objects how many objects there are
/// @param lastError what went wrong last; null where nothing did, or since it works again
/// @param lastContact when the server last answered or sent something
/// @param lists how many complete lists were read
public record WatchState(
        Kind kind,
        boolean synced,
        int objects,
        String resourceVersion,
        @Nullable String lastError,
        @Nullable Instant lastContact,
        long lists,
        long watches) {}
