package io.berth.kube.extender;

import io.berth.api.column.NodeView;
import io.berth.api.handle.Extender.Victims;
import io.berth.api.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Bodies of requests (rule E-145). The names of fields begin with capitals, since upstream's types
/// do not name them otherwise; what is not sent is `null`. Bodies come as pieces, so that the JSON
/// of a thousand nodes is not copied once more.
final class ExtenderRequests {
    private final RawObjects raw;

    ExtenderRequests(RawObjects raw) {
        this.raw = raw;
    }

    /// For filter and prioritize.
    List<byte[]> nodes(Pod pod, List<NodeView> nodes, boolean byName) {
        var body = new ArrayList<byte[]>();
        body.add(Json.bytes("{\"Pod\":"));
        body.add(raw.pod(pod));
        if (byName) {
            body.add(Json.bytes(",\"Nodes\":null,\"NodeNames\":"));
            body.add(
                    Json.write(out -> {
                        out.writeStartArray();
                        for (var node : nodes) {
                            out.writeString(node.name());
                        }
                        out.writeEndArray();
                    }));
            body.add(Json.bytes("}"));
        } else {
            body.add(Json.bytes(",\"Nodes\":{\"metadata\":{},\"items\":["));
            for (int i = 0; i < nodes.size(); i++) {
                if (i > 0) {
                    body.add(Json.bytes(","));
                }
                body.add(raw.node(nodes.get(i).node()));
            }
            body.add(Json.bytes("]},\"NodeNames\":null}"));
        }
        return body;
    }

    List<byte[]> preemption(Pod pod, Map<String, Victims> candidates, boolean byUid) {
        var body = new ArrayList<byte[]>();
        body.add(Json.bytes("{\"Pod\":"));
        body.add(raw.pod(pod));
        body.add(
                Json.bytes(
                        byUid
                                ? ",\"NodeNameToVictims\":null,\"NodeNameToMetaVictims\":{"
                                : ",\"NodeNameToVictims\":{"));
        String separator = "";
        for (var candidate : new TreeMap<>(candidates).entrySet()) {
            body.add(Json.bytes(separator));
            body.add(Json.write(out -> out.writeString(candidate.getKey())));
            body.add(Json.bytes(":{\"Pods\":["));
            victims(candidate.getValue().pods(), byUid, body);
            body.add(
                    Json.bytes(
                            "],\"NumPDBViolations\":" + candidate.getValue().violations() + "}"));
            separator = ",";
        }
        body.add(Json.bytes(byUid ? "}}" : "},\"NodeNameToMetaVictims\":null}"));
        return body;
    }

    private void victims(List<Pod> pods, boolean byUid, List<byte[]> body) {
        String separator = "";
        for (var pod : pods) {
            body.add(Json.bytes(separator));
            body.add(
                    byUid
                            ? Json.write(out -> {
                                out.writeStartObject();
                                out.writeStringField("UID", pod.uid());
                                out.writeEndObject();
                            })
                            : raw.pod(pod));
            separator = ",";
        }
    }

    static List<byte[]> binding(Pod pod, String node) {
        return List.of(
                Json.write(out -> {
                    out.writeStartObject();
                    out.writeStringField("PodName", pod.name());
                    out.writeStringField("PodNamespace", pod.namespace());
                    out.writeStringField("PodUID", pod.uid());
                    out.writeStringField("Node", node);
                    out.writeEndObject();
                }));
    }
}
