package io.berth.api.model;

/// A driver of volumes, under its name.
///
/// @param hasStorageCapacity whether it tells how much room there is, see [CsiStorageCapacity]
/// @param preventsSchedulingIfMissing whether pods with its volumes stay away from nodes without it
public record CsiDriver(
        String name, boolean hasStorageCapacity, boolean preventsSchedulingIfMissing)
        implements ClusterObject {
    @Override
    public Kind kind() {
        return Kind.CSI_DRIVER;
    }

    @Override
    public String namespace() {
        return "";
    }
}
