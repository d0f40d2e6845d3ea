package io.berth.plugins.noderesources;

import io.berth.api.amount.ResourceName;
import io.berth.api.amount.Resources;
import io.berth.api.column.NodeColumns;
import java.util.ArrayList;
import java.util.List;

/// The resources that count in a score of one pod, as columns. A resource that no node offers, and
/// a scalar one that the pod does not ask for, does not count and is left out (NF-10).
///
/// @param allocatable one column per resource
/// @param used one column per resource
/// @param asked what the pod adds
record ScoredResources(long[][] allocatable, long[][] used, long[] asked, long[] weights) {
    /// @param nonZero whether cpu and memory count with defaults for containers without requests
    static ScoredResources of(
            List<ResourceWeight> resources,
            Resources request,
            boolean nonZero,
            NodeColumns columns) {
        var allocatable = new ArrayList<long[]>();
        var used = new ArrayList<long[]>();
        var asked = new ArrayList<Long>();
        var weights = new ArrayList<Long>();
        for (var resource : resources) {
            var name = resource.name();
            switch (name) {
                case Resources.CPU -> {
                    allocatable.add(columns.allocatableCpuMillis());
                    used.add(nonZero ? columns.nonZeroCpuMillis() : columns.requestedCpuMillis());
                }
                case Resources.MEMORY -> {
                    allocatable.add(columns.allocatableMemoryBytes());
                    used.add(
                            nonZero
                                    ? columns.nonZeroMemoryBytes()
                                    : columns.requestedMemoryBytes());
                }
                case Resources.EPHEMERAL_STORAGE -> {
                    allocatable.add(columns.allocatableEphemeralBytes());
                    used.add(columns.requestedEphemeralBytes());
                }
                default -> {
                    if (!ResourceName.isScalar(name) || request.scalar(name) == 0) {
                        continue;
                    }
                    var column = columns.scalar(name);
                    allocatable.add(column.allocatable());
                    used.add(column.requested());
                }
            }
            asked.add(request.amount(name));
            weights.add(resource.weight());
        }
        return new ScoredResources(
                allocatable.toArray(long[][]::new),
                used.toArray(long[][]::new),
                asked.stream().mapToLong(Long::longValue).toArray(),
                weights.stream().mapToLong(Long::longValue).toArray());
    }

    int count() {
        return asked.length;
    }
}
