package io.berth.apiserver.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/// What admission looks up in the store.
public interface ClusterFacts {
    /// All PriorityClass objects.
    List<ObjectNode> priorityClasses();

    /// All StorageClass objects.
    List<ObjectNode> storageClasses();

    /// A cluster with neither.
    ClusterFacts NONE =
            new ClusterFacts() {
                @Override
                public List<ObjectNode> priorityClasses() {
                    return List.of();
                }

                @Override
                public List<ObjectNode> storageClasses() {
                    return List.of();
                }
            };
}
