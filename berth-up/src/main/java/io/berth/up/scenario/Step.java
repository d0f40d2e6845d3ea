package io.berth.up.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.selector.LabelSelector;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Something that a scenario does or expects.
sealed interface Step {
    /// When it is done, from the start; a step without a time follows the one before it.
    Duration at();

    /// Objects come, or change.
    record Apply(Duration at, List<ObjectNode> objects) implements Step {}

    /// Nodes fall silent, or go where `gone` is true.
    record Lose(Duration at, String label, String value, boolean gone) implements Step {}

    /// A workload gets another size.
    record Scale(Duration at, String kind, String name, int replicas) implements Step {}

    /// A workload goes, with all that it owns.
    record Delete(Duration at, String kind, String name) implements Step {}

    /// Numbers of pods, which have to be right within a time.
    ///
    /// @param selector of pods' labels
    /// @param zone whose pods count; all where empty
    record Expect(
            Duration at,
            LabelSelector selector,
            String zone,
            Map<String, Integer> numbers,
            Duration within)
            implements Step {}

    List<String> ACTIONS = List.of("apply", "lose", "remove", "scale", "delete", "expect");
    List<String> FIELDS = Stream.concat(Stream.of("at"), ACTIONS.stream()).toList();
    List<String> NUMBERS = List.of("pending", "placed", "running");
    Duration PATIENCE = Duration.ofSeconds(30);
    String ZONE = "topology.kubernetes.io/zone";

    static Step of(JsonNode tree, Duration before, Path folder, String place) {
        if (ACTIONS.stream().noneMatch(tree::has)) {
            throw new FileProblem(place + " is none of " + String.join(", ", ACTIONS));
        }
        Fields.check(tree, FIELDS, place);
        if (ACTIONS.stream().filter(tree::has).count() > 1) {
            throw new FileProblem(place + " does several things; make each a step of its own");
        }
        Duration at = tree.has("at") ? duration(tree.get("at"), place + ".at") : before;
        if (tree.has("apply")) {
            return new Apply(at, objects(tree.get("apply"), folder, place + ".apply"));
        }
        if (tree.has("lose")) {
            return lose(tree.get("lose"), at, false, place + ".lose");
        }
        if (tree.has("remove")) {
            return lose(tree.get("remove"), at, true, place + ".remove");
        }
        if (tree.has("scale")) {
            String[] words = tree.get("scale").asText().split("[/ ]+", -1);
            if (words.length != 3 || !words[2].matches("[0-9]{1,6}")) {
                throw new FileProblem(
                        place + ".scale must be KIND/NAME REPLICAS, such as deploy/web 50");
            }
            return new Scale(at, plural(words[0], place), words[1], Integer.parseInt(words[2]));
        }
        if (tree.has("delete")) {
            String[] words = tree.get("delete").asText().split("/", -1);
            if (words.length != 2) {
                throw new FileProblem(place + ".delete must be KIND/NAME, such as deploy/web");
            }
            return new Delete(at, plural(words[0], place), words[1]);
        }
        return expect(tree.get("expect"), at, place + ".expect");
    }

    private static List<ObjectNode> objects(JsonNode tree, Path folder, String place) {
        if (!tree.isTextual()) {
            return Manifests.objects(tree, place);
        }
        Path file = folder.resolve(tree.textValue());
        var objects = new ArrayList<ObjectNode>();
        for (JsonNode document : Manifests.documents(Manifests.read(file), file.toString())) {
            objects.addAll(Manifests.objects(document, file.toString()));
        }
        return objects;
    }

    private static Step lose(JsonNode tree, Duration at, boolean gone, String place) {
        if (tree.has("zone")) {
            return new Lose(at, ZONE, tree.get("zone").asText(), gone);
        }
        if (tree.has("node")) {
            return new Lose(at, "kubernetes.io/hostname", tree.get("node").asText(), gone);
        }
        throw new FileProblem(place + " must name a zone or a node");
    }

    private static Step expect(JsonNode tree, Duration at, String place) {
        var numbers = new TreeMap<String, Integer>();
        for (var each : tree.properties()) {
            switch (each.getKey()) {
                case "within", "selector", "zone" -> {
                    // read below
                }
                default -> {
                    if (!NUMBERS.contains(each.getKey()) || !each.getValue().isInt()) {
                        throw new FileProblem(
                                place
                                        + "."
                                        + each.getKey()
                                        + " is not known; expect numbers of "
                                        + String.join(", ", NUMBERS));
                    }
                    numbers.put(each.getKey(), each.getValue().asInt());
                }
            }
        }
        if (numbers.isEmpty()) {
            throw new FileProblem(place + " expects nothing; name one of " + NUMBERS);
        }
        Duration within =
                tree.has("within") ? duration(tree.get("within"), place + ".within") : PATIENCE;
        return new Expect(
                at,
                selector(tree.path("selector").asText(""), place + ".selector"),
                tree.path("zone").asText(""),
                numbers,
                within);
    }

    private static LabelSelector selector(String text, String place) {
        try {
            return LabelSelector.parse(text);
        } catch (IllegalArgumentException wrong) {
            throw new FileProblem(place + " is no selector of labels: " + wrong.getMessage());
        }
    }

    private static Duration duration(JsonNode value, String place) {
        String text = value.asText();
        if (!text.matches("[0-9]{1,5}(ms|s|m)")) {
            throw new FileProblem(
                    place + " must be a time such as 500ms, 5s or 2m, not \"" + text + "\"");
        }
        long number = Long.parseLong(text.replaceAll("[a-z]", ""));
        return switch (text.replaceAll("[0-9]", "")) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            default -> Duration.ofMinutes(number);
        };
    }

    private static String plural(String kind, String place) {
        return switch (kind) {
            case "deploy", "deployment", "deployments" -> "deployments";
            case "rs", "replicaset", "replicasets" -> "replicasets";
            case "sts", "statefulset", "statefulsets" -> "statefulsets";
            case "ds", "daemonset", "daemonsets" -> "daemonsets";
            default ->
                    throw new FileProblem(
                            place + " names \"" + kind + "\"; it may be deploy, rs, sts or ds");
        };
    }
}
