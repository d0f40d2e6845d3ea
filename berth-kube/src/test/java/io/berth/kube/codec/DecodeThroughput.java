package io.berth.kube.codec;

import com.sun.management.ThreadMXBean;
import io.berth.api.model.Kind;
import io.berth.kube.codec.wire.Encoding;
import io.berth.kube.codec.wire.Shared;
import io.berth.kube.testing.Json;
import io.berth.kube.testing.Protobuf;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// Prints how many watch events one thread decodes in a second of CPU time, in JSON and in
/// protobuf. Run by hand: `java -cp … io.berth.kube.codec.DecodeThroughput [rounds]`.
public final class DecodeThroughput {
    private static final int PODS = 2000;
    private static final Shared SHARED = new Shared();

    private DecodeThroughput() {}

    public static void main(String[] arguments) throws IOException {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 20;
        var streams = new EnumMap<Encoding, byte[]>(Encoding.class);
        for (var encoding : Encoding.values()) {
            streams.put(encoding, stream(encoding));
        }
        for (int round = 0; round < rounds; round++) {
            for (var stream : streams.entrySet()) {
                measure(stream.getKey(), stream.getValue());
            }
        }
    }

    private static void measure(Encoding encoding, byte[] stream) throws IOException {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocated = threads.getCurrentThreadAllocatedBytes();
        long begin = threads.getCurrentThreadCpuTime();
        int count = 0;
        try (var reader =
                WatchReader.of(new ByteArrayInputStream(stream), encoding, Kind.POD, SHARED)) {
            while (reader.next() != null) {
                count++;
            }
        }
        double seconds = (threads.getCurrentThreadCpuTime() - begin) / 1e9;
        long bytes = threads.getCurrentThreadAllocatedBytes() - allocated;
        System.out.printf(
                "%s, %d bytes: %,.0f events/s, %.1f us and %d allocated bytes each, %d specs%n",
                encoding,
                stream.length / PODS,
                count / seconds,
                seconds * 1e6 / count,
                bytes / count,
                SHARED.specCount());
    }

    private static byte[] stream(Encoding encoding) {
        var out = new ByteArrayOutputStream();
        for (int i = 0; i < PODS; i++) {
            out.writeBytes(
                    switch (encoding) {
                        case JSON ->
                                ("{\"type\":\"MODIFIED\",\"object\":" + Json.text(pod(i)) + "}\n")
                                        .getBytes(StandardCharsets.UTF_8);
                        case PROTOBUF ->
                                Protobuf.event(
                                        "MODIFIED",
                                        Protobuf.inEnvelope(
                                                "v1", "Pod", Protobuf.object("Pod", pod(i))));
                    });
        }
        return out.toByteArray();
    }

    /// A pod of one of 20 deployments, of usual size: two containers, probes, a full status.
    private static Map<String, ?> pod(int i) {
        int app = i % 20;
        var probe =
                Map.of("httpGet", Map.of("path", "/healthz", "port", 8080), "periodSeconds", 10);
        var container =
                Map.of(
                        "name",
                        "main",
                        "image",
                        "registry.example/team/app-" + app + ":v1.2.3",
                        "resources",
                        Map.of(
                                "requests",
                                Map.of("cpu", "250m", "memory", "512Mi"),
                                "limits",
                                Map.of("cpu", "1", "memory", "1Gi")),
                        "livenessProbe",
                        probe,
                        "readinessProbe",
                        probe,
                        "env",
                        List.of(
                                Map.of("name", "A", "value", "x".repeat(80)),
                                Map.of("name", "B", "value", "y".repeat(80))),
                        "volumeMounts",
                        List.of(Map.of("name", "tmp", "mountPath", "/tmp")));
        var condition = Map.of("status", "True", "lastTransitionTime", "2026-01-02T03:04:05Z");
        return Map.of(
                "metadata",
                        Map.of(
                                "name",
                                "app-" + app + "-6d5f-" + i,
                                "namespace",
                                "team-" + app % 5,
                                "uid",
                                "7b1e2f00-0000-4000-8000-" + (100_000_000_000L + i),
                                "resourceVersion",
                                "" + (1_000_000 + i),
                                "creationTimestamp",
                                "2026-01-02T03:04:05Z",
                                "labels",
                                Map.of("app", "app-" + app, "pod-template-hash", "6d5f"),
                                "ownerReferences",
                                List.of(
                                        Map.of(
                                                "apiVersion",
                                                "apps/v1",
                                                "kind",
                                                "ReplicaSet",
                                                "name",
                                                "app-" + app + "-6d5f",
                                                "uid",
                                                "rs-uid-" + app,
                                                "controller",
                                                true)),
                                "managedFields",
                                List.of(
                                        Map.of(
                                                "manager",
                                                "kubelet",
                                                "fieldsV1",
                                                Map.of(
                                                        "f:status",
                                                        Map.of(
                                                                "f:conditions",
                                                                Map.of(
                                                                        "k:{\"type\":\"Ready\"}",
                                                                        Map.of()),
                                                                "f:podIPs",
                                                                Map.of(
                                                                        "k:{\"ip\":\"10.0."
                                                                                + i % 250
                                                                                + "."
                                                                                + i / 250
                                                                                + "\"}",
                                                                        Map.of())))))),
                "spec",
                        Map.of(
                                "nodeName", "node-" + i % 500,
                                "schedulerName", "default-scheduler",
                                "containers", List.of(container, container),
                                "tolerations",
                                        List.of(
                                                Map.of(
                                                        "key",
                                                        "node.kubernetes.io/not-ready",
                                                        "operator",
                                                        "Exists",
                                                        "effect",
                                                        "NoExecute"),
                                                Map.of(
                                                        "key",
                                                        "node.kubernetes.io/unreachable",
                                                        "operator",
                                                        "Exists",
                                                        "effect",
                                                        "NoExecute")),
                                "volumes",
                                        List.of(
                                                Map.of(
                                                        "name",
                                                        "kube-api-access-" + i,
                                                        "projected",
                                                        Map.of("sources", List.of())))),
                "status",
                        Map.of(
                                "phase",
                                "Running",
                                "startTime",
                                "2026-01-02T03:04:05Z",
                                "conditions",
                                List.of(
                                        with(condition, "Ready"),
                                        with(condition, "ContainersReady"),
                                        with(condition, "Initialized"),
                                        with(condition, "PodScheduled")),
                                "containerStatuses",
                                List.of(
                                        Map.of(
                                                "name",
                                                "main",
                                                "containerID",
                                                "containerd://" + "f".repeat(64),
                                                "image",
                                                "registry.example/team/app-" + app + ":v1.2.3",
                                                "ready",
                                                true,
                                                "restartCount",
                                                0))));
    }

    private static Map<String, ?> with(Map<String, ?> condition, String type) {
        var result = new java.util.LinkedHashMap<String, Object>(condition);
        result.put("type", type);
        return result;
    }
}
