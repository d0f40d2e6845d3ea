package io.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.e2e.HttpApi.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/// Facts about a scheduler that runs as long as its test class, on a real control plane. Each fact
/// has a namespace of its own and a cluster with the nodes that it made and no others: it begins
/// when the scheduler knows them and ends when the scheduler has forgotten them.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SchedulerFacts {
    static final Duration LIMIT = Duration.ofMinutes(2);

    private static final Duration START_LIMIT = Duration.ofMinutes(3);

    private final ControlPlane plane;
    private final SchedulerProgram program;
    private final List<String> nodes = new ArrayList<>();
    private SchedulerProcess scheduler;
    private Objects objects;

    SchedulerFacts(ControlPlane plane, SchedulerProgram program) {
        this.plane = plane;
        this.program = program;
    }

    @BeforeAll
    void startScheduler() {
        scheduler = plane.start(program, flags());
        scheduler.process().await("ready", START_LIMIT, () -> scheduler.api().answers("/readyz"));
    }

    /// What the scheduler is started with.
    String[] flags() {
        return new String[] {"--leader-elect=false"};
    }

    @AfterAll
    void stopScheduler() {
        if (scheduler != null) {
            scheduler.close();
        }
    }

    @BeforeEach
    void begin() {
        objects = new Objects(plane.admin(), plane.freshNamespace());
    }

    @AfterEach
    void forget() {
        objects.deletePods();
        nodes.forEach(objects::deleteNode);
        nodes.clear();
        awaitKnown(0, 0);
    }

    ControlPlane plane() {
        return plane;
    }

    SchedulerProgram program() {
        return program;
    }

    SchedulerProcess scheduler() {
        return scheduler;
    }

    Objects objects() {
        return objects;
    }

    String namespace() {
        return objects.namespace();
    }

    /// Makes a node; see [Manifest].
    void node(String name, String said) {
        nodes.add(name);
        plane.admin().post("/api/v1/nodes", Manifest.node(name, said)).ok();
    }

    /// Makes a pod; see [Manifest].
    void pod(String name, String resources, String said) {
        create("/pods", Manifest.pod(name, resources, said));
    }

    /// Makes a pod that has its node already.
    void podOn(String node, String name, String resources) {
        pod(name, resources, "{spec: {nodeName: '" + node + "'}}");
    }

    /// Makes a priority class and waits until pods of it are admitted: the API server looks for it
    /// in a cache.
    void priorityClass(String name, int value, String policy) {
        plane.admin()
                .post(
                        "/apis/scheduling.k8s.io/v1/priorityclasses",
                        Manifest.of(
                                """
                                {apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass',
                                 metadata: {name: '%s'}, value: %d, preemptionPolicy: '%s'}
                                """
                                        .formatted(name, value, policy)));
        String pod =
                Manifest.pod(
                        "asks",
                        "{cpu: '1'}",
                        "{spec: {priorityClassName: '%s', preemptionPolicy: '%s'}}"
                                .formatted(name, policy));
        scheduler
                .process()
                .await(
                        "sure that the class " + name + " is known",
                        LIMIT,
                        () ->
                                plane.admin()
                                                .post(
                                                        "/api/v1/namespaces/default/pods?dryRun=All",
                                                        pod)
                                                .status()
                                        == 201);
    }

    /// Makes any object of the core group in the namespace of this fact.
    void create(String path, String json) {
        plane.admin().post("/api/v1/namespaces/" + namespace() + path, json).ok();
    }

    /// Waits until the scheduler counts so many nodes and so many pods on them.
    void awaitKnown(int nodeCount, int podCount) {
        scheduler
                .process()
                .await(
                        "aware of %d nodes and %d pods".formatted(nodeCount, podCount),
                        LIMIT,
                        () -> knows("nodes", nodeCount) && knows("pods", podCount));
    }

    private boolean knows(String kind, int count) {
        String metrics = scheduler.api().get("/metrics").body().asText();
        return metrics.lines()
                .filter(line -> line.startsWith("scheduler_cache_size{type=\"" + kind + "\"}"))
                .anyMatch(
                        line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))) == count);
    }

    /// Waits until a pod has a node and returns its name.
    String placeOf(String pod) {
        awaitPod(pod, answer -> !answer.text("/spec/nodeName").isEmpty());
        return objects.pod(pod).text("/spec/nodeName");
    }

    void awaitPod(String pod, Predicate<Response> reached) {
        objects.awaitPod(pod, LIMIT, scheduler, reached);
    }

    /// Waits until a pod is told that it has no place, and checks that its condition, its event and
    /// `kubectl describe` all say so, with this message.
    void assertUnplaced(String pod, String message) {
        awaitPod(pod, _ -> scheduled(pod).at("/reason").asText().equals("Unschedulable"));
        objects.awaitEvent(pod, "FailedScheduling", LIMIT, scheduler);
        assertThat(scheduled(pod).at("/status").asText()).isEqualTo("False");
        assertThat(scheduled(pod).at("/message").asText()).isEqualTo(message);
        assertThat(objects.pod(pod).text("/spec/nodeName")).isEmpty();
        assertThat(objects.events(pod, "FailedScheduling"))
                .allSatisfy(event -> {
                    assertThat(event.at("/type").asText()).isEqualTo("Warning");
                    assertThat(event.at("/note").asText()).isEqualTo(message);
                });
        assertThat(describe(pod))
                .containsPattern("\nNode: +<none>\n")
                .containsPattern("\nStatus: +Pending\n")
                .containsPattern("\n +PodScheduled +False *\n")
                .containsPattern(
                        "\n +Warning +FailedScheduling +\\S+( \\(.*\\))? +default-scheduler +"
                                + Pattern.quote(message)
                                + "\n");
    }

    JsonNode scheduled(String pod) {
        return objects.condition(pod, "PodScheduled");
    }

    /// What a user sees of a pod.
    String describe(String pod) {
        return plane.kubectl().run("describe", "pod", pod, "-n", namespace()).ok();
    }
}
