package io.berth.apiserver;

import io.berth.apiserver.json.Json;
import io.berth.apiserver.registry.Registry;
import io.berth.apiserver.registry.WriteOptions;
import io.berth.apiserver.resource.ResourceTable;
import io.berth.apiserver.resource.ResourceType;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/// What exists in every cluster from the start.
final class FirstObjects {
    private static final ResourceType NAMESPACES =
            ResourceTable.find("", "v1", "namespaces").orElseThrow();

    private FirstObjects() {}

    static void create(Registry registry) {
        for (String name : List.of("default", "kube-system", "kube-public", "kube-node-lease")) {
            ObjectNode namespace = Json.object();
            namespace.putObject("metadata").put("name", name);
            var unused = registry.create(NAMESPACES, "", namespace, WriteOptions.internal());
        }
    }
}
