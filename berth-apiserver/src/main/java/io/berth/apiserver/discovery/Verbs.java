package io.berth.apiserver.discovery;

import io.berth.apiserver.resource.ResourceType;
import java.util.List;

/// Which verbs a resource or subresource answers, and which kind it speaks.
final class Verbs {
    private static final List<String> ALL =
            List.of(
                    "create",
                    "delete",
                    "deletecollection",
                    "get",
                    "list",
                    "patch",
                    "update",
                    "watch");
    private static final List<String> WITHOUT_COLLECTION =
            List.of("create", "delete", "get", "list", "patch", "update", "watch");

    private Verbs() {}

    /// Namespaces are never deleted by the dozen.
    static List<String> of(ResourceType type) {
        return type.builtInKind().equals("Namespace") ? WITHOUT_COLLECTION : ALL;
    }

    static List<String> of(String subresource) {
        return switch (subresource) {
            case "binding", "eviction", "token" -> List.of("create");
            case "finalize" -> List.of("update");
            case "log" -> List.of("get");
            default -> List.of("get", "patch", "update");
        };
    }

    /// The kind that a subresource takes and returns.
    static KindName kind(ResourceType type, String subresource) {
        return switch (subresource) {
            case "binding" -> new KindName("", "v1", "Binding");
            case "eviction" -> new KindName("policy", "v1", "Eviction");
            case "scale" -> new KindName("autoscaling", "v1", "Scale");
            default -> new KindName(type.group(), type.version(), type.kind());
        };
    }

    /// Group, version and kind.
    record KindName(String group, String version, String kind) {
        String apiVersion() {
            return group.isEmpty() ? version : group + "/" + version;
        }
    }
}
