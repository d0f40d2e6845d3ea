package io.berth.apiserver;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.admission.SystemObjects;
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

    private FirstObjects() {}

    static void create(Registry registry) {
        SystemObjects.namespaces().forEach(o -> create(registry, NAMESPACES, o));
        SystemObjects.priorityClasses().forEach(o -> create(registry, PRIORITY_CLASSES, o));
    }

    private static void create(Registry registry, ResourceType type, ObjectNode object) {
        var _ = registry.create(type, "", object, WriteOptions.internal());
    }
}
