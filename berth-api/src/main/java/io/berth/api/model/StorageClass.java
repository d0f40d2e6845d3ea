package io.berth.api.model;

import io.berth.api.spec.NodeSelector;

/// A sort of volumes: who makes them, when, and for which nodes.
///
/// @param provisioner who makes them
/// @param allowedTopologies the nodes for which they can be made; without terms, all
public record StorageClass(
        String name, String provisioner, BindingMode bindingMode, NodeSelector allowedTopologies)
        implements ClusterObject {
    /// The provisioner of classes whose volumes somebody has made before.
    public static final String NO_PROVISIONER = "kubernetes.io/no-provisioner";

    /// When a claim gets its volume.
    public enum BindingMode {
        /// The object does not say, which no API server lets happen.
        UNSET,
        IMMEDIATE,
        WAIT_FOR_FIRST_CONSUMER
    }

    @Override
    public Kind kind() {
        return Kind.STORAGE_CLASS;
    }

    @Override
    public String namespace() {
        return "";
    }
}
