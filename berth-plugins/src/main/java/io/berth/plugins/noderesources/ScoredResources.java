package io.berth.plugins.noderesources;

import io.berth.api.amount.ResourceName;
import io.berth.api.amount.Resources;
import io.berth.api.column.NodeColumns;
import io.berth.plugins.device.DeviceTotals;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The resources that count in a score of one pod, as columns. A resource that no node offers, and
/// a scalar one that the pod does not ask for, does not count and is left out (NF-10).
///
/// @param allocatable one column per resource
/// @param used one column per resource
/// @param asked what the pod adds
/// @param devices that stand for a resource where a node offers none of it; null where none do
record ScoredResources(
        NodeColumns columns,
        long[][] allocatable,
        long[][] used,
        long[] asked,
        long[] weights,
        DeviceTotals.@Nullable OfResource[] devices) {
    /// @param nonZero whether cpu and memory count with defaults for containers without requests
    static ScoredResources of(
            List<ResourceWeight> resources,
            Resources request,
            boolean nonZero,
            NodeColumns columns,
            @Nullable DeviceTotals totals) {
        var allocatable = new ArrayList<long[]>();
        var used = new ArrayList<long[]>();
        var asked = new ArrayList<Long>();
        var weights = new ArrayList<Long>();
        var devices = new ArrayList<DeviceTotals.@Nullable OfResource>();
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
            devices.add(totals == null ? null : totals.of(name));
        }
        return new ScoredResources(
                columns,
                allocatable.toArray(long[][]::new),
                used.toArray(long[][]::new),
                asked.stream().mapToLong(Long::longValue).toArray(),
                weights.stream().mapToLong(Long::longValue).toArray(),
                devices.toArray(DeviceTotals.OfResource[]::new));
    }

    /// What a node has of a resource; 0 where it does not count there. Hot.
    long capacity(int resource, int slot) {
        long offered = allocatable[resource][slot];
        var standIn = devices[resource];
        return offered != 0 || standIn == null ? offered : standIn.total(columns, slot);
    }

    /// What is taken of it. Hot.
    long taken(int resource, int slot) {
        var standIn = devices[resource];
        return standIn == null || allocatable[resource][slot] != 0
                ? used[resource][slot]
                : standIn.used(columns, slot);
    }

    int count() {
        return asked.length;
    }
}
