package io.berth.apiserver.http;

import io.berth.apiserver.resource.ResourceType;
import io.berth.apiserver.resource.ServedTypes;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A URL path below a group and version, read as a resource.
///
/// @param namespace empty for cluster resources and for "all namespaces"
/// @param name empty for a collection
/// @param subresource empty for the object itself
/// @param watch the deprecated form `/api/v1/watch/...`
record ResourcePath(
        ResourceType type, String namespace, String name, String subresource, boolean watch) {
    private static final Set<String> NAMESPACE_SUBRESOURCES = Set.of("status", "finalize");

    /// @param segments what follows the version in the path
    static Optional<ResourcePath> parse(
            ServedTypes served, String group, String version, List<String> segments) {
        boolean watch = !segments.isEmpty() && segments.getFirst().equals("watch");
        List<String> rest = watch ? segments.subList(1, segments.size()) : segments;
        String namespace = "";
        boolean scoped =
                rest.size() > 2
                        && rest.getFirst().equals("namespaces")
                        && !(group.isEmpty()
                                && rest.size() == 3
                                && NAMESPACE_SUBRESOURCES.contains(rest.get(2)));
        if (scoped) {
            namespace = rest.get(1);
            rest = rest.subList(2, rest.size());
        }
        if (rest.isEmpty() || rest.size() > 3 || rest.stream().anyMatch(String::isEmpty)) {
            return Optional.empty();
        }
        Optional<ResourceType> type = served.find(group, version, rest.getFirst());
        if (type.isEmpty() || (scoped && !type.get().namespaced())) {
            return Optional.empty();
        }
        String name = rest.size() > 1 ? rest.get(1) : "";
        String subresource = rest.size() > 2 ? rest.get(2) : "";
        boolean unknown = !subresource.isEmpty() && !type.get().hasSubresource(subresource);
        boolean unscopedName = type.get().namespaced() && !scoped && !name.isEmpty();
        if (unknown || unscopedName || (scoped && namespace.isEmpty())) {
            return Optional.empty();
        }
        return Optional.of(new ResourcePath(type.get(), namespace, name, subresource, watch));
    }

    boolean isCollection() {
        return name.isEmpty();
    }

    /// Reads of all namespaces are allowed, writes need one.
    boolean isAllNamespaces() {
        return type.namespaced() && namespace.isEmpty();
    }
}
