package io.berth.apiserver.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.admission.ClusterFacts;
import io.berth.apiserver.resource.ResourceTable;
import io.berth.apiserver.resource.ResourceType;
import io.berth.apiserver.store.Store;
import io.berth.apiserver.store.StoredObject;
import java.util.List;

/// Looks up in the store what admission wants to know.
record StoredFacts(Store store) implements ClusterFacts {
    private static final ResourceType PRIORITY_CLASSES =
            ResourceTable.find("scheduling.k8s.io", "v1", "priorityclasses").orElseThrow();
    private static final ResourceType STORAGE_CLASSES =
            ResourceTable.find("storage.k8s.io", "v1", "storageclasses").orElseThrow();

    @Override
    public List<ObjectNode> priorityClasses() {
        return all(PRIORITY_CLASSES);
    }

    @Override
    public List<ObjectNode> storageClasses() {
        return all(STORAGE_CLASSES);
    }

    private List<ObjectNode> all(ResourceType type) {
        return store.list(type, "").objects().stream().map(StoredObject::tree).toList();
    }
}
