package io.berth.e2e.differential;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.e2e.Binaries;
import io.berth.e2e.Checkout;
import io.berth.e2e.ControlPlane;
import io.berth.e2e.differential.scenario.VolumeMaker;
import io.berth.e2e.fixture.RealControlPlane;
import io.berth.e2e.fixture.Thorough;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The column "kube-scheduler" of the situations in `docs/explain.md` is what the real one writes
/// of these pods in that cluster.
@Thorough
@RealControlPlane
final class SituationsIT {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final String FOLDER = "berth-tools/src/test/resources/situations/";
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| ([^|]+) \\| \\w+ \\| `([^|]*)` \\| .*\\|$");

    /// What waits for others to leave, for whose sake the rest finds less room.
    private static final String NOMINATED = "nominated";

    private final ObjectMapper mapper = new ObjectMapper();

    @Test
    void kubeSchedulerSaysWhatThePageSays() throws IOException {
        var page = column();
        var heard = new TreeMap<String, String>();
        try (var plane = Arena.controlPlane((Binaries.Found) Binaries.find(), "");
                var upstream = Arena.upstream(plane, "")) {
            var stage = new Stage(plane.admin(), List.of(upstream));
            stage.furnish();
            stage.become(cluster(plane));
            var trial = new Trial(stage);
            for (var pod : pods(plane)) {
                var situation = pod.at("/metadata/annotations/situation").asText();
                if (Kinds.name(pod).equals(NOMINATED)) {
                    stage.createPod(pod, NOMINATED, upstream.schedulerName());
                    heard.put(situation, awaitNomination(stage, upstream));
                } else if (trial.run(pod, upstream) instanceof Outcome.Unplaced unplaced) {
                    heard.put(situation, plain(unplaced.message()));
                }
            }
        }
        assertThat(heard).hasSizeGreaterThan(35);
        heard.forEach((situation, text) -> assertThat(page).containsEntry(situation, text));
    }

    private static String awaitNomination(Stage stage, Contestant upstream) {
        boolean isNominated =
                upstream.listenUntil(
                        () ->
                                stage.pod("sit", NOMINATED)
                                        .at("/status/nominatedNodeName")
                                        .asText()
                                        .equals("web-2"),
                        LIMIT);
        assertThat(isNominated).isTrue();
        return plain(
                stage.pod("sit", NOMINATED)
                        .at("/status/conditions")
                        .findValuesAsText("message")
                        .getFirst());
    }

    /// Its first sentence without the number of nodes: what comes after it is of preemption and of
    /// others who try to make room.
    private static String plain(String message) {
        return message.replaceFirst("^0/\\d+ nodes are available: ", "")
                .replaceFirst("\\.( .*)?$", "");
    }

    private static Map<String, String> column() throws IOException {
        var rows = ROW.matcher(Files.readString(Checkout.root().resolve("docs/explain.md")));
        var column = new TreeMap<String, String>();
        while (rows.find()) {
            column.put(rows.group(1), rows.group(2));
        }
        return column;
    }

    private List<ObjectNode> cluster(ControlPlane plane) throws IOException {
        var objects = new ArrayList<ObjectNode>();
        for (var object : objects(plane, "cluster.yaml")) {
            if (object.at("/spec").has("claimRef")) {
                ((ObjectNode) object.at("/spec/claimRef")).put("uid", VolumeMaker.UID_OF_CLAIM);
            }
            // These are there already.
            if (!Kinds.kind(object).equals("PriorityClass")) {
                objects.add(object);
            }
        }
        return objects;
    }

    /// The one that is nominated first, and those that evict others last: the rest are to find the
    /// cluster as it is.
    private List<ObjectNode> pods(ControlPlane plane) throws IOException {
        var turns = new HashMap<String, Integer>();
        var pods = new ArrayList<ObjectNode>();
        for (var pod : objects(plane, "pods.yaml")) {
            var spec = (ObjectNode) pod.get("spec");
            boolean hasClass = spec.has("priorityClassName");
            boolean isOurs = !spec.has("schedulerName") && !spec.has("schedulingGates");
            spec.remove("priority");
            pod.remove("status");
            turns.put(Kinds.name(pod), Kinds.name(pod).equals(NOMINATED) ? 0 : hasClass ? 2 : 1);
            if (isOurs) {
                pods.add(pod);
            }
        }
        pods.sort(Comparator.comparing(pod -> turns.getOrDefault(Kinds.name(pod), 1)));
        return pods;
    }

    /// As JSON, by the only one here who reads YAML.
    private List<ObjectNode> objects(ControlPlane plane, String file) throws IOException {
        var text =
                plane.kubectl()
                        .run(
                                "create",
                                "--dry-run=client",
                                "--validate=false",
                                "--output=json",
                                "--filename=" + Checkout.root().resolve(FOLDER + file))
                        .ok();
        var objects = new ArrayList<ObjectNode>();
        try (var documents = mapper.readerFor(ObjectNode.class).<ObjectNode>readValues(text)) {
            while (documents.hasNextValue()) {
                var document = documents.nextValue();
                if (Kinds.kind(document).equals("List")) {
                    document.get("items").forEach(item -> objects.add((ObjectNode) item));
                } else {
                    objects.add(document);
                }
            }
        }
        return objects;
    }
}
