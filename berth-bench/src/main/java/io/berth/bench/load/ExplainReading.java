package io.berth.bench.load;

import io.berth.bench.Options;
import io.berth.e2e.Binaries;
import io.berth.e2e.ControlPlane;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Prints what `berth explain --from cluster` costs on a large cluster of a real API server that no
/// scheduler works in: time by the clock and of the processor, and memory.
///
/// Usage: `ExplainReading LAUNCHER [nodes] [pods] [rounds]`
public final class ExplainReading {
    private static final long PATIENCE_MINUTES = 5;
    private static final int LOOK_AGAIN_MILLIS = 20;

    private ExplainReading() {}

    public static void main(String[] args) throws Exception {
        if (!(Binaries.find() instanceof Binaries.Found binaries)) {
            throw new IllegalStateException(Binaries.REMEDY);
        }
        int nodes = args.length > 1 ? Options.number(args[1]) : 5_000;
        int pods = args.length > 2 ? Options.number(args[2]) : 12 * nodes;
        int rounds = args.length > 3 ? Options.number(args[3]) : 3;
        try (var plane = ControlPlane.start(binaries)) {
            System.err.printf(Locale.ROOT, "creating %,d nodes and %,d pods ...%n", nodes, pods);
            var cluster = new LoadCluster(plane, nodes);
            var namespace = cluster.fill(pods, ExplainReading::pod);
            cluster.createHopeless(namespace);
            System.out.println("| asked | seconds | of CPU | peak RSS, MiB |");
            System.out.println("|---|---|---|---|");
            for (int round = 0; round < rounds; round++) {
                ask(args[0], plane, List.of("pod", "never0", "-n", namespace));
            }
            ask(args[0], plane, List.of("pending", "-A"));
        }
    }

    /// Of usual size: some 4 KB as JSON.
    private static String pod(int i) {
        var environment =
                IntStream.range(0, 20)
                        .mapToObj(
                                "{\"name\":\"SETTING_%d\",\"value\":\"a value of some length that says nothing\"}"
                                        ::formatted)
                        .collect(Collectors.joining(","));
        return Workloads.pod("b" + i, "app-" + i % 500, "")
                .replaceFirst(
                        "\"image\":",
                        "\"env\":["
                                + environment
                                + "],\"ports\":[{\"containerPort\":80}],\"image\":");
    }

    private static void ask(String launcher, ControlPlane plane, List<String> question)
            throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(launcher, "explain"));
        command.addAll(question);
        command.addAll(
                List.of("--from", "cluster", "--kubeconfig", plane.adminKubeconfig().toString()));
        Path out = plane.folder().resolve("explanation");
        long begin = System.nanoTime();
        var process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(out.toFile())
                        .start();
        var last = new ProcessFacts(0, 0, 0);
        long end = begin + TimeUnit.MINUTES.toNanos(PATIENCE_MINUTES);
        while (!process.waitFor(LOOK_AGAIN_MILLIS, TimeUnit.MILLISECONDS)) {
            if (System.nanoTime() > end) {
                process.destroyForcibly();
                throw new IllegalStateException("no answer within " + PATIENCE_MINUTES + " min");
            }
            last = known(process.pid(), last);
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        System.err.println(Files.readString(out));
        System.out.printf(
                Locale.ROOT,
                "| %s | %.1f | %.1f | %d |%n",
                question.getFirst(),
                seconds,
                last.cpuSeconds(),
                last.peakRssBytes() >> 20);
    }

    /// What is known while it lives; a process that ends has no memory any more.
    private static ProcessFacts known(long pid, ProcessFacts before) {
        try {
            var now = ProcessFacts.of(pid);
            return now.peakRssBytes() > 0 ? now : before;
        } catch (UncheckedIOException gone) {
            return before;
        }
    }
}
