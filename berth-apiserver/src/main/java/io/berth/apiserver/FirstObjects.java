package io.berth.apiserver;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.admission.SystemObjects;
import io.berth.apiserver.json.Json;
import io.berth.apiserver.registry.Registry;
import io.berth.apiserver.registry.WriteOptions;
import io.berth.apiserver.resource.ResourceTable;
import io.berth.apiserver.resource.ResourceType;

/// Puts into a new store what exists in every cluster from the start.
final class FirstObjects {
    private static final ResourceType NAMESPACES =
            ResourceTable.find("", "v1", "namespaces").orElseThrow();
    private static final ResourceType PRIORITY_CLASSES =
            ResourceTable.find("scheduling.k8s.io", "v1", "priorityclasses").orElseThrow();

    private static final ResourceType CONFIG_MAPS =
            ResourceTable.find("", "v1", "configmaps").orElseThrow();

    private FirstObjects() {}

    /// Creates the objects.
    ///
    /// @param clientCa the certificate that clients are checked with; other components look it up
    static void create(Registry registry, String clientCa) {
        SystemObjects.namespaces().forEach(o -> create(registry, NAMESPACES, o));
        SystemObjects.priorityClasses().forEach(o -> create(registry, PRIORITY_CLASSES, o));
        ObjectNode authentication = Json.object();
        authentication
                .putObject("metadata")
                .put("name", "extension-apiserver-authentication")
                .put("namespace", "kube-system");
        authentication.putObject("data").put("client-ca-file", clientCa);
        create(registry, CONFIG_MAPS, authentication);
    }

    private static void create(Registry registry, ResourceType type, ObjectNode object) {
        var _ =
                registry.create(
                        type,
                        Json.text(object, "metadata.namespace"),
                        object,
                        WriteOptions.internal());
    }
}
