package io.berth.tools.explain;

import io.berth.api.model.Kind;
import io.berth.engine.port.ClusterImage;
import io.berth.kube.read.Dump;
import io.berth.lab.explain.ExplainException;
import io.berth.lab.explain.Source;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Reads a cluster from what `kubectl get` wrote.
public final class DumpReading {
    private final String from;
    private final Progress progress;

    public DumpReading(String from, Progress progress) {
        this.from = from;
        this.progress = progress;
    }

    /// @throws ExplainException where it cannot be read, or holds no nodes or pods
    public ClusterFacts read() {
        try {
            return facts(dump());
        } catch (IOException | InvalidPathException unreadable) {
            throw new ExplainException(String.valueOf(unreadable.getMessage()), unreadable);
        } finally {
            progress.done();
        }
    }

    private Dump dump() throws IOException {
        return from.equals(ExplainOptions.PIPE)
                ? Dump.read(System.in, "standard input", count -> progress.show("objects", count))
                : Dump.read(Path.of(from), count -> progress.show("objects", count));
    }

    private ClusterFacts facts(Dump dump) {
        var image = ClusterImage.of(dump.objects());
        int nodes = image.of(Kind.NODE).size();
        int pods = image.of(Kind.POD).size();
        if (nodes + pods == 0) {
            throw new ExplainException(
                    "%s has neither nodes nor pods%s%s; make one with: kubectl get nodes,pods -A -o yaml"
                            .formatted(
                                    name(),
                                    others(dump.passedOver()),
                                    dump.unreadable().isEmpty()
                                            ? ""
                                            : ", as " + unreadable(dump.unreadable())));
        }
        var uncertain = new ArrayList<String>();
        missing(uncertain, nodes, "nodes", "without any, no pod has a place");
        missing(uncertain, pods, "pods", "nodes are judged as if they were empty");
        if (!dump.unreadable().isEmpty()) {
            uncertain.add(unreadable(dump.unreadable()));
        }
        if (dump.listsWithoutKind() > 0) {
            uncertain.add(
                    "the dump has a list that does not say its kind, as one that was cut off: objects may be missing");
        }
        var sentence =
                String.format(
                        Locale.ROOT,
                        "%s, %,d nodes and %,d pods%s",
                        name(),
                        nodes,
                        pods,
                        others(dump.passedOver()));
        return new ClusterFacts(
                Source.Kind.DUMP,
                sentence,
                "",
                "default",
                image,
                PriorityClasses.of(dump.priorityClasses()),
                uncertain);
    }

    private String name() {
        return from.equals(ExplainOptions.PIPE) ? "standard input" : from;
    }

    private static void missing(
            List<String> uncertain, int count, String what, String consequence) {
        if (count == 0) {
            uncertain.add("the dump has no " + what + ": " + consequence);
        }
    }

    private static String unreadable(List<String> plurals) {
        var counts = new TreeMap<String, Integer>();
        plurals.forEach(plural -> counts.merge(plural, 1, Integer::sum));
        return counts.entrySet().stream()
                        .map(entry -> entry.getValue() + " " + entry.getKey())
                        .collect(Collectors.joining(", "))
                + " could not be read and were left out";
    }

    private static String others(Map<String, Integer> passedOver) {
        int count = passedOver.values().stream().mapToInt(Integer::intValue).sum();
        if (count == 0) {
            return "";
        }
        return " (%s of other kinds passed over: %s)"
                .formatted(
                        count,
                        passedOver.keySet().stream()
                                .sorted()
                                .limit(3)
                                .collect(
                                        Collectors.joining(
                                                ", ", "", passedOver.size() > 3 ? ", …" : "")));
    }
}
