package io.berth.up.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Nodes, and what happens to them, in order.
public record Scenario(String name, List<NodePool> pools, List<Step> steps) {
    /// Those that come with Berth.
    public static final List<String> BUILT_IN =
            List.of(
                    "5000-nodes",
                    "bad-selector",
                    "black-friday",
                    "gpu-fragmentation",
                    "preemption-cascade",
                    "rolling-skew",
                    "zone-outage");

    private static final Set<String> FIELDS = Set.of("seed", "description", "nodes", "steps");

    public Scenario {
        pools = List.copyOf(pools);
        steps = List.copyOf(steps);
    }

    /// Finds a scenario by its name, or reads a file.
    ///
    /// @throws FileProblem with a sentence
    public static Scenario find(String nameOrFile) {
        Optional<String> builtIn = builtIn(nameOrFile);
        if (builtIn.isPresent()) {
            return parse(nameOrFile, builtIn.get(), Path.of("."));
        }
        Path file = Path.of(nameOrFile);
        if (!Files.exists(file)) {
            throw new FileProblem(
                    "there is no scenario \""
                            + nameOrFile
                            + "\"; give a file or one of "
                            + String.join(", ", BUILT_IN));
        }
        Path folder = Optional.ofNullable(file.getParent()).orElse(Path.of("."));
        return parse(nameOrFile, Manifests.read(file), folder);
    }

    private static Optional<String> builtIn(String name) {
        if (!BUILT_IN.contains(name)) {
            return Optional.empty();
        }
        try (InputStream in = Scenario.class.getResourceAsStream(name + ".yaml")) {
            if (in == null) {
                throw new IllegalStateException("scenario " + name + " is not on the class path");
            }
            return Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException broken) {
            throw new IllegalStateException(broken);
        }
    }

    static Scenario parse(String name, String text, Path folder) {
        List<JsonNode> documents = Manifests.documents(text, name);
        if (documents.size() != 1 || !documents.getFirst().isObject()) {
            throw new FileProblem(name + " must hold one document with nodes and steps");
        }
        JsonNode tree = documents.getFirst();
        Fields.check(tree, FIELDS, name);
        var pools = new ArrayList<NodePool>();
        for (JsonNode each : Fields.list(tree, "nodes", name)) {
            pools.add(NodePool.of(each, name + ": nodes[" + pools.size() + "]"));
        }
        var steps = new ArrayList<Step>();
        Duration before = Duration.ZERO;
        for (JsonNode each : Fields.list(tree, "steps", name)) {
            Step step = Step.of(each, before, folder, name + ": steps[" + steps.size() + "]");
            steps.add(step);
            before = step.at();
        }
        return new Scenario(name, pools, steps);
    }
}
