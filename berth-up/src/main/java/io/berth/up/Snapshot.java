package io.berth.up;

import java.time.Duration;
import java.util.List;

/// The cluster at one moment, for drawing.
///
/// @param recent the latest placements, oldest first
record Snapshot(List<NodeUse> nodes, List<PendingPod> pending, List<String> recent, Counts counts) {
    Snapshot {
        nodes = List.copyOf(nodes);
        pending = List.copyOf(pending);
        recent = List.copyOf(recent);
    }

    record Amounts(long cpuMillis, long memoryBytes, long podCount) {
        static final Amounts NONE = new Amounts(0, 0, 0);

        Amounts plus(Amounts other) {
            return new Amounts(
                    cpuMillis + other.cpuMillis,
                    memoryBytes + other.memoryBytes,
                    podCount + other.podCount);
        }
    }

    record NodeUse(String name, String zone, boolean cordoned, Amounts used, Amounts room) {}

    /// @param reason empty as long as the scheduler has not said anything
    record PendingPod(String name, String reason) {}

    /// @param firstPlacement from the start of the cluster; zero before there was one
    record Counts(int pods, int running, int pending, int placed, Duration firstPlacement) {}

    /// All nodes taken together.
    NodeUse total() {
        Amounts used = nodes.stream().map(NodeUse::used).reduce(Amounts.NONE, Amounts::plus);
        Amounts room = nodes.stream().map(NodeUse::room).reduce(Amounts.NONE, Amounts::plus);
        return new NodeUse("all nodes", "", false, used, room);
    }
}
