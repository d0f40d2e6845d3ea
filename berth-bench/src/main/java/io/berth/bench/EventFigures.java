package io.berth.bench;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;

import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.spec.PodSpec;
import io.berth.engine.framework.ProfileSettings;
import io.berth.plugins.InTree;
import io.berth.testkit.Progress;
import io.berth.testkit.TestScheduler;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.IntConsumer;

/// Prints what it costs to apply an event to the state, and what one node event costs while 10,000
/// pods are parked. CPU time, one thread.
///
/// Usage: `EventFigures [nodes]`
public final class EventFigures {
    private static final int EVENTS = 2_000;
    private static final int ROUNDS = 11;
    private static final int PARKED = 10_000;
    private static final int ROWS = 4;

    private static final Progress PROGRESS =
            Progress.onStandardError("rounds", (long) ROWS * 2 * ROUNDS);

    private EventFigures() {}

    public static void main(String[] args) {
        int nodes = args.length > 0 ? Integer.parseInt(args[0]) : 5_000;
        System.out.printf(Locale.ROOT, "%d nodes, %d bound pods%n%n", nodes, 2 * nodes);
        System.out.println("| event | µs each | best | at most |");
        System.out.println("|---|---|---|---|");
        var scheduler = cluster(nodes);
        int[] next = {0};
        print(
                "bound pod seen",
                5,
                round ->
                        each(i ->
                                scheduler
                                        .engine()
                                        .seen(
                                                pod("e" + next[0]++)
                                                        .cpu("1m")
                                                        .label("app", "a" + i % 20)
                                                        .onNode("node-" + i % nodes)
                                                        .build())),
                scheduler,
                EVENTS);
        int[] gone = {0};
        print(
                "bound pod gone",
                5,
                round -> each(i -> scheduler.engine().gone(Kind.POD, "default", "e" + gone[0]++)),
                scheduler,
                EVENTS);
        print(
                "node changed (heartbeat)",
                5,
                round -> each(i -> scheduler.engine().seen(made(i % nodes, round))),
                scheduler,
                EVENTS);
        parked();
    }

    private static void each(IntConsumer event) {
        for (int i = 0; i < EVENTS; i++) {
            event.accept(i);
        }
    }

    private static TestScheduler cluster(int nodes) {
        var scheduler =
                TestScheduler.with(
                        InTree.factories(),
                        ProfileSettings.of(PodSpec.DEFAULT_SCHEDULER, InTree.defaults()));
        for (int i = 0; i < nodes; i++) {
            scheduler.add(made(i, 0));
            scheduler.settle();
        }
        for (int i = 0; i < 2 * nodes; i++) {
            scheduler.create(
                    pod("bound" + i)
                            .cpu("10m")
                            .label("app", "a")
                            .onNode("node-" + i % nodes)
                            .build());
            scheduler.settle();
        }
        return scheduler;
    }

    private static Node made(int i, int revision) {
        return node("node-" + i)
                .zone("zone-" + i % 3)
                .with(n -> n.resourceVersion(Integer.toString(revision)))
                .build();
    }

    /// Ten thousand pods that fit nowhere, and a node that changes.
    private static void parked() {
        var scheduler = cluster(500);
        var pods = new Pod[PARKED];
        for (int i = 0; i < PARKED; i++) {
            pods[i] = pod("parked" + i).cpu("1000").label("app", "a" + i % 50).build();
            scheduler.create(pods[i]);
        }
        scheduler.settle();
        print(
                "node resized, " + PARKED + " pods parked",
                20_000,
                round ->
                        scheduler
                                .engine()
                                .seen(
                                        node("node-0")
                                                .zone("zone-0")
                                                .cpu(Integer.toString(4 + round))
                                                .build()),
                scheduler,
                1);
    }

    private static void print(
            String name, double limit, IntConsumer body, TestScheduler scheduler, int events) {
        var threads = ManagementFactory.getThreadMXBean();
        var micros = new double[ROUNDS];
        for (int round = 0; round < 2 * ROUNDS; round++) {
            body.accept(round + 1);
            long cpu = threads.getCurrentThreadCpuTime();
            scheduler.settle();
            micros[round % ROUNDS] = (threads.getCurrentThreadCpuTime() - cpu) / 1e3 / events;
            PROGRESS.advance(1);
        }
        Arrays.sort(micros);
        PROGRESS.clear();
        System.out.printf(
                Locale.ROOT,
                "| %s | %.1f | %.1f | %.0f |%n",
                name,
                micros[ROUNDS / 2],
                micros[0],
                limit);
    }
}
