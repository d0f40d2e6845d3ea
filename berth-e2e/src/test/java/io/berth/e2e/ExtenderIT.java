package io.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.e2e.fixture.Objects;
import io.berth.e2e.fixture.PackagedScheduler;
import io.berth.e2e.fixture.RealControlPlane;
import io.berth.e2e.fixture.RecordingExtender;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The real kube-scheduler and Berth send the same JSON to the same extenders about the same pods.
@PackagedScheduler
@RealControlPlane
@Tag("E-142")
@Tag("E-144")
@Tag("E-145")
final class ExtenderIT {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final ObjectMapper JSON = new ObjectMapper();

    /// What differs from run to run, or from second to second.
    private static final Set<String> FLEETING =
            Set.of(
                    "uid",
                    "UID",
                    "PodUID",
                    "resourceVersion",
                    "creationTimestamp",
                    "lastTransitionTime",
                    "lastProbeTime",
                    "namespace",
                    "PodNamespace",
                    "startTime",
                    // Berth leaves it out of nodes too.
                    "managedFields");

    /// Others may be left by somebody else on the same control plane.
    private static final Set<String> PODS = Set.of("first", "second", "high");

    private final ControlPlane plane;

    ExtenderIT(ControlPlane plane) {
        this.plane = plane;
    }

    @Test
    void bothSendTheSame() throws Exception {
        var nodes = new Objects(plane.admin(), "default");
        for (var name : List.of("extended-1", "extended-2")) {
            nodes.createNode(name, "2");
        }
        plane.admin()
                .post(
                        "/apis/scheduling.k8s.io/v1/priorityclasses",
                        """
                        {"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass",
                         "metadata":{"name":"extended-high"},"value":1000}
                        """);
        try {
            var real = live(SchedulerProgram.kubeScheduler(plane.binaries()));
            var berth = live(SchedulerProgram.berth().orElseThrow());
            assertThat(real)
                    .containsKeys("first /a/filter", "first /b/prioritize", "high /b/preempt");
            assertThat(berth.keySet()).isEqualTo(real.keySet());
            real.forEach((call, body) -> assertThat(berth.get(call)).as(call).isEqualTo(body));
        } finally {
            nodes.deleteNode("extended-1");
            nodes.deleteNode("extended-2");
        }
    }

    /// Lets a scheduler place two pods and preempt for a third.
    ///
    /// @return the first body of each call about each pod, by `pod path`
    private Map<String, JsonNode> live(SchedulerProgram program) throws Exception {
        var objects = new Objects(plane.admin(), plane.freshNamespace());
        try (var extender = new RecordingExtender((pod, node) -> objects.bind(pod, node).ok());
                var _ = start(program, extender)) {
            for (var name : List.of("first", "second")) {
                create(objects, name, "");
                Awaitility.await()
                        .atMost(LIMIT)
                        .until(() -> !objects.pod(name).text("/spec/nodeName").isEmpty());
            }
            create(objects, "high", "\"priorityClassName\":\"extended-high\",");
            Awaitility.await()
                    .atMost(LIMIT)
                    .until(() ->
                            extender.calls().stream()
                                    .anyMatch(call -> call.path().equals("/b/preempt")));
            return firstCalls(extender.calls());
        } finally {
            objects.deletePods();
            Awaitility.await()
                    .atMost(LIMIT)
                    .until(() ->
                            plane.admin()
                                    .get("/api/v1/namespaces/" + objects.namespace() + "/pods")
                                    .ok()
                                    .at("/items")
                                    .isEmpty());
        }
    }

    private void create(Objects objects, String name, String more) {
        plane.admin()
                .post(
                        "/api/v1/namespaces/" + objects.namespace() + "/pods",
                        """
                        {"apiVersion":"v1","kind":"Pod",
                         "metadata":{"name":"%s","labels":{"app":"x"},"annotations":{"note":"a<b"}},
                         "spec":{%s"terminationGracePeriodSeconds":0,
                                 "containers":[{"name":"main","image":"example/main:1",
                                 "env":[{"name":"KEY","value":"ä&\\"q\\""}],
                                 "resources":{"requests":{"cpu":"1500m"}}}]}}
                        """
                                .formatted(name, more))
                .ok();
    }

    private static Map<String, JsonNode> firstCalls(List<RecordingExtender.Call> calls) {
        var result = new TreeMap<String, JsonNode>();
        for (var call : calls) {
            if (!PODS.contains(call.pod())) {
                continue;
            }
            // Whether and when the third pod gets the place of a victim is another matter.
            if (!call.pod().equals("high") || call.path().endsWith("/preempt")) {
                result.putIfAbsent(call.pod() + " " + call.path(), lasting(call.body()));
            }
        }
        return result;
    }

    /// Without what differs from run to run, and with nodes in the order of their names.
    private static JsonNode lasting(JsonNode value) {
        if (value instanceof ObjectNode object) {
            var result = JSON.createObjectNode();
            object.properties()
                    .forEach(entry -> {
                        if (!FLEETING.contains(entry.getKey())) {
                            result.set(entry.getKey(), lasting(entry.getValue()));
                        }
                    });
            return result;
        }
        if (value instanceof ArrayNode array) {
            var items = new ArrayList<JsonNode>();
            array.forEach(item -> items.add(lasting(item)));
            items.sort(Comparator.comparing(JsonNode::toString));
            var result = JSON.createArrayNode();
            result.addAll(items);
            return result;
        }
        return value.isTextual() && value.asText().matches("kube-api-access-\\w+")
                ? JSON.getNodeFactory().textNode("kube-api-access")
                : value;
    }

    private AutoCloseable start(SchedulerProgram program, RecordingExtender extender)
            throws Exception {
        var config =
                Files.writeString(
                        plane.folder().resolve("extenders.yaml"),
                        """
                        apiVersion: kubescheduler.config.k8s.io/v1
                        kind: KubeSchedulerConfiguration
                        clientConnection:
                          kubeconfig: %1$s
                        leaderElection:
                          leaderElect: false
                        extenders:
                        - urlPrefix: %2$s/a
                          filterVerb: filter
                          prioritizeVerb: prioritize
                          preemptVerb: preempt
                          bindVerb: bind
                          weight: 1
                          nodeCacheCapable: true
                        - urlPrefix: %2$s/b/
                          filterVerb: filter
                          prioritizeVerb: prioritize
                          preemptVerb: preempt
                          weight: 1
                        """
                                .formatted(plane.schedulerKubeconfig(), extender.url()));
        return plane.start(program, "--config=" + config).awaitHealthy();
    }
}
