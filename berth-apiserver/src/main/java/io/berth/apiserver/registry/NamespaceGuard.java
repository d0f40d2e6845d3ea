package io.berth.apiserver.registry;

import io.berth.apiserver.resource.ResourceTable;
import io.berth.apiserver.resource.ResourceType;
import io.berth.apiserver.status.ApiErrors;
import io.berth.apiserver.status.Status.Cause;
import io.berth.apiserver.store.Store;
import io.berth.apiserver.store.StoredObject;
import java.util.List;
import java.util.Set;

/// Lets objects be created in existing namespaces only, and none in one that is going away.
final class NamespaceGuard {
    static final ResourceType NAMESPACES = ResourceTable.find("", "v1", "namespaces").orElseThrow();
    private static final Set<String> IMMORTAL = Set.of("default", "kube-system", "kube-public");

    private final Store store;

    NamespaceGuard(Store store) {
        this.store = store;
    }

    void checkCreate(ResourceType type, String namespace, String name) {
        if (!type.namespaced()) {
            return;
        }
        StoredObject found =
                store.get(NAMESPACES, namespace)
                        .orElseThrow(() -> ApiErrors.notFound(NAMESPACES, namespace));
        if (found.field("status.phase").equals("Terminating")) {
            throw ApiErrors.forbidden(
                    type.group(),
                    type.plural(),
                    name,
                    "unable to create new content in namespace "
                            + namespace
                            + " because it is being terminated",
                    List.of(
                            new Cause(
                                    "NamespaceTerminating",
                                    "namespace " + namespace + " is being terminated",
                                    "metadata.namespace")));
        }
    }

    void checkDelete(ResourceType type, String name) {
        if (type.equals(NAMESPACES) && IMMORTAL.contains(name)) {
            throw ApiErrors.forbidden(type, name, "this namespace may not be deleted");
        }
    }
}
