package io.berth.api.model;

import io.berth.api.amount.Quantity;
import io.berth.api.label.Labels;
import io.berth.api.spec.NodeSelector;
import io.berth.api.spec.Volume;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Makes [PersistentVolume]s.
public final class PersistentVolumeBuilder {
    /// A source that scheduling asks nothing about, such as a folder of a host.
    public static final Volume.Source OTHER_SOURCE = new Volume.Other("");

    private String name;
    private String uid = "";
    private String resourceVersion = "";
    private Labels labels = Labels.EMPTY;
    private Quantity capacity = Quantity.ZERO;
    private Set<AccessMode> accessModes = Set.of();
    private String storageClass = "";
    private String volumeMode = PersistentVolume.FILESYSTEM;
    private String attributesClass = "";
    private PersistentVolume.@Nullable ClaimReference claim;
    private @Nullable NodeSelector nodeAffinity;
    private Volume.Source source = OTHER_SOURCE;
    private String phase = "";
    private boolean isDeleting;

    PersistentVolumeBuilder(String name) {
        this.name = name;
    }

    PersistentVolumeBuilder(PersistentVolume volume) {
        name = volume.name();
        uid = volume.uid();
        resourceVersion = volume.resourceVersion();
        labels = volume.labels();
        capacity = volume.capacity();
        accessModes = volume.accessModes();
        storageClass = volume.storageClass();
        volumeMode = volume.volumeMode();
        attributesClass = volume.attributesClass();
        claim = volume.claim();
        nodeAffinity = volume.nodeAffinity();
        source = volume.source();
        phase = volume.phase();
        isDeleting = volume.isDeleting();
    }

    public PersistentVolumeBuilder name(String value) {
        name = value;
        return this;
    }

    public PersistentVolumeBuilder uid(String value) {
        uid = value;
        return this;
    }

    public PersistentVolumeBuilder resourceVersion(String value) {
        resourceVersion = value;
        return this;
    }

    public PersistentVolumeBuilder labels(Labels value) {
        labels = value;
        return this;
    }

    public PersistentVolumeBuilder capacity(Quantity value) {
        capacity = value;
        return this;
    }

    public PersistentVolumeBuilder accessModes(AccessMode... modes) {
        accessModes = AccessMode.setOf(List.of(modes));
        return this;
    }

    public PersistentVolumeBuilder storageClass(String value) {
        storageClass = value;
        return this;
    }

    public PersistentVolumeBuilder volumeMode(String value) {
        volumeMode = value;
        return this;
    }

    public PersistentVolumeBuilder attributesClass(String value) {
        attributesClass = value;
        return this;
    }

    public PersistentVolumeBuilder claim(PersistentVolume.@Nullable ClaimReference value) {
        claim = value;
        return this;
    }

    public PersistentVolumeBuilder nodeAffinity(@Nullable NodeSelector value) {
        nodeAffinity = value;
        return this;
    }

    public PersistentVolumeBuilder source(Volume.Source value) {
        source = value;
        return this;
    }

    public PersistentVolumeBuilder phase(String value) {
        phase = value;
        return this;
    }

    public PersistentVolumeBuilder deleting(boolean value) {
        isDeleting = value;
        return this;
    }

    public PersistentVolume build() {
        return new PersistentVolume(
                name,
                uid,
                resourceVersion,
                labels,
                capacity,
                accessModes,
                storageClass,
                volumeMode,
                attributesClass,
                claim,
                nodeAffinity,
                source,
                phase,
                isDeleting);
    }
}
