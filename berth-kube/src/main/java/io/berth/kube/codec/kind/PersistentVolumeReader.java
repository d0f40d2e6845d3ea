package io.berth.kube.codec.kind;

import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolumeBuilder;
import io.berth.api.spec.NodeSelector;
import io.berth.kube.codec.wire.ObjectInput;
import io.berth.kube.codec.wire.Schema;
import io.berth.kube.codec.wire.Selectors;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads persistent volumes.
final class PersistentVolumeReader implements KindReader {
    private static final Schema SOURCE =
            new Schema()
                    .with(1, "gcePersistentDisk", new Schema().with(1, "pdName"))
                    .with(2, "awsElasticBlockStore", new Schema().with(1, "volumeID"))
                    .with(8, "cinder", new Schema().with(1, "volumeID"))
                    .with(13, "azureFile")
                    .with(14, "vsphereVolume", new Schema().with(1, "volumePath"))
                    .with(16, "azureDisk", Schemas.AZURE_DISK)
                    .with(18, "portworxVolume", new Schema().with(1, "volumeID"))
                    .with(22, "csi", new Schema().with(1, "driver").with(2, "volumeHandle"));
    private static final Schema SPEC =
            new Schema()
                    .withAmounts(1, "capacity")
                    .withInline(2, SOURCE)
                    .withList(3, "accessModes")
                    .with(
                            4,
                            "claimRef",
                            new Schema().with(2, "namespace").with(3, "name").with(4, "uid"))
                    .with(6, "storageClassName")
                    .with(8, "volumeMode")
                    .with(
                            9,
                            "nodeAffinity",
                            new Schema().with(1, "required", Schemas.NODE_SELECTOR))
                    .with(10, "volumeAttributesClassName");
    static final Schema SCHEMA = Schemas.object(SPEC, new Schema().with(1, "phase"));

    private static final Set<String> SOURCES =
            Set.of(
                    "gcePersistentDisk",
                    "awsElasticBlockStore",
                    "cinder",
                    "azureFile",
                    "vsphereVolume",
                    "azureDisk",
                    "portworxVolume",
                    "csi");

    private PersistentVolumeBuilder volume = PersistentVolume.named("");

    @Override
    public Metadata.Extent metadata() {
        return Metadata.Extent.ALL;
    }

    @Override
    public void clear() {
        volume = PersistentVolume.named("");
    }

    @Override
    public void read(String field, ObjectInput in) throws IOException {
        switch (field) {
            case "spec" -> readSpec(in);
            case "status" -> in.only("phase", () -> volume.phase(in.sharedText()));
            default -> in.skip();
        }
    }

    private void readSpec(ObjectInput in) throws IOException {
        if (!in.beginObject()) {
            return;
        }
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "capacity" -> readCapacity(in);
                case "accessModes" -> volume.accessModes(VolumeFields.accessModes(in));
                case "claimRef" -> volume.claim(claim(in));
                case "storageClassName" -> volume.storageClass(in.sharedText());
                case "volumeMode" -> volume.volumeMode(VolumeFields.volumeMode(in));
                case "nodeAffinity" ->
                        in.only("required", () -> volume.nodeAffinity(nodeAffinity(in)));
                case "volumeAttributesClassName" -> volume.attributesClass(in.sharedText());
                default -> readSource(field, in);
            }
        }
    }

    private void readCapacity(ObjectInput in) throws IOException {
        var storage = VolumeFields.storage(in);
        if (storage != null) {
            volume.capacity(storage);
        }
    }

    private void readSource(String field, ObjectInput in) throws IOException {
        if (SOURCES.contains(field) && !in.isNull()) {
            volume.source(VolumeReader.source(in, field));
        } else {
            in.skip();
        }
    }

    private static PersistentVolume.@Nullable ClaimReference claim(ObjectInput in)
            throws IOException {
        if (!in.beginObject()) {
            return null;
        }
        String namespace = "";
        String name = "";
        String uid = "";
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "namespace" -> namespace = in.sharedText();
                case "name" -> name = in.sharedText();
                case "uid" -> uid = in.sharedText();
                default -> in.skip();
            }
        }
        return new PersistentVolume.ClaimReference(namespace, name, uid);
    }

    /// Many volumes are in one zone, so they share who reaches them.
    private static @Nullable NodeSelector nodeAffinity(ObjectInput in) throws IOException {
        return in.beginObject() ? in.shared().part(Selectors.nodeSelector(in)) : null;
    }

    @Override
    public PersistentVolume build(Metadata metadata) {
        var annotated = metadata.annotations.value(VolumeFields.CLASS);
        if (annotated != null) {
            volume.storageClass(annotated);
        }
        return volume.name(metadata.name)
                .uid(metadata.uid)
                .resourceVersion(metadata.resourceVersion)
                .labels(metadata.labels)
                .deleting(metadata.deletedAt != null)
                .build();
    }
}
