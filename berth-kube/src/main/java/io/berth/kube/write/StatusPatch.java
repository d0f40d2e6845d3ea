package io.berth.kube.write;

import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.api.model.Pod;
import io.berth.api.model.PodCondition;
import io.berth.api.write.Write;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The difference between a pod's status and what it should be, as a strategic merge patch: the
/// server merges conditions by their type, so only what differs is sent (E-108).
final class StatusPatch {
    private StatusPatch() {}

    /// The patch, or null where nothing differs.
    static byte @Nullable [] of(Write.PatchStatus write, Instant now) {
        var pod = write.pod();
        var condition = write.condition();
        var nominatedNodeName = write.nominatedNodeName();
        var known = condition == null ? null : pod.condition(condition.type());
        boolean changesCondition = condition != null && !isSame(known, condition);
        String node = nominatedNodeName == null ? pod.nominatedNodeName() : nominatedNodeName;
        boolean changesNode = !node.equals(pod.nominatedNodeName());
        if (!changesCondition && !changesNode) {
            return null;
        }
        return HttpClusterWrites.json(out -> {
            out.writeStartObject();
            writeIdentity(out, pod);
            out.writeObjectFieldStart("status");
            if (changesCondition) {
                if (known == null && !pod.conditions().isEmpty()) {
                    writeOrder(out, pod, Objects.requireNonNull(condition));
                }
                out.writeArrayFieldStart("conditions");
                writeCondition(out, pod, known, Objects.requireNonNull(condition), now);
                out.writeEndArray();
            }
            if (changesNode) {
                if (node.isEmpty()) {
                    out.writeNullField("nominatedNodeName");
                } else {
                    out.writeStringField("nominatedNodeName", node);
                }
            }
            out.writeEndObject();
            out.writeEndObject();
        });
    }

    /// The server refuses to change a uid, so a pod made anew under the name is spared.
    private static void writeIdentity(JsonGenerator out, Pod pod) throws IOException {
        if (!pod.uid().isEmpty()) {
            out.writeObjectFieldStart("metadata");
            out.writeStringField("uid", pod.uid());
            out.writeEndObject();
        }
    }

    /// A new condition comes after those that are there, as upstream has it; left to itself the
    /// server would put it first.
    private static void writeOrder(JsonGenerator out, Pod pod, PodCondition wanted)
            throws IOException {
        out.writeArrayFieldStart("$setElementOrder/conditions");
        for (var known : pod.conditions()) {
            writeType(out, known);
        }
        writeType(out, wanted);
        out.writeEndArray();
    }

    private static void writeType(JsonGenerator out, PodCondition condition) throws IOException {
        out.writeStartObject();
        out.writeStringField("type", condition.type());
        out.writeEndObject();
    }

    /// The time of the last change follows from the status, and the observed generation alone is no
    /// reason to write.
    private static boolean isSame(@Nullable PodCondition known, PodCondition wanted) {
        return known != null
                && known.status().equals(wanted.status())
                && known.reason().equals(wanted.reason())
                && known.message().equals(wanted.message())
                && Objects.equals(known.lastProbeTime(), wanted.lastProbeTime());
    }

    private static void writeCondition(
            JsonGenerator out,
            Pod pod,
            @Nullable PodCondition known,
            PodCondition wanted,
            Instant now)
            throws IOException {
        out.writeStartObject();
        out.writeStringField("type", wanted.type());
        if (pod.generation() > 0) {
            out.writeNumberField("observedGeneration", pod.generation());
        }
        if (known == null || !known.status().equals(wanted.status())) {
            out.writeStringField("status", wanted.status());
            var changedAt = wanted.lastTransitionTime();
            writeTime(out, "lastTransitionTime", changedAt == null ? now : changedAt);
        }
        writeText(out, "reason", known == null ? "" : known.reason(), wanted.reason());
        writeText(out, "message", known == null ? "" : known.message(), wanted.message());
        var probed = wanted.lastProbeTime();
        if (known == null || !Objects.equals(known.lastProbeTime(), probed)) {
            if (probed == null) {
                out.writeNullField("lastProbeTime");
            } else {
                writeTime(out, "lastProbeTime", probed);
            }
        }
        out.writeEndObject();
    }

    private static void writeText(JsonGenerator out, String field, String known, String wanted)
            throws IOException {
        if (known.equals(wanted)) {
            return;
        }
        if (wanted.isEmpty()) {
            out.writeNullField(field);
        } else {
            out.writeStringField(field, wanted);
        }
    }

    /// Conditions count in whole seconds.
    private static void writeTime(JsonGenerator out, String field, Instant time)
            throws IOException {
        out.writeStringField(field, time.truncatedTo(ChronoUnit.SECONDS).toString());
    }
}
