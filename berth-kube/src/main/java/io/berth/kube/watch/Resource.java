package io.berth.kube.watch;

import io.berth.api.model.Kind;
import io.berth.kube.client.ApiRequest;
import org.jspecify.annotations.Nullable;

/// Where the objects of a kind are found in the API, over all namespaces.
///
/// @param fieldSelector restricts what is followed; null for everything
public record Resource(Kind kind, String path, @Nullable String fieldSelector) {
    /// Pods that have ended do not concern the scheduler; one that ends appears as deleted (E-65).
    private static final String NOT_ENDED = "status.phase!=Succeeded,status.phase!=Failed";

    public static Resource of(Kind kind) {
        return new Resource(kind, kind.path(), kind == Kind.POD ? NOT_ENDED : null);
    }

    /// The plural name, as it stands in the path.
    public String plural() {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    ApiRequest request() {
        var request = ApiRequest.get(path);
        return fieldSelector == null ? request : request.with("fieldSelector", fieldSelector);
    }
}
