package io.berth.bench;

import static io.berth.testkit.Pods.pod;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.spec.PodSpec;
import io.berth.engine.EngineSettings;
import io.berth.engine.SystemTime;
import io.berth.engine.framework.ProfileSettings;
import io.berth.engine.framework.Registry;
import io.berth.engine.port.ClusterImage;
import io.berth.engine.query.EngineQueries;
import io.berth.lab.Mirror;
import io.berth.lab.Twin;
import io.berth.lab.explain.ClusterStudy;
import io.berth.lab.explain.ClusterStudy.Context;
import io.berth.lab.explain.PodExplanation;
import io.berth.lab.explain.Pools;
import io.berth.lab.explain.Question;
import io.berth.lab.explain.Source;
import io.berth.plugins.InTree;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.function.LongSupplier;

/// Prints what it costs to explain pods that wait in a large cluster, with all fixes that are
/// tried, and for how long the engine at work is stopped by it.
///
/// Usage: `ExplainFigures [nodes] [pods]`
public final class ExplainFigures {
    private static final int WARM = 60;
    private static final int MEASURED = 300;
    private static final int STOPS = 20;

    /// Between two questions of ten a second.
    private static final int PLACED = 30;

    private static final EngineSettings SETTINGS =
            EngineSettings.of(
                    List.of(ProfileSettings.of(PodSpec.DEFAULT_SCHEDULER, InTree.defaults())));

    private static final Source SOURCE = new Source(Source.Kind.SCHEDULER, "", "", 0, "", "");

    private ExplainFigures() {}

    public static void main(String[] args) throws InterruptedException, ExecutionException {
        int nodes = args.length > 0 ? Integer.parseInt(args[0]) : 5_000;
        int pods = args.length > 1 ? Integer.parseInt(args[1]) : 12 * nodes;
        var waiting = waiting();
        var image = image(nodes, pods, waiting);
        System.out.printf(
                Locale.ROOT,
                "%d nodes, %d bound pods, %d pods that wait%n%n",
                nodes,
                pods,
                waiting.size());
        System.out.println("| | mean | median | p99 | most |");
        System.out.println("|---|---|---|---|---|");
        engine(image);
        changes(image, nodes, pods, waiting);
        answers(image, waiting);
    }

    /// One for each sort of trouble.
    private static List<Pod> waiting() {
        return List.of(
                pod("cpu").cpu("100").build(),
                pod("room").cpu("33").memory("200Gi").build(),
                pod("gpu").cpu("1").request("nvidia.com/gpu", "8").build(),
                pod("selector").cpu("1").nodeSelector("disk", "nvme").build(),
                pod("pool").cpu("100").nodeSelector("pool", "pool-3").build(),
                pod("near").cpu("1").near("kubernetes.io/hostname", "app", "nowhere").build(),
                pod("away")
                        .cpu("1")
                        .away("topology.kubernetes.io/zone", "pod-template-hash", "7d4b9c6f58")
                        .build(),
                pod("named").cpu("1").requiresNodeNamed("gone").build());
    }

    private static ClusterImage image(int nodes, int pods, List<Pod> waiting) {
        var cluster = new LargeCluster(nodes);
        var objects = new ArrayList<ClusterObject>();
        for (int i = 0; i < nodes; i++) {
            objects.add(LargeCluster.node(i));
        }
        for (int i = 0; i < pods; i++) {
            objects.add(cluster.bound(i));
        }
        objects.addAll(waiting);
        return ClusterImage.of(objects);
    }

    /// Of the engine's thread alone: what a scheduler lists for a twin, once a second at most.
    private static void engine(ClusterImage image) throws InterruptedException, ExecutionException {
        var registry = Registry.of(InTree.factories());
        try (var engine = Twin.of(SETTINGS, registry, new SystemTime(), image)) {
            var nanos = new long[STOPS];
            for (int i = -STOPS; i < STOPS; i++) {
                long taken = engine.ask(ExplainFigures::list).get();
                nanos[Math.max(i, 0)] = taken;
            }
            print("the engine lists what it knows, ms of CPU", nanos);
        }
    }

    /// What it costs the engine to tell what has changed since the last question, what it costs to
    /// tell the twin, and what the answer costs there.
    private static void changes(ClusterImage image, int nodes, int pods, List<Pod> waiting)
            throws InterruptedException, ExecutionException {
        var registry = Registry.of(InTree.factories());
        var cluster = new LargeCluster(nodes);
        try (var engine = Twin.of(SETTINGS, registry, new SystemTime(), image);
                var mirror =
                        Mirror.of(
                                ClusterStudy.ofSome(SETTINGS),
                                registry,
                                new SystemTime(),
                                engine.ask(asked -> asked.difference(null)).get())) {
            var told = new long[MEASURED];
            var followed = new long[MEASURED];
            var answered = new long[MEASURED];
            var study = new ClusterStudy(mirror, new Pools(), Context.of(SOURCE));
            for (int i = -WARM; i < MEASURED; i++) {
                for (int pod = 0; pod < PLACED; pod++) {
                    engine.feed().seen(cluster.bound(pods + (i + WARM) * PLACED + pod));
                }
                engine.feed().seen(heardOf(LargeCluster.node((i + WARM) % nodes), i));
                var asked = waiting.get((i + WARM) % waiting.size());
                var threads = ManagementFactory.getThreadMXBean();
                int at = Math.max(i, 0);
                var difference =
                        engine.ask(
                                        queries -> {
                                            long begin = threads.getCurrentThreadCpuTime();
                                            var found = queries.difference(mirror.mark());
                                            told[at] = threads.getCurrentThreadCpuTime() - begin;
                                            return found;
                                        })
                                .get();
                long begin = cpuNanos();
                if (!mirror.follow(difference)) {
                    throw new IllegalStateException("another order");
                }
                followed[at] = cpuNanos() - begin;
                answered[at] =
                        mirror.twin()
                                .ask(_ -> {
                                    long from = threads.getCurrentThreadCpuTime();
                                    explain(study, asked);
                                    return threads.getCurrentThreadCpuTime() - from;
                                })
                                .get();
            }
            print(
                    "the engine tells of " + PLACED + " placed pods and a heartbeat, ms of CPU",
                    told);
            print("the twin is told so, ms of CPU", followed);
            print("its answer with fixes, ms of CPU of its thread", answered);
        }
    }

    /// A node whose kubelet has said that it is well, as one of five thousand does every sixty
    /// milliseconds.
    private static Node heardOf(Node node, int time) {
        return node.toBuilder().resourceVersion(String.valueOf(1_000_000 + time)).build();
    }

    private static long list(EngineQueries engine) {
        var threads = ManagementFactory.getThreadMXBean();
        long begin = threads.getCurrentThreadCpuTime();
        if (engine.image().nodes().isEmpty() || engine.queue() == null) {
            throw new IllegalStateException("an engine without nodes");
        }
        return threads.getCurrentThreadCpuTime() - begin;
    }

    private static void answers(ClusterImage image, List<Pod> waiting) {
        long begin = cpuNanos();
        try (var study =
                new ClusterStudy(
                        SETTINGS,
                        Registry.of(InTree.factories()),
                        new SystemTime(),
                        image,
                        Context.of(SOURCE))) {
            print("the first twin, ms of CPU", new long[] {cpuNanos() - begin});
            for (int i = 0; i < WARM; i++) {
                explain(study, waiting.get(i % waiting.size()));
            }
            for (var pod : waiting) {
                print(
                        "\"" + pod.name() + "\", ms",
                        measured(study, List.of(pod), System::nanoTime));
            }
            print("an answer with fixes, ms", measured(study, waiting, System::nanoTime));
            print(
                    "an answer with fixes, ms of CPU of all threads",
                    measured(study, waiting, ExplainFigures::cpuNanos));
        }
    }

    private static long[] measured(ClusterStudy study, List<Pod> waiting, LongSupplier clock) {
        var nanos = new long[MEASURED];
        for (int i = 0; i < MEASURED; i++) {
            long begin = clock.getAsLong();
            explain(study, waiting.get(i % waiting.size()));
            nanos[i] = clock.getAsLong() - begin;
        }
        return nanos;
    }

    private static void explain(ClusterStudy study, Pod pod) {
        PodExplanation told = study.explain(pod, Question.USUAL);
        if (told.choice().isPresent()) {
            throw new IllegalStateException(pod.key() + " has a place");
        }
    }

    private static void print(String what, long[] nanos) {
        Arrays.sort(nanos);
        System.out.printf(
                Locale.ROOT,
                "| %s | %.2f | %.2f | %.2f | %.2f |%n",
                what,
                Arrays.stream(nanos).average().orElse(0) / 1e6,
                nanos[nanos.length / 2] / 1e6,
                nanos[(int) Math.ceil(nanos.length * 0.99) - 1] / 1e6,
                nanos[nanos.length - 1] / 1e6);
    }

    /// Of the whole process: compilers and collectors count.
    private static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
                .getProcessCpuTime();
    }
}
