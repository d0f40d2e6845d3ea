package io.berth.kube.codec.kind;

import io.berth.api.amount.Quantity;
import io.berth.api.label.LabelSelector;
import io.berth.api.model.AccessMode;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.kube.codec.wire.ObjectInput;
import io.berth.kube.codec.wire.Schema;
import io.berth.kube.codec.wire.Selectors;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Reads claims of volumes.
final class PersistentVolumeClaimReader implements KindReader {
    static final Schema SCHEMA =
            Schemas.object(
                    new Schema()
                            .withList(1, "accessModes")
                            .with(2, "resources", new Schema().withAmounts(2, "requests"))
                            .with(3, "volumeName")
                            .with(4, "selector", Schemas.LABEL_SELECTOR)
                            .with(5, "storageClassName")
                            .with(6, "volumeMode")
                            .with(9, "volumeAttributesClassName"),
                    new Schema().with(1, "phase"));

    private static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";
    private static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

    private AccessMode[] accessModes = {};
    private @Nullable Quantity request;
    private String volumeName = "";
    private LabelSelector selector = LabelSelector.EVERYTHING;
    private String storageClass = "";
    private String volumeMode = PersistentVolume.FILESYSTEM;
    private String attributesClass = "";
    private String phase = "";

    @Override
    public Metadata.Extent metadata() {
        return Metadata.Extent.ALL;
    }

    @Override
    public void clear() {
        accessModes = new AccessMode[0];
        request = null;
        volumeName = "";
        selector = LabelSelector.EVERYTHING;
        storageClass = "";
        volumeMode = PersistentVolume.FILESYSTEM;
        attributesClass = "";
        phase = "";
    }

    @Override
    public void read(String field, ObjectInput in) throws IOException {
        switch (field) {
            case "spec" -> readSpec(in);
            case "status" -> in.only("phase", () -> phase = in.sharedText());
            default -> in.skip();
        }
    }

    private void readSpec(ObjectInput in) throws IOException {
        if (!in.beginObject()) {
            return;
        }
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "accessModes" -> accessModes = VolumeFields.accessModes(in);
                case "resources" -> in.only("requests", () -> request = VolumeFields.storage(in));
                case "volumeName" -> volumeName = in.sharedText();
                case "selector" -> readSelector(in);
                case "storageClassName" -> storageClass = in.sharedText();
                case "volumeMode" -> volumeMode = VolumeFields.volumeMode(in);
                case "volumeAttributesClassName" -> attributesClass = in.sharedText();
                default -> in.skip();
            }
        }
    }

    /// Unlike other selectors, one that is absent leaves every volume.
    private void readSelector(ObjectInput in) throws IOException {
        if (in.isNull()) {
            in.skip();
        } else {
            selector = Selectors.labelSelector(in);
        }
    }

    @Override
    public PersistentVolumeClaim build(Metadata metadata) {
        var annotations = metadata.annotations;
        var annotated = annotations.value(VolumeFields.CLASS);
        return PersistentVolumeClaim.named(metadata.namespace, metadata.name)
                .uid(metadata.uid)
                .resourceVersion(metadata.resourceVersion)
                .volumeName(volumeName)
                .bindCompleted(annotations.has(BIND_COMPLETED))
                .selectedNode(annotations.value(SELECTED_NODE))
                .annotated(!annotations.isEmpty())
                .storageClass(annotated == null ? storageClass : annotated)
                .accessModes(accessModes)
                .request(request)
                .selector(selector)
                .volumeMode(volumeMode)
                .attributesClass(attributesClass)
                .phase(phase)
                .deleting(metadata.deletedAt != null)
                .controllerUid(metadata.controller == null ? "" : metadata.controller.uid())
                .build();
    }
}
