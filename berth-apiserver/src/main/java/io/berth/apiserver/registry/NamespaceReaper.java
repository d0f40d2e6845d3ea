package io.berth.apiserver.registry;

import io.berth.apiserver.registry.Registry.Target;
import io.berth.apiserver.resource.ResourceType;
import io.berth.apiserver.store.ObjectPath;
import io.berth.apiserver.store.StoredObject;

/// Empties namespaces that are being deleted and then lets them go. In a real cluster a controller
/// does this; here the server does, so that `kubectl delete namespace` comes to an end.
///
/// There may be no kubelet that stops pods, so pods go without grace; objects with finalizers keep
/// their namespace until those are removed, as in a real cluster.
public final class NamespaceReaper {
    private final Registry registry;

    public NamespaceReaper(Registry registry) {
        this.registry = registry;
    }

    /// One round over all namespaces. Cheap when none is going away.
    public void sweep() {
        for (StoredObject namespace :
                registry.store().list(NamespaceGuard.NAMESPACES, "").objects()) {
            if (namespace.field("status.phase").equals("Terminating") && isEmptied(namespace)) {
                registry.dropFinalizer(
                        new Target(NamespaceGuard.NAMESPACES, "", namespace.name(), "finalize"),
                        "spec",
                        "kubernetes");
            }
        }
    }

    private boolean isEmptied(StoredObject namespace) {
        boolean empty = true;
        for (ResourceType type : registry.kinds().all()) {
            if (!type.namespaced() || !View.of(type).storage().equals(type)) {
                continue;
            }
            String prefix = ObjectPath.prefix(namespace.name());
            for (StoredObject object : registry.store().list(type, prefix).objects()) {
                empty &= registry.isRemoved(object);
            }
        }
        return empty;
    }
}
