package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.api.model.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What Berth asks of an API server is what the roles of kube-scheduler grant, which every cluster
/// has.
@Timeout(300)
class RightsTest {
    private static final Set<String> READ = Set.of("get", "list", "watch");
    private static final Set<String> VOLUMES = Set.of("get", "list", "watch", "patch", "update");

    private static final Set<String> CLAIMS =
            Set.of("get", "list", "watch", "patch", "update", "create", "delete");

    /// The rules of `system:kube-scheduler` and `system:volume-scheduler`, its Role in kube-system,
    /// and what is open to every authenticated user.
    private static final List<Rule> GRANTED =
            List.of(
                    new Rule("", Set.of("events"), Set.of("create", "patch", "update")),
                    new Rule(
                            "events.k8s.io", Set.of("events"), Set.of("create", "patch", "update")),
                    new Rule(
                            "",
                            Set.of("nodes", "namespaces", "services", "replicationcontrollers"),
                            READ),
                    new Rule("", Set.of("pods"), Set.of("get", "list", "watch", "delete")),
                    new Rule("", Set.of("pods/binding"), Set.of("create")),
                    new Rule("", Set.of("pods/status"), Set.of("patch", "update")),
                    new Rule("apps", Set.of("replicasets", "statefulsets"), READ),
                    new Rule("policy", Set.of("poddisruptionbudgets"), READ),
                    new Rule("", Set.of("persistentvolumes", "persistentvolumeclaims"), VOLUMES),
                    new Rule(
                            "storage.k8s.io",
                            Set.of(
                                    "storageclasses",
                                    "csinodes",
                                    "csidrivers",
                                    "csistoragecapacities",
                                    "volumeattachments"),
                            READ),
                    new Rule("resource.k8s.io", Set.of("resourceslices", "deviceclasses"), READ),
                    new Rule("resource.k8s.io", Set.of("resourceclaims"), CLAIMS),
                    new Rule(
                            "resource.k8s.io",
                            Set.of("resourceclaims/status"),
                            Set.of("get", "list", "watch", "patch", "update")),
                    new Rule(
                            "coordination.k8s.io",
                            Set.of("leases"),
                            Set.of("get", "list", "watch", "create", "update")));

    /// @param group of the API; empty for the core
    private record Rule(String group, Set<String> resources, Set<String> verbs) {
        boolean allows(RecordingFront.Request request) {
            return group.equals(request.group())
                    && resources.contains(request.resource())
                    && verbs.contains(request.verb());
        }
    }

    @TempDir Path directory;

    /// A life with all that a scheduler does: bindings, a refusal with its condition and event, a
    /// preemption, the lease.
    @Test
    @Tag("P-129")
    @Tag("P-300")
    void asksForNothingThatTheRolesDoNotGrant() throws Exception {
        try (var cluster = new TestCluster(directory);
                var front = new RecordingFront(cluster.uri(), cluster.tls())) {
            cluster.createNode("node-1", 1);
            cluster.create(
                    "/apis/scheduling.k8s.io/v1/priorityclasses",
                    "{\"metadata\": {\"name\": \"high\"}, \"value\": 1000}");
            cluster.createPod("victim");
            try (var scheduler =
                    RunningScheduler.start(cluster.kubeconfig(front.uri()), "--secure-port=0")) {
                scheduler.awaitLine("\"Starting Kubernetes Scheduler\"");
                cluster.awaitBound("victim");
                cluster.createPod("refused");
                cluster.awaitPod("refused", "\"reason\":\"Unschedulable\"");
                cluster.createPod("winner", "\"priorityClassName\": \"high\",");
                await().atMost(RunningScheduler.PATIENCE)
                        .until(() -> verbs(front).contains("delete pods"));
                await().atMost(RunningScheduler.PATIENCE)
                        .until(() -> verbs(front).contains("create events"));
            }
            assertThat(verbs(front))
                    .contains(
                            "create pods/binding",
                            "patch pods/status",
                            "get leases",
                            "create leases",
                            "update leases",
                            "watch poddisruptionbudgets");
            assertThat(objects(front).filter(one -> GRANTED.stream().noneMatch(r -> r.allows(one))))
                    .isEmpty();
            assertThat(objects(front).filter(one -> one.resource().equals("leases")))
                    .extracting(RecordingFront.Request::name)
                    .containsOnly("", "kube-scheduler");
        }
    }

    static Kind[] kinds() {
        return Kind.values();
    }

    /// Whoever adds a kind is told here that the roles have to grant it.
    @ParameterizedTest
    @MethodSource("kinds")
    @Tag("P-300")
    void everyKindMayBeListedAndWatched(Kind kind) {
        for (String verb : List.of("list", "watch")) {
            assertThat(GRANTED)
                    .as(verb + " " + kind.resource())
                    .anyMatch(rule ->
                            rule.group.equals(kind.group())
                                    && rule.resources.contains(kind.plural())
                                    && rule.verbs.contains(verb));
        }
    }

    /// The built-in Role names no lease; the second scheduler, which is not bound to it, brings a
    /// grant for the name in its configuration.
    @Test
    @Tag("P-301")
    void secondSchedulerIsGrantedTheLeaseThatItsConfigurationNames() throws Exception {
        Path folder = Path.of("..", "deploy", "second-scheduler");
        String name =
                Files.readString(folder.resolve("config.yaml"))
                        .lines()
                        .map(String::strip)
                        .filter(line -> line.startsWith("resourceName: "))
                        .map(line -> line.substring("resourceName: ".length()))
                        .findFirst()
                        .orElseThrow();
        assertThat(Files.readString(folder.resolve("rbac.yaml")))
                .containsSubsequence(
                        "kind: Role\n",
                        "namespace: kube-system",
                        "resources: [leases]",
                        "verbs: [create]",
                        "resources: [leases]",
                        "resourceNames: [" + name + "]",
                        "verbs: [get, list, watch, update]");
    }

    private static Stream<RecordingFront.Request> objects(RecordingFront front) {
        return front.requests().stream().filter(RecordingFront.Request::isAboutObjects);
    }

    private static Set<String> verbs(RecordingFront front) {
        return objects(front)
                .map(request -> request.verb() + " " + request.resource())
                .collect(Collectors.toSet());
    }
}
