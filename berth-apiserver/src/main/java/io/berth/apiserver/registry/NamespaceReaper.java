package io.berth.apiserver.registry;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.berth.apiserver.json.Json;
import io.berth.apiserver.registry.Registry.Target;
import io.berth.apiserver.resource.ResourceTable;
import io.berth.apiserver.resource.ResourceType;
import io.berth.apiserver.status.ApiException;
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
                release(namespace.name());
            }
        }
    }

    private boolean isEmptied(StoredObject namespace) {
        boolean empty = true;
        for (ResourceType type : ResourceTable.ALL) {
            if (!type.namespaced() || !View.of(type).storage().equals(type)) {
                continue;
            }
            String prefix = ObjectPath.prefix(namespace.name());
            for (StoredObject object : registry.store().list(type, prefix).objects()) {
                empty &= isRemoved(object);
            }
        }
        return empty;
    }

    private boolean isRemoved(StoredObject object) {
        try {
            DeleteOptions options =
                    DeleteOptions.DEFAULT.withGrace(0).withPropagation("Background");
            return registry.delete(object.type(), object.namespace(), object.name(), options)
                    .removed();
        } catch (ApiException e) {
            // Gone by another hand, or changed just now: the next round will tell.
            return false;
        }
    }

    private void release(String name) {
        try {
            var _ =
                    registry.update(
                            new Target(NamespaceGuard.NAMESPACES, "", name, "finalize"),
                            namespace -> {
                                ArrayNode rest = Json.array();
                                namespace
                                        .path("spec")
                                        .path("finalizers")
                                        .forEach(f -> {
                                            if (!f.asText().equals("kubernetes")) {
                                                rest.add(f);
                                            }
                                        });
                                Json.ensure(namespace, "spec").set("finalizers", rest);
                                return namespace;
                            },
                            WriteOptions.internal());
        } catch (ApiException e) {
            // Removed by another hand between the list and the update.
        }
    }
}
