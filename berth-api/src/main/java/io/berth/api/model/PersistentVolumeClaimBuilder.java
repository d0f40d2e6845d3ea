package io.berth.api.model;

import io.berth.api.amount.Quantity;
import io.berth.api.label.LabelSelector;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Makes [PersistentVolumeClaim]s.
public final class PersistentVolumeClaimBuilder {
    private final String namespace;
    private final String name;
    private String uid = "";
    private String resourceVersion = "";
    private String volumeName = "";
    private boolean isBindCompleted;
    private @Nullable String selectedNode;
    private boolean isAnnotated;
    private String storageClass = "";
    private Set<AccessMode> accessModes = Set.of();
    private @Nullable Quantity request;
    private LabelSelector selector = LabelSelector.EVERYTHING;
    private String volumeMode = PersistentVolume.FILESYSTEM;
    private String attributesClass = "";
    private String phase = "";
    private boolean isDeleting;
    private String controllerUid = "";

    PersistentVolumeClaimBuilder(String namespace, String name) {
        this.namespace = namespace;
        this.name = name;
    }

    PersistentVolumeClaimBuilder(PersistentVolumeClaim claim) {
        this(claim.namespace(), claim.name());
        uid = claim.uid();
        resourceVersion = claim.resourceVersion();
        volumeName = claim.volumeName();
        isBindCompleted = claim.isBindCompleted();
        selectedNode = claim.selectedNode();
        isAnnotated = claim.isAnnotated();
        storageClass = claim.storageClass();
        accessModes = claim.accessModes();
        request = claim.request();
        selector = claim.selector();
        volumeMode = claim.volumeMode();
        attributesClass = claim.attributesClass();
        phase = claim.phase();
        isDeleting = claim.isDeleting();
        controllerUid = claim.controllerUid();
    }

    public PersistentVolumeClaimBuilder uid(String value) {
        uid = value;
        return this;
    }

    public PersistentVolumeClaimBuilder resourceVersion(String value) {
        resourceVersion = value;
        return this;
    }

    public PersistentVolumeClaimBuilder volumeName(String value) {
        volumeName = value;
        return this;
    }

    public PersistentVolumeClaimBuilder bindCompleted(boolean value) {
        isBindCompleted = value;
        return this;
    }

    /// Has its volume for good.
    public PersistentVolumeClaimBuilder boundTo(String volume) {
        return volumeName(volume).bindCompleted(true).phase("Bound");
    }

    public PersistentVolumeClaimBuilder selectedNode(@Nullable String value) {
        selectedNode = value;
        return this;
    }

    /// Has annotations, be they others than those that are told here.
    public PersistentVolumeClaimBuilder annotated(boolean value) {
        isAnnotated = value;
        return this;
    }

    public PersistentVolumeClaimBuilder storageClass(String value) {
        storageClass = value;
        return this;
    }

    public PersistentVolumeClaimBuilder accessModes(AccessMode... modes) {
        accessModes = AccessMode.setOf(List.of(modes));
        return this;
    }

    public PersistentVolumeClaimBuilder request(@Nullable Quantity value) {
        request = value;
        return this;
    }

    public PersistentVolumeClaimBuilder selector(LabelSelector value) {
        selector = value;
        return this;
    }

    public PersistentVolumeClaimBuilder volumeMode(String value) {
        volumeMode = value;
        return this;
    }

    public PersistentVolumeClaimBuilder attributesClass(String value) {
        attributesClass = value;
        return this;
    }

    public PersistentVolumeClaimBuilder phase(String value) {
        phase = value;
        return this;
    }

    public PersistentVolumeClaimBuilder deleting(boolean value) {
        isDeleting = value;
        return this;
    }

    public PersistentVolumeClaimBuilder controllerUid(String value) {
        controllerUid = value;
        return this;
    }

    public PersistentVolumeClaim build() {
        return new PersistentVolumeClaim(
                namespace,
                name,
                uid,
                resourceVersion,
                volumeName,
                isBindCompleted,
                selectedNode,
                isAnnotated || isBindCompleted || selectedNode != null,
                storageClass,
                accessModes,
                request,
                selector,
                volumeMode,
                attributesClass,
                phase,
                isDeleting,
                controllerUid);
    }
}
