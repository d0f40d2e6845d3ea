package io.berth.bench.load;

import java.util.List;

/// The workloads, in the spirit of upstream's scheduler_perf.
final class Workloads {
    static final String PRIORITY_CLASS = "load-urgent";

    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String HOST = "kubernetes.io/hostname";
    private static final int DEPLOYMENTS = 40;

    /// Nodes are spread over them.
    static final int ZONES = 3;

    /// What keeps pods waiting; the empty one: too much CPU.
    private static final List<String> WAITING =
            List.of(
                    "",
                    "\"nodeSelector\":{\"disk\":\"nvme\"},",
                    """
                    "affinity":{"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[
                     {"topologyKey":"kubernetes.io/hostname",
                      "labelSelector":{"matchLabels":{"app":"nowhere"}}}]}},
                    """,
                    """
                    "affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[
                     {"topologyKey":"topology.kubernetes.io/zone",
                      "labelSelector":{"matchExpressions":[{"key":"app","operator":"Exists"}]}}]}},
                    """);

    private Workloads() {}

    static List<Workload> all() {
        return List.of(
                Workload.of("basic", i -> pod("p" + i, "plain", "")),
                matching("anti-affinity", affinity("podAntiAffinity", required(HOST))),
                matching("affinity", affinity("podAffinity", required(ZONE))),
                matching("preferred-affinity", affinity("podAffinity", preferred(HOST))),
                matching("preferred-anti-affinity", affinity("podAntiAffinity", preferred(HOST))),
                matching("spread-hard", spread("DoNotSchedule")),
                matching("spread-soft", spread("ScheduleAnyway")),
                Workload.of("node-affinity", i -> pod("p" + i, "plain", onNodes("pool", "1", "2"))),
                Workload.of("mixed", Workloads::ofManyDeployments).with(1, Workloads::plainBound),
                Workload.of("preemption", i -> urgent("p" + i)).with(4, Workloads::filler),
                Workload.of("backlog", i -> pod("p" + i, "plain", "")).withHopeless(2_000),
                Workload.of("churn", i -> pod("p" + i, "plain", "")).churning(),
                Workload.of("daemonset", i -> pod("p" + i, "plain", onNode("node-" + i))),
                Workload.of("claims", i -> claiming("p" + i)).claiming(DeviceLoad.whole(0)),
                Workload.of("claims-half-full", i -> claiming("p" + i))
                        .claiming(DeviceLoad.whole(5)),
                Workload.of("claims-extended", i -> asking("p" + i, DeviceLoad.resource(i)))
                        .claiming(DeviceLoad.extended()),
                Workload.of("claims-partitionable", i -> claiming("p" + i))
                        .claiming(DeviceLoad.partitionable()),
                Workload.of("claims-consumable", i -> claiming("p" + i))
                        .claiming(DeviceLoad.consumable()),
                withClaims("csi-volumes").on(Storage.BOUND),
                withClaims("migrated-volumes").on(Storage.MIGRATED),
                Workload.of("waiting-volumes", i -> storing("p" + i)).on(Storage.WAITING));
    }

    /// A pod that uses the claim of its own name.
    private static String claiming(String name) {
        return pod(
                name,
                "plain",
                "\"resourceClaims\":[{\"name\":\"%s\",\"resourceClaimName\":\"%s\"}],"
                        .formatted(DeviceLoad.CLAIM_NAME, name));
    }

    private static String asking(String name, String resource) {
        String one = "\"" + resource + "\":\"1\"";
        return pod(name, "plain", "")
                .replace(
                        "\"resources\":{\"requests\":{",
                        "\"resources\":{\"limits\":{" + one + "},\"requests\":{" + one + ",");
    }

    /// Two pods on each node run already, of which one matches the measured pods' selectors.
    private static Workload matching(String name, String more) {
        return Workload.of(name, i -> pod("p" + i, name.contains("anti") ? "blue" : "web", more))
                .with(2, i -> pod("b" + i, i % 2 == 0 ? "web" : "plain", ""));
    }

    /// One pod on each node has a volume already.
    private static Workload withClaims(String name) {
        return Workload.of(name, i -> storing("p" + i)).with(1, i -> storing("b" + i));
    }

    private static String storing(String name) {
        return pod(
                name,
                "plain",
                """
                "volumes":[{"name":"data","persistentVolumeClaim":{"claimName":"%s"}}],
                """
                        .formatted(name));
    }

    private static String ofManyDeployments(int i) {
        int deployment = i % DEPLOYMENTS;
        String app = "app-" + deployment;
        String more =
                switch (deployment % 5) {
                    case 0 -> "";
                    case 1 -> onNodes("pool", "1", "3");
                    case 2 -> spread("ScheduleAnyway").replace("\"web\"", "\"" + app + "\"");
                    case 3 ->
                            affinity("podAntiAffinity", preferred(HOST))
                                    .replace("\"blue\"", "\"" + app + "\"");
                    default -> "\"nodeSelector\":{\"disk\":\"ssd\"},";
                };
        return pod("p" + i, app, more);
    }

    private static String plainBound(int i) {
        return pod("b" + i, "app-" + i % DEPLOYMENTS, "");
    }

    /// A quarter of a node each, so that an urgent pod needs the room of four.
    private static String filler(int i) {
        return pod("b" + i, "plain", "").replace("\"cpu\":\"100m\"", "\"cpu\":\"900m\"");
    }

    private static String urgent(String name) {
        return pod(name, "urgent", "\"priorityClassName\":\"" + PRIORITY_CLASS + "\",")
                .replace("\"cpu\":\"100m\"", "\"cpu\":\"3600m\"");
    }

    static String hopeless(int i) {
        return pod("never" + i, "never", "").replace("\"cpu\":\"100m\"", "\"cpu\":\"1000\"");
    }

    /// A pod that waits, for one reason or another.
    static String waiting(int i) {
        String reason = WAITING.get(i % WAITING.size());
        String pod = pod("waiting" + i, "waiting", reason);
        return reason.isEmpty() ? pod.replace("\"cpu\":\"100m\"", "\"cpu\":\"1000\"") : pod;
    }

    /// A pod that ends at once when it is deleted, since nothing runs it.
    static String pod(String name, String app, String moreSpec) {
        return """
        {"apiVersion":"v1","kind":"Pod",
         "metadata":{"name":"%s","labels":{"app":"%s"}},
         "spec":{%s"terminationGracePeriodSeconds":0,
          "containers":[{"name":"main","image":"example.com/main:1",
           "resources":{"requests":{"cpu":"100m","memory":"100Mi"}}}]}}
        """
                .formatted(name, app, moreSpec);
    }

    private static String affinity(String kind, String terms) {
        String app = kind.equals("podAntiAffinity") ? "blue" : "web";
        return "\"affinity\":{\"" + kind + "\":{" + terms.replace("APP", app) + "}},";
    }

    private static String required(String key) {
        return "\"requiredDuringSchedulingIgnoredDuringExecution\":[" + term(key) + "]";
    }

    private static String preferred(String key) {
        return "\"preferredDuringSchedulingIgnoredDuringExecution\":[{\"weight\":10,\"podAffinityTerm\":"
                + term(key)
                + "}]";
    }

    private static String term(String key) {
        return "{\"topologyKey\":\""
                + key
                + "\",\"labelSelector\":{\"matchLabels\":{\"app\":\"APP\"}}}";
    }

    private static String spread(String otherwise) {
        return """
        "topologySpreadConstraints":[{"maxSkew":5,"topologyKey":"%s","whenUnsatisfiable":"%s",
         "labelSelector":{"matchLabels":{"app":"web"}}}],
        """
                .formatted(ZONE, otherwise);
    }

    private static String onNodes(String label, String... values) {
        return nodeAffinity("matchExpressions", label, "\"" + String.join("\",\"", values) + "\"");
    }

    private static String onNode(String name) {
        return nodeAffinity("matchFields", "metadata.name", "\"" + name + "\"");
    }

    private static String nodeAffinity(String kind, String key, String values) {
        return """
        "affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{
         "nodeSelectorTerms":[{"%s":[{"key":"%s","operator":"In","values":[%s]}]}]}}},
        """
                .formatted(kind, key, values);
    }

    static String node(int i, boolean small) {
        String resources =
                "{\"cpu\":\"%s\",\"memory\":\"32Gi\",\"pods\":\"110\"}"
                        .formatted(small ? "4" : "32");
        return """
        {"apiVersion":"v1","kind":"Node","metadata":{"name":"node-%1$d","labels":{
         "kubernetes.io/hostname":"node-%1$d","topology.kubernetes.io/zone":"zone-%2$d",
         "pool":"%3$d","disk":"%4$s"}},
         "status":{"capacity":%5$s,"allocatable":%5$s,
          "conditions":[{"type":"Ready","status":"True"}]}}
        """
                .formatted(i, i % ZONES, i % 4, i % 2 == 0 ? "ssd" : "hdd", resources);
    }
}
