package io.berth.api.model;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the drivers of volumes say about a node, under the node's name.
///
/// @param migratedPlugins the plugins in the tree that a driver stands in for on this node, by the
///   annotation `storage.alpha.kubernetes.io/migrated-plugins`
public record CsiNode(String name, List<Driver> drivers, Set<String> migratedPlugins)
        implements ClusterObject {
    public static final int UNLIMITED = -1;

    /// @param count how many of its volumes the node takes, or [#UNLIMITED] where it does not say
    public record Driver(String name, int count) {
        public boolean isLimited() {
            return count != UNLIMITED;
        }
    }

    public CsiNode {
        drivers = List.copyOf(drivers);
        migratedPlugins = Set.copyOf(migratedPlugins);
    }

    /// What a driver says; null where it is not installed on the node.
    public @Nullable Driver driver(String name) {
        for (var driver : drivers) {
            if (driver.name.equals(name)) {
                return driver;
            }
        }
        return null;
    }

    @Override
    public Kind kind() {
        return Kind.CSI_NODE;
    }

    @Override
    public String namespace() {
        return "";
    }
}
