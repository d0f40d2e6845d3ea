package io.berth.kube.codec.kind;

import io.berth.api.model.VolumeAttachment;
import io.berth.kube.codec.wire.ObjectInput;
import io.berth.kube.codec.wire.Schema;
import java.io.IOException;

/// Reads which volumes are attached to which nodes.
final class VolumeAttachmentReader implements KindReader {
    static final Schema SCHEMA =
            Schemas.object(
                    new Schema()
                            .with(1, "attacher")
                            .with(2, "source", new Schema().with(1, "persistentVolumeName"))
                            .with(3, "nodeName"),
                    new Schema());

    private String attacher = "";
    private String volumeName = "";
    private String nodeName = "";

    @Override
    public void clear() {
        attacher = "";
        volumeName = "";
        nodeName = "";
    }

    @Override
    public void read(String field, ObjectInput in) throws IOException {
        if (!field.equals("spec")) {
            in.skip();
            return;
        }
        if (!in.beginObject()) {
            return;
        }
        for (String each = in.nextField(); each != null; each = in.nextField()) {
            switch (each) {
                case "attacher" -> attacher = in.sharedText();
                case "source" ->
                        in.only("persistentVolumeName", () -> volumeName = in.sharedText());
                case "nodeName" -> nodeName = in.sharedText();
                default -> in.skip();
            }
        }
    }

    @Override
    public VolumeAttachment build(Metadata metadata) {
        return new VolumeAttachment(metadata.name, attacher, nodeName, volumeName);
    }
}
