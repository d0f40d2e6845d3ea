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
        return switch (kind) {
            case POD -> new Resource(kind, "/api/v1/pods", NOT_ENDED);
            case NODE -> new Resource(kind, "/api/v1/nodes", null);
            case NAMESPACE -> new Resource(kind, "/api/v1/namespaces", null);
            case SERVICE -> new Resource(kind, "/api/v1/services", null);
            case REPLICATION_CONTROLLER ->
                    new Resource(kind, "/api/v1/replicationcontrollers", null);
            case REPLICA_SET -> new Resource(kind, "/apis/apps/v1/replicasets", null);
            case STATEFUL_SET -> new Resource(kind, "/apis/apps/v1/statefulsets", null);
            case POD_DISRUPTION_BUDGET ->
                    new Resource(kind, "/apis/policy/v1/poddisruptionbudgets", null);
        };
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
