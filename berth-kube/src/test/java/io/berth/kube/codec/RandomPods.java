package io.berth.kube.codec;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Pods as trees: every field that the scheduler reads now there, now null, now absent, in any
/// order, with fields in between that it does not know.
final class RandomPods {
    private final Random random;

    RandomPods(long seed) {
        random = new Random(seed);
    }

    Map<String, @Nullable Object> next() {
        var metadata = object();
        metadata.put("namespace", one("default", "kube-system", "ns-é"));
        metadata.put("name", "pod-" + random.nextInt(1000));
        metadata.put("uid", "uid-" + random.nextLong());
        metadata.put("resourceVersion", "" + random.nextInt(1_000_000));
        maybe(metadata, "generation", () -> random.nextInt(9));
        maybe(metadata, "labels", this::labels);
        maybe(metadata, "creationTimestamp", () -> "2026-01-02T03:04:05Z");
        maybe(metadata, "deletionTimestamp", () -> "2026-01-02T03:04:06.789Z");
        maybe(metadata, "ownerReferences", () -> list(this::owner));
        maybe(metadata, "annotations", this::labels);
        maybe(metadata, "managedFields", () -> list(this::junk));
        var pod = object();
        pod.put("kind", "Pod");
        pod.put("metadata", shuffled(metadata));
        maybe(pod, "spec", this::spec);
        maybe(pod, "status", this::status);
        return shuffled(pod);
    }

    private Object spec() {
        var spec = object();
        maybe(spec, "nodeName", () -> one("", "node-1", "node-2"));
        maybe(spec, "schedulerName", () -> one("default-scheduler", "other"));
        maybe(spec, "priority", () -> random.nextInt(2_000_000_000));
        maybe(spec, "preemptionPolicy", () -> one("Never", "PreemptLowerPriority"));
        maybe(spec, "nodeSelector", this::labels);
        maybe(spec, "hostNetwork", random::nextBoolean);
        maybe(spec, "hostUsers", random::nextBoolean);
        maybe(spec, "overhead", this::resources);
        maybe(spec, "resources", () -> fields(field("requests", this::resources)));
        maybe(spec, "affinity", this::affinity);
        maybe(spec, "containers", () -> list(() -> container("a", "b")));
        maybe(spec, "initContainers", () -> list(() -> container("i", "j")));
        maybe(spec, "volumes", () -> list(this::volume));
        maybe(spec, "tolerations", () -> list(this::toleration));
        maybe(spec, "topologySpreadConstraints", () -> list(this::spread));
        maybe(
                spec,
                "schedulingGates",
                () -> list(() -> fields(field("name", () -> one("g1", "g2")))));
        maybe(
                spec,
                "resourceClaims",
                () -> list(() -> fields(field("name", () -> one("c1", "c2")))));
        maybe(spec, "securityContext", this::junk);
        return shuffled(spec);
    }

    private Object status() {
        var status = object();
        maybe(status, "phase", () -> one("Pending", "Running"));
        maybe(status, "nominatedNodeName", () -> one("node-1", "node-2"));
        maybe(status, "startTime", () -> "2026-01-02T03:04:05Z");
        maybe(status, "conditions", () -> list(this::condition));
        maybe(
                status,
                "resourceClaimStatuses",
                () ->
                        list(() ->
                                fields(
                                        field("name", () -> one("c1", "c2")),
                                        field("resourceClaimName", () -> one("p-c1", "p-c2")))));
        maybe(
                status,
                "extendedResourceClaimStatus",
                () ->
                        fields(
                                field("resourceClaimName", () -> one("p-x1", "p-x2")),
                                field(
                                        "requestMappings",
                                        () ->
                                                list(() ->
                                                        fields(
                                                                field("containerName", () -> "a"),
                                                                field(
                                                                        "resourceName",
                                                                        () -> "example.com/gpu"),
                                                                field(
                                                                        "requestName",
                                                                        () -> "r"))))));
        maybe(status, "containerStatuses", () -> list(() -> containerStatus("a", "b", "x")));
        maybe(status, "initContainerStatuses", () -> list(() -> containerStatus("i", "j", "x")));
        maybe(status, "resources", () -> fields(field("requests", this::resources)));
        maybe(status, "allocatedResources", this::resources);
        maybe(status, "podIPs", () -> list(this::junk));
        return shuffled(status);
    }

    private Object containerStatus(String... names) {
        return named(
                one(names),
                field("resources", () -> fields(field("requests", this::resources))),
                field("allocatedResources", this::resources),
                field("state", this::junk));
    }

    private Object condition() {
        return fields(
                field(
                        "type",
                        () -> one("PodScheduled", "DisruptionTarget", "PodResizePending", "Ready")),
                field("status", () -> one("True", "False")),
                field("reason", () -> one("Infeasible", "Unschedulable")),
                field("message", () -> one("a \"quoted\"\ntext", "0/3 nodes are available: naïve")),
                field("lastProbeTime", () -> "2026-01-02T03:04:05Z"),
                field("lastTransitionTime", () -> "2026-01-02T03:04:05Z"));
    }

    private Object container(String... names) {
        return named(
                one(names),
                field("image", () -> one("nginx:1", "registry/app@sha256:abc")),
                field("restartPolicy", () -> one("Always", "Never")),
                field(
                        "resources",
                        () ->
                                fields(
                                        field("requests", this::resources),
                                        field("limits", this::resources),
                                        field("claims", () -> list(this::junk)))),
                field(
                        "ports",
                        () ->
                                list(() ->
                                        fields(
                                                field("hostPort", () -> random.nextInt(3) * 80),
                                                field("hostIP", () -> one("", "127.0.0.1")),
                                                field("protocol", () -> one("TCP", "UDP")),
                                                field("containerPort", () -> 80)))),
                field("env", () -> list(this::junk)));
    }

    private Object volume() {
        var volume = object();
        volume.put("name", one("v1", "v2"));
        switch (random.nextInt(10)) {
            case 0 ->
                    volume.put(
                            "persistentVolumeClaim",
                            fields(
                                    field("claimName", () -> one("x", "y")),
                                    field("readOnly", () -> true)));
            case 1 -> volume.put("ephemeral", junk());
            case 2 -> volume.put("configMap", junk());
            case 3 -> volume.put("secret", junk());
            case 4 ->
                    volume.put(
                            "rbd",
                            fields(
                                    field("monitors", () -> list(() -> one("m1", "m2"))),
                                    field("pool", () -> "p"),
                                    field("image", () -> "i")));
            case 5 ->
                    volume.put(
                            "iscsi",
                            fields(field("iqn", () -> "iqn.1"), field("readOnly", () -> false)));
            case 6 ->
                    volume.put(
                            "azureDisk",
                            fields(
                                    field("diskName", () -> one("d1", "d2")),
                                    field("diskURI", () -> "u"),
                                    field("kind", () -> one("Managed", "Dedicated"))));
            case 7 -> volume.put("cinder", fields(field("volumeID", () -> "c")));
            case 8 -> volume.put("csi", fields(field("driver", () -> one("d1", "d2"))));
            default -> volume.put("projected", junk());
        }
        return shuffled(volume);
    }

    private Object toleration() {
        return fields(
                field("key", () -> one("k1", "k2")),
                field("operator", () -> one("Exists", "Equal")),
                field("value", () -> one("v1", "v2")),
                field("effect", () -> one("NoSchedule", "NoExecute")),
                field("tolerationSeconds", () -> 300));
    }

    private Object spread() {
        return fields(
                field("maxSkew", () -> 1 + random.nextInt(3)),
                field("topologyKey", () -> one("zone", "host")),
                field("whenUnsatisfiable", () -> one("DoNotSchedule", "ScheduleAnyway")),
                field("labelSelector", this::selector),
                field("minDomains", () -> 2),
                field("nodeAffinityPolicy", () -> one("Honor", "Ignore")),
                field("nodeTaintsPolicy", () -> one("Honor", "Ignore")),
                field("matchLabelKeys", () -> list(() -> one("l1", "l2"))));
    }

    private Object affinity() {
        return fields(
                field(
                        "nodeAffinity",
                        () ->
                                fields(
                                        field(
                                                "requiredDuringSchedulingIgnoredDuringExecution",
                                                () ->
                                                        fields(
                                                                field(
                                                                        "nodeSelectorTerms",
                                                                        () -> list(this::term)))),
                                        field(
                                                "preferredDuringSchedulingIgnoredDuringExecution",
                                                () ->
                                                        list(() ->
                                                                fields(
                                                                        field("weight", () -> 5),
                                                                        field(
                                                                                "preference",
                                                                                this::term)))))),
                field("podAffinity", this::podTerms),
                field("podAntiAffinity", this::podTerms));
    }

    private Object podTerms() {
        return fields(
                field("requiredDuringSchedulingIgnoredDuringExecution", () -> list(this::podTerm)),
                field(
                        "preferredDuringSchedulingIgnoredDuringExecution",
                        () ->
                                list(() ->
                                        fields(
                                                field("weight", () -> 7),
                                                field("podAffinityTerm", this::podTerm)))));
    }

    private Object podTerm() {
        return fields(
                field("labelSelector", this::selector),
                field("namespaces", () -> list(() -> one("n1", "n2"))),
                field("namespaceSelector", this::selector),
                field("topologyKey", () -> one("zone", "host")));
    }

    private Object term() {
        return fields(
                field("matchExpressions", () -> list(this::requirement)),
                field("matchFields", () -> list(this::requirement)));
    }

    private Object selector() {
        return fields(
                field("matchLabels", this::labels),
                field("matchExpressions", () -> list(this::requirement)));
    }

    private Object requirement() {
        return fields(
                field("key", () -> one("k1", "k2")),
                field("operator", () -> one("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Odd")),
                field("values", () -> list(() -> one("1", "2", "x"))));
    }

    private Object owner() {
        return fields(
                field("apiVersion", () -> "apps/v1"),
                field("kind", () -> "ReplicaSet"),
                field("name", () -> one("rs1", "rs2")),
                field("uid", () -> one("u1", "u2")),
                field("controller", random::nextBoolean));
    }

    private Object labels() {
        var result = object();
        for (int i = random.nextInt(4); i > 0; i--) {
            result.put("l" + random.nextInt(5), one("x", "y", ""));
        }
        return result;
    }

    private Object resources() {
        var result = object();
        maybe(result, "cpu", () -> one("100m", "1", "0.5", "2"));
        maybe(result, "memory", () -> one("1Gi", "1073741824", "512Mi"));
        maybe(result, "example.com/gpu", () -> random.nextInt(3));
        result.values().removeIf(java.util.Objects::isNull);
        return result;
    }

    private Object junk() {
        return Map.of(
                "f:x", Map.of("k:{\"a\":1}", List.of(1, 2.5, true, "t", Map.of())), "spec", "odd");
    }

    private List<Object> list(Supplier<? extends Object> element) {
        var result = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            result.add(element.get());
        }
        return result;
    }

    private String one(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private static Map<String, @Nullable Object> object() {
        return new LinkedHashMap<>();
    }

    /// An object whose fields are there or not.
    private Map<String, @Nullable Object> fields(Field... fields) {
        var result = object();
        for (var field : fields) {
            maybe(result, field.name, field.value);
        }
        return shuffled(result);
    }

    private Map<String, @Nullable Object> named(String name, Field... fields) {
        var result = fields(fields);
        result.put("name", name);
        return shuffled(result);
    }

    private record Field(String name, Supplier<? extends @Nullable Object> value) {}

    private static Field field(String name, Supplier<? extends @Nullable Object> value) {
        return new Field(name, value);
    }

    private void maybe(
            Map<String, @Nullable Object> object,
            String field,
            Supplier<? extends @Nullable Object> value) {
        int choice = random.nextInt(10);
        if (choice < 8) {
            object.put(field, value.get());
        } else if (choice == 8) {
            object.put(field, null);
        }
    }

    private Map<String, @Nullable Object> shuffled(Map<String, @Nullable Object> object) {
        var keys = new ArrayList<>(object.keySet());
        Collections.shuffle(keys, random);
        var result = object();
        for (var key : keys) {
            result.put(key, object.get(key));
        }
        return result;
    }
}
