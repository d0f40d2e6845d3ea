package io.berth.e2e.differential;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.e2e.differential.scenario.Json;
import io.berth.e2e.differential.scenario.VolumeMaker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/// Gives one pod to one scheduler, sees what becomes of it, and leaves the cluster as it was.
final class Trial {
    /// What a pod is told for which a claim gave up its devices.
    private static final String GIVEN_UP = " of ResourceClaim completed";

    private static final Duration DECISION_LIMIT = Duration.ofSeconds(30);
    private static final Duration NOTHING_LIMIT = Duration.ofSeconds(1);
    private static final Duration WRITE_LIMIT = Duration.ofSeconds(10);
    private static final ArrayNode GATES = Json.array(Json.object("name", "differential/claims"));
    private static final Duration POLL = Duration.ofMillis(5);

    private final Stage stage;
    private int count;

    Trial(Stage stage) {
        this.stage = stage;
    }

    /// Every run gives the pod a name of its own, so that a late line of the log cannot be taken
    /// for the next run's.
    Outcome run(ObjectNode pod, Contestant contestant) {
        var namespace = pod.at("/metadata/namespace").asText();
        var name = "pod-" + ++count;
        contestant.turnPage();
        try {
            stage.createCompanions(contestant.schedulerName());
            var gated = pod;
            if (pod.at("/metadata/annotations").has(VolumeMaker.EPHEMERAL)) {
                gated = pod.deepCopy();
                ((ObjectNode) gated.get("spec")).set("schedulingGates", GATES);
            }
            stage.createPod(gated, name, contestant.schedulerName());
            if (pod.at("/metadata/annotations").has(VolumeMaker.EPHEMERAL)) {
                var kind = pod.at("/metadata/annotations").get(VolumeMaker.EPHEMERAL).asText();
                stage.createClaims(namespace, name, kind.equals("made"), contestant);
            }
            if (gated.at("/spec").has("schedulingGates")) {
                if (!contestant.about(namespace + "/" + name).isEmpty()) {
                    return new Outcome.Silent("tried behind its gate");
                }
                stage.openGates(namespace, name);
            }
            var outcome =
                    observe(
                            namespace,
                            name,
                            contestant,
                            stage.controller(namespace, claimsOf(pod, name)));
            return outcome instanceof Outcome.Placed placed
                    ? placed.alsoWrote(stage.allocations(pod, name))
                    : outcome;
        } finally {
            stage.deletePod(namespace, name);
            stage.deleteCompanions();
            if (preempts(contestant.about(namespace + "/" + name))) {
                stage.revive(stage.evictedPods());
            }
            stage.restoreVolumes();
            stage.restoreClaims(pod);
        }
    }

    private static List<String> claimsOf(ObjectNode pod, String name) {
        var claims = new ArrayList<String>();
        for (var volume : pod.at("/spec/volumes")) {
            if (volume.has("persistentVolumeClaim")) {
                claims.add(volume.at("/persistentVolumeClaim/claimName").asText());
            } else if (volume.has("ephemeral")) {
                claims.add(name + "-" + volume.at("/name").asText());
            }
        }
        return claims;
    }

    private Outcome observe(
            String namespace, String name, Contestant contestant, PlayedController controller) {
        var key = namespace + "/" + name;
        boolean decided =
                contestant.listenUntil(
                        () -> {
                            if (contestant.about(key).stream().anyMatch(LogLine::isDecision)) {
                                return true;
                            }
                            controller.look();
                            return false;
                        },
                        DECISION_LIMIT);
        if (!decided) {
            return new Outcome.Silent("no decision within " + DECISION_LIMIT.toSeconds() + " s");
        }
        var lines = contestant.about(key);
        var decision = lines.stream().filter(LogLine::isDecision).findFirst().orElseThrow();
        return decision.sentence().equals(LogLine.BOUND)
                ? placed(namespace, name, decision, lines, written(controller, contestant, name))
                : unplaced(namespace, name, contestant, lines);
    }

    private static SortedSet<String> written(
            PlayedController controller, Contestant contestant, String pod) {
        var texts = new TreeSet<String>();
        controller.written().forEach(text -> texts.add(plain(text, contestant, pod)));
        return texts;
    }

    private Outcome placed(
            String namespace,
            String name,
            LogLine bound,
            List<LogLine> lines,
            SortedSet<String> written) {
        var node = stage.pod(namespace, name).at("/spec/nodeName").asText();
        if (!node.equals(bound.value("node"))) {
            return new Outcome.Silent("says " + bound.value("node") + ", but is on " + node);
        }
        var scores = new TreeMap<String, java.util.SortedMap<String, Long>>();
        var totals = new TreeMap<String, Long>();
        for (var line : lines) {
            if (line.sentence().equals(LogLine.PLUGIN_SCORE)) {
                scores.computeIfAbsent(line.value("node"), _ -> new TreeMap<>())
                        .put(line.value("plugin"), line.number("score"));
            } else if (line.sentence().equals(LogLine.FINAL_SCORE)) {
                totals.put(line.value("node"), line.number("score"));
            }
        }
        return new Outcome.Placed(
                node,
                bound.number("evaluatedNodes"),
                bound.number("feasibleNodes"),
                scores,
                totals,
                written);
    }

    private Outcome unplaced(
            String namespace, String name, Contestant contestant, List<LogLine> lines) {
        boolean preempts = preempts(lines);
        if (preempts && !hasPreemptionEnded(namespace + "/" + name, contestant, lines)) {
            return new Outcome.Silent("a preemption that does not end");
        }
        long deadline = System.nanoTime() + WRITE_LIMIT.toNanos();
        var pod = stage.pod(namespace, name);
        var note = stage.failureNote(namespace, name);
        while ((condition(pod, "PodScheduled").isMissingNode() || note.isEmpty())
                && System.nanoTime() < deadline) {
            Contestant.pause(POLL);
            pod = stage.pod(namespace, name);
            note = note.isEmpty() ? stage.failureNote(namespace, name) : note;
        }
        var victims = new TreeSet<String>();
        for (var victim : preempts ? stage.evictedPods() : List.<JsonNode>of()) {
            var disruption = condition(victim, "DisruptionTarget");
            victims.add(
                    "%s/%s %s: %s"
                            .formatted(
                                    victim.at("/metadata/namespace").asText(),
                                    victim.at("/metadata/name").asText(),
                                    disruption.at("/reason").asText(),
                                    plain(disruption.at("/message").asText(), contestant, name)));
        }
        if (note.contains(GIVEN_UP)) {
            // It is tried again at once, so that its status may be of the next attempt already.
            return new Outcome.Unplaced("", "", plain(note, contestant, name), "", victims);
        }
        var condition = condition(pod, "PodScheduled");
        return new Outcome.Unplaced(
                condition.at("/reason").asText(),
                plain(condition.at("/message").asText(), contestant, name),
                plain(note, contestant, name),
                pod.at("/status/nominatedNodeName").asText(),
                victims);
    }

    /// Listens for the end of the evictions. Where all victims are leaving already there is nothing
    /// to do, and no end is told.
    private static boolean hasPreemptionEnded(
            String pod, Contestant contestant, List<LogLine> lines) {
        BooleanSupplier isOver = () -> hasSaid(contestant.about(pod), LogLine.PREEMPTION_OVER);
        if (hasSaid(lines, LogLine.VICTIM_LEAVING)
                && !contestant.listenUntil(isOver, NOTHING_LIMIT)
                && !hasSaid(contestant.about(pod), LogLine.PREEMPTION_BEGUN)) {
            return true;
        }
        return contestant.listenUntil(isOver, DECISION_LIMIT);
    }

    private static boolean preempts(List<LogLine> lines) {
        return hasSaid(lines, LogLine.PREEMPTION_TARGET);
    }

    private static boolean hasSaid(List<LogLine> lines, String sentence) {
        return lines.stream().anyMatch(line -> line.sentence().equals(sentence));
    }

    /// A text without the names that differ between two runs.
    private static String plain(String text, Contestant contestant, String pod) {
        return text.replace(contestant.schedulerName(), "SCHEDULER").replace(pod, "POD");
    }

    private static JsonNode condition(JsonNode pod, String type) {
        for (var condition : pod.at("/status/conditions")) {
            if (condition.at("/type").asText().equals(type)
                    && !condition.at("/reason").asText().equals("SchedulingGated")) {
                return condition;
            }
        }
        return com.fasterxml.jackson.databind.node.MissingNode.getInstance();
    }
}
