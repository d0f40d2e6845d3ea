package io.berth.e2e.differential;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.e2e.Binaries;
import io.berth.e2e.ChildProcess;
import io.berth.e2e.ControlPlane;
import io.berth.e2e.SchedulerProgram;
import io.berth.e2e.differential.scenario.About;
import io.berth.e2e.differential.scenario.ScenarioMaker;
import io.berth.e2e.fixture.PackagedScheduler;
import io.berth.e2e.fixture.RealControlPlane;
import io.berth.e2e.fixture.Thorough;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `berth explain` tells of a cluster that the real kube-scheduler runs is what that one has
/// logged and written: every plugin's score of every node, or why there is no node.
@Thorough
@RealControlPlane
@PackagedScheduler
final class MatrixIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int SEEDS = 4;
    private static final int CASES_PER_SEED = 4;

    /// Who places no pod at all.
    private static final String NOBODY = "nobody";

    @TempDir Path folder;

    /// On a control plane of its own, because nothing else may move in it.
    @Test
    void explanationHasTheScoresAndReasonsOfKubeScheduler() throws IOException {
        int matrices = 0;
        int messages = 0;
        try (var plane = Arena.controlPlane((Binaries.Found) Binaries.find(), "");
                var upstream = Arena.upstream(plane, "")) {
            var stage = new Stage(plane.admin(), List.of(upstream));
            stage.furnish();
            var trial = new Trial(stage);
            for (int seed = 1; seed <= SEEDS; seed++) {
                var maker = new ScenarioMaker(seed, About.ALL);
                for (int number = 1; number <= CASES_PER_SEED; number++) {
                    var pod = maker.pod(number);
                    var objects = maker.objects(number);
                    if (objects.stream().anyMatch(MatrixIT::isPending)
                            || pod.at("/spec").has("schedulingGates")) {
                        // What comes and goes during an attempt is not there afterwards.
                        continue;
                    }
                    try {
                        stage.become(objects);
                        var outcome = trial.run(pod, upstream);
                        var told = explain(plane, stage, pod);
                        switch (outcome) {
                            case Outcome.Placed placed -> {
                                compare(told, placed, seed + "/" + number);
                                matrices += placed.scores().isEmpty() ? 0 : 1;
                            }
                            case Outcome.Unplaced unplaced -> {
                                compare(told, unplaced, seed + "/" + number);
                                messages++;
                            }
                            case Outcome.Silent silent -> throw new AssertionError(silent.why());
                        }
                    } catch (RefusedException _) {
                        // The API server does not take such a pod.
                    }
                }
                stage.strike();
            }
        }
        System.out.println(matrices + " matrices and " + messages + " messages are equal");
        assertThat(matrices).isGreaterThanOrEqualTo(SEEDS);
        assertThat(messages).isGreaterThanOrEqualTo(SEEDS);
    }

    private static boolean isPending(ObjectNode object) {
        return Kinds.isPod(object) && !object.at("/spec").has("nodeName");
    }

    private static void compare(JsonNode told, Outcome.Placed placed, String about) {
        var scores = new TreeMap<String, TreeMap<String, Long>>();
        var totals = new TreeMap<String, Long>();
        for (var node : told.path("nodes")) {
            if (node.path("feasible").asBoolean()) {
                var row = new TreeMap<String, Long>();
                for (var score : node.path("scores")) {
                    long weighted = score.path("weighted").asLong();
                    assertThat(score.path("normalized").asLong() * score.path("weight").asLong())
                            .isEqualTo(weighted);
                    row.put(score.path("plugin").asText(), weighted);
                }
                scores.put(node.path("name").asText(), row);
                totals.put(node.path("name").asText(), node.path("total").asLong());
            }
        }
        assertThat(told.at("/counts/feasible").asLong())
                .as(about)
                .isEqualTo(placed.feasibleNodes())
                .isEqualTo(totals.size());
        // One node alone is not rated.
        if (!placed.scores().isEmpty()) {
            assertThat(scores).as(about).isEqualTo(placed.scores());
            assertThat(totals).as(about).isEqualTo(placed.totals());
            assertThat(placed.best()).as(about).contains(told.at("/choice/node").asText());
        }
    }

    private static void compare(JsonNode told, Outcome.Unplaced unplaced, String about) {
        // What preemption adds stands in a sentence of its own.
        assertThat(unplaced.message() + " ")
                .as(about)
                .startsWith(told.path("message").asText() + " ");
    }

    /// What the command tells of a pod that no scheduler touches.
    private JsonNode explain(ControlPlane plane, Stage stage, ObjectNode pod) throws IOException {
        var config =
                Files.writeString(
                        folder.resolve("config.yaml"),
                        """
                        apiVersion: kubescheduler.config.k8s.io/v1
                        kind: KubeSchedulerConfiguration
                        profiles:
                        - schedulerName: %s
                        """
                                .formatted(NOBODY));
        var namespace = Kinds.namespace(pod);
        stage.createPod(pod, "asked", NOBODY);
        var log = Files.createTempFile(folder, "explain", ".log");
        var command =
                List.of(
                        SchedulerProgram.berth().orElseThrow().file().toString(),
                        "explain",
                        "pod",
                        "asked",
                        "--namespace=" + namespace,
                        "--from=cluster",
                        "--kubeconfig=" + plane.adminKubeconfig(),
                        "--config=" + config,
                        "--all-nodes",
                        "--no-fixes",
                        "--output=json");
        try (var process = new ChildProcess("explain", command, log).start()) {
            assertThat(process.awaitEnd(LIMIT)).as(process.logTail()).isZero();
            var text = Files.readString(log);
            return new ObjectMapper().readTree(text.substring(text.indexOf('{')));
        } finally {
            stage.deletePod(namespace, "asked");
        }
    }
}
