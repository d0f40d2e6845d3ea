package io.berth.kube.write;

import static io.berth.kube.write.HttpClusterWrites.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonToken;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.write.Write;
import io.berth.kube.client.ApiRequest;
import java.io.IOException;

/// What the scheduler writes of volumes and claims, as patches that are refused where the object is
/// no longer the version that was looked at. Upstream sends whole objects, of which Berth keeps but
/// a part.
final class VolumeWrites {
    private static final JsonFactory JSON = new JsonFactory();

    private VolumeWrites() {}

    static ApiRequest of(Write.ReserveVolume write) {
        var claim = write.claim();
        byte[] body =
                json(out -> {
                    out.writeStartObject();
                    out.writeObjectFieldStart("metadata");
                    out.writeStringField("resourceVersion", write.volume().resourceVersion());
                    if (write.isNew()) {
                        annotate(out, "pv.kubernetes.io/bound-by-controller", "yes");
                    }
                    out.writeEndObject();
                    if (!names(write.volume(), claim)) {
                        out.writeObjectFieldStart("spec");
                        refer(out, claim);
                        out.writeEndObject();
                    }
                    out.writeEndObject();
                });
        return ApiRequest.patch(
                "/api/v1/persistentvolumes/" + write.volume().name(), ApiRequest.MERGE_PATCH, body);
    }

    /// Whether the volume names the very claim already. Then nothing is changed, as upstream has
    /// it; the version is held against the server's all the same.
    private static boolean names(PersistentVolume volume, PersistentVolumeClaim claim) {
        var reference = volume.claim();
        return reference != null
                && reference.namespace().equals(claim.namespace())
                && reference.name().equals(claim.name())
                && reference.uid().equals(claim.uid());
    }

    private static void refer(JsonGenerator out, PersistentVolumeClaim claim) throws IOException {
        out.writeObjectFieldStart("claimRef");
        out.writeStringField("kind", "PersistentVolumeClaim");
        out.writeStringField("apiVersion", "v1");
        out.writeStringField("namespace", claim.namespace());
        out.writeStringField("name", claim.name());
        out.writeStringField("uid", claim.uid());
        out.writeStringField("resourceVersion", claim.resourceVersion());
        out.writeEndObject();
    }

    static ApiRequest of(Write.SelectNode write) {
        var claim = write.claim();
        byte[] body =
                json(out -> {
                    out.writeStartObject();
                    out.writeObjectFieldStart("metadata");
                    out.writeStringField("resourceVersion", claim.resourceVersion());
                    annotate(out, "volume.kubernetes.io/selected-node", write.node());
                    out.writeEndObject();
                    out.writeEndObject();
                });
        return ApiRequest.patch(
                "/api/v1/namespaces/%s/persistentvolumeclaims/%s"
                        .formatted(claim.namespace(), claim.name()),
                ApiRequest.MERGE_PATCH,
                body);
    }

    private static void annotate(JsonGenerator out, String key, String value) throws IOException {
        out.writeObjectFieldStart("annotations");
        out.writeStringField(key, value);
        out.writeEndObject();
    }

    /// `metadata.resourceVersion` of an answer; empty where it has none.
    static String versionIn(byte[] object) {
        try (var in = JSON.createParser(object)) {
            boolean isMetadata = false;
            for (int depth = 0; ; ) {
                JsonToken token = in.nextToken();
                if (token == null) {
                    return "";
                }
                if (token.isStructStart()) {
                    depth++;
                } else if (token.isStructEnd()) {
                    depth--;
                } else if (token == JsonToken.FIELD_NAME && depth == 1) {
                    isMetadata = in.currentName().equals("metadata");
                } else if (token == JsonToken.VALUE_STRING
                        && depth == 2
                        && isMetadata
                        && in.currentName().equals("resourceVersion")) {
                    return in.getText();
                }
            }
        } catch (IOException unreadable) {
            return "";
        }
    }
}
