package io.berth.api.model;

/// A volume that a driver attaches, or has attached, to a node.
///
/// @param attacher the driver
/// @param volumeName of the persistent volume; empty where it is none
public record VolumeAttachment(String name, String attacher, String nodeName, String volumeName)
        implements ClusterObject {
    @Override
    public Kind kind() {
        return Kind.VOLUME_ATTACHMENT;
    }

    @Override
    public String namespace() {
        return "";
    }
}
