package io.berth.e2e.differential.scenario;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/// The words that scenarios are made of. There are few of each, so that they meet often.
public final class Vocabulary {
    public static final List<String> NAMESPACES = List.of("red", "blue", "green");
    static final List<String> ZONES = List.of("za", "zb", "zc");
    static final List<String> DISKS = List.of("ssd", "hdd");
    static final List<String> APPS = List.of("web", "db", "cache");
    static final List<String> TIERS = List.of("front", "back");
    static final List<String> TAINT_KEYS = List.of("dedicated", "spot", "maintenance");
    static final List<String> TAINT_VALUES = List.of("a", "b", "");
    static final List<String> EFFECTS = List.of("NoSchedule", "PreferNoSchedule", "NoExecute");
    static final String ZONE = "topology.kubernetes.io/zone";
    static final String REGION = "topology.kubernetes.io/region";
    static final List<String> DRIVERS_ZONES =
            List.of(
                    "failure-domain.beta.kubernetes.io/zone",
                    "topology.ebs.csi.aws.com/zone",
                    "topology.gke.io/zone",
                    "topology.disk.csi.azure.com/zone",
                    "topology.cinder.csi.openstack.org/zone");
    static final String HOSTNAME = "kubernetes.io/hostname";
    static final List<String> TOPOLOGY_KEYS = List.of(ZONE, HOSTNAME, "rack", REGION);
    static final List<String> IMAGES =
            List.of(
                    "app",
                    "app:2",
                    "registry.example/team/web:1",
                    "registry.example:5000/db",
                    "cache@sha256:"
                            + "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef");

    /// By name; pods without a class have priority 0.
    static final List<String> PRIORITY_CLASSES = List.of("low", "high", "top", "polite");

    static final String RUNTIME_CLASS = "boxed";

    /// An object with this annotation is on its way out: it is deleted, but there is nobody to end
    /// it.
    public static final String LEAVING = "differential/leaving";

    private Vocabulary() {}

    /// What is made once for all scenarios.
    public static List<ObjectNode> furniture() {
        var all = new ArrayList<ObjectNode>();
        NAMESPACES.forEach(name -> all.add(namespace(name, labelsOf(name))));
        all.add(priorityClass("low", -100, null));
        all.add(priorityClass("high", 1000, null));
        all.add(priorityClass("top", 100_000, null));
        all.add(priorityClass("polite", 100_000, "Never"));
        all.add(
                Json.object(
                        "apiVersion",
                        "node.k8s.io/v1",
                        "kind",
                        "RuntimeClass",
                        "metadata",
                        Json.object("name", RUNTIME_CLASS),
                        "handler",
                        "boxed",
                        "overhead",
                        Json.object("podFixed", Json.object("cpu", "250m", "memory", "120Mi"))));
        return all;
    }

    /// The labels of a namespace.
    public static ObjectNode labelsOf(String namespace) {
        return switch (namespace) {
            case "red" -> Json.object("team", "a");
            case "blue" -> Json.object("team", "a", "env", "prod");
            default -> Json.object("team", "b", "env", "test");
        };
    }

    private static ObjectNode namespace(String name, ObjectNode labels) {
        return Json.object(
                "apiVersion",
                "v1",
                "kind",
                "Namespace",
                "metadata",
                Json.object("name", name, "labels", labels));
    }

    private static ObjectNode priorityClass(
            String name, int value, @org.jspecify.annotations.Nullable String policy) {
        return Json.object(
                "apiVersion",
                "scheduling.k8s.io/v1",
                "kind",
                "PriorityClass",
                "metadata",
                Json.object("name", name),
                "value",
                value,
                "preemptionPolicy",
                policy);
    }
}
