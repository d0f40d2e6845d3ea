package io.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.e2e.fixture.Manifest;
import io.berth.e2e.fixture.Objects;
import io.berth.e2e.fixture.PackagedScheduler;
import io.berth.e2e.fixture.RealControlPlane;
import io.berth.e2e.fixture.RequestCounts;
import io.berth.e2e.fixture.Thorough;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The rights that a cluster gives to its scheduler are all that Berth needs, and where one is
/// missing Berth says which.
@Thorough
@PackagedScheduler
@RealControlPlane
final class PermissionsIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
    private static final String LEASE =
            "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-scheduler";

    private final ControlPlane plane;
    private final Objects objects;
    private final RequestCounts requests;
    private final String node;

    PermissionsIT(ControlPlane plane) {
        this.plane = plane;
        this.objects = new Objects(plane.admin(), plane.freshNamespace());
        this.requests = new RequestCounts(plane.admin());
        this.node = objects.namespace() + "-node";
    }

    @BeforeEach
    void begin() {
        plane.admin().delete(LEASE);
        objects.createNode(node, "4");
    }

    @AfterEach
    void clean() {
        objects.deletePods();
        objects.deleteNode(node);
        plane.admin().delete(LEASE);
    }

    /// A life with an election, placements, a preemption, events, conditions and a caller who has
    /// to be authenticated, and nothing in it was forbidden.
    @Test
    void theBootstrapRightsAreEnough() {
        long before = requests.forbidden();
        plane.admin()
                .post(
                        "/apis/scheduling.k8s.io/v1/priorityclasses",
                        Manifest.of(
                                """
                                {apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass',
                                 metadata: {name: 'permitted-high'}, value: 1000}
                                """));
        try (var berth = plane.start(SchedulerProgram.berth().orElseThrow(), "--leader-elect")) {
            objects.createPod("small", "3");
            objects.awaitPod("small", LIMIT, berth, this::isPlaced);
            objects.awaitEvent("small", "Scheduled", LIMIT, berth);
            objects.createPod("huge", "64");
            objects.awaitEvent("huge", "FailedScheduling", LIMIT, berth);
            objects.awaitPod(
                    "huge",
                    LIMIT,
                    berth,
                    _ -> !objects.condition("huge", "PodScheduled").isMissingNode());
            plane.admin()
                    .post(
                            "/api/v1/namespaces/" + objects.namespace() + "/pods",
                            Manifest.pod(
                                    "high",
                                    "{cpu: '3'}",
                                    "{spec: {priorityClassName: 'permitted-high'}}"))
                    .ok();
            objects.awaitEvent("small", "Preempted", LIMIT, berth);
            objects.awaitPod(
                    "high",
                    LIMIT,
                    berth,
                    pod -> !pod.text("/status/nominatedNodeName").isEmpty() || isPlaced(pod));
            assertThat(plane.admin().get(LEASE).text("/spec/holderIdentity")).isNotEmpty();
            assertThat(berth.api().get("/metrics").status()).isEqualTo(200);
            assertThat(berth.api().get("/readyz").status()).isEqualTo(200);

            assertThat(berth.stop()).isZero();
            assertThat(plane.admin().get(LEASE).text("/spec/holderIdentity")).isEmpty();
            assertThat(requests.forbidden()).as("requests answered with 403").isEqualTo(before);
            assertThat(berth.process().logLines())
                    .noneMatch(line -> line.toLowerCase(Locale.ROOT).contains("forbid"));
        }
    }

    @Test
    void aRightToSeePodsThatIsMissingIsNamedAndTakenUpWhenGiven() {
        String user = userWithout("blind", Set.of("pods"), Set.of("list", "watch"));
        objects.createPod("p", "1");
        long before = requests.forbidden();
        try (var berth = startAs(user)) {
            String line = berth.process().awaitLine("pods is forbidden", LIMIT);
            assertThat(line)
                    .contains("User \\\"blind\\\" cannot")
                    .contains("resource \\\"pods\\\" in API group \\\"\\\" at the cluster scope");
            assertThat(requests.forbidden()).isGreaterThan(before);
            assertThat(berth.process().running()).isTrue();
            assertThat(berth.api().get("/readyz").status()).isEqualTo(500);
            assertThat(objects.pod("p").text("/spec/nodeName")).isEmpty();

            giveAll("blind");
            objects.awaitPod("p", LIMIT, berth, this::isPlaced);
        }
    }

    @Test
    void aRightToBindThatIsMissingIsNamedInTheEventOfThePod() {
        String user = userWithout("handless", Set.of("pods/binding", "bindings"), Set.of("create"));
        objects.createPod("p", "1");
        try (var berth = startAs(user)) {
            objects.awaitEvent("p", "FailedScheduling", LIMIT, berth);
            assertThat(objects.events("p", "FailedScheduling"))
                    .first()
                    .satisfies(event ->
                            assertThat(event.at("/note").asText())
                                    .contains(
                                            "User \"handless\" cannot create resource"
                                                    + " \"pods/binding\""));
            assertThat(objects.pod("p").text("/spec/nodeName")).isEmpty();

            giveAll("handless");
            objects.awaitPod("p", LIMIT, berth, this::isPlaced);
        }
    }

    private SchedulerProcess startAs(String user) {
        return plane.start(
                SchedulerProgram.berth().orElseThrow(),
                "--kubeconfig=" + plane.userKubeconfig(user),
                "--leader-elect=false");
    }

    private boolean isPlaced(HttpApi.Response pod) {
        return pod.text("/spec/nodeName").equals(node);
    }

    /// A user with the rights of a scheduler but for some verbs on some resources.
    private String userWithout(String user, Set<String> resources, Set<String> verbs) {
        var role = JSON.createObjectNode();
        role.put("apiVersion", "rbac.authorization.k8s.io/v1").put("kind", "ClusterRole");
        role.putObject("metadata").put("name", user);
        role.set("rules", without(schedulerRules(), resources, verbs));
        plane.admin().post(ROLES, role.toString()).ok();
        for (var bound : List.of(user, "system:volume-scheduler")) {
            plane.kubectl()
                    .run(
                            "create",
                            "clusterrolebinding",
                            user + "-" + bound.replace(':', '-'),
                            "--clusterrole=" + bound,
                            "--user=" + user)
                    .ok();
        }
        return user;
    }

    private void giveAll(String user) {
        plane.admin().patch(ROLES + "/" + user, "{\"rules\":" + schedulerRules() + "}").ok();
    }

    private ArrayNode schedulerRules() {
        return (ArrayNode) plane.admin().get(ROLES + "/system:kube-scheduler").ok().at("/rules");
    }

    /// Splits each rule that is concerned: the other resources keep all verbs, these ones lose
    /// some.
    private static ArrayNode without(ArrayNode rules, Set<String> resources, Set<String> verbs) {
        var result = JSON.createArrayNode();
        for (var rule : rules) {
            addUnlessEmpty(
                    result,
                    rule,
                    texts(rule, "resources", resources, false),
                    texts(rule, "verbs", Set.of(), false));
            addUnlessEmpty(
                    result,
                    rule,
                    texts(rule, "resources", resources, true),
                    texts(rule, "verbs", verbs, false));
        }
        return result;
    }

    private static void addUnlessEmpty(
            ArrayNode rules, JsonNode rule, List<String> resources, List<String> verbs) {
        if (!resources.isEmpty() && !verbs.isEmpty()) {
            ObjectNode part = rule.deepCopy();
            resources.forEach(part.putArray("resources")::add);
            verbs.forEach(part.putArray("verbs")::add);
            rules.add(part);
        }
    }

    private static List<String> texts(
            JsonNode rule, String field, Set<String> chosen, boolean isWanted) {
        return StreamSupport.stream(rule.path(field).spliterator(), false)
                .map(JsonNode::asText)
                .filter(text -> chosen.contains(text) == isWanted)
                .toList();
    }
}
