package io.berth.bench;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;

import io.berth.api.label.LabelSelector;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.testkit.Pods;
import java.time.Instant;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/// The workloads that Berth is measured with, in the spirit of upstream's scheduler_perf.
final class Scenarios {
    private static final String ZONE = Node.ZONE_LABEL;
    private static final String HOST = Node.HOSTNAME_LABEL;
    private static final Instant LONG_AGO = Instant.parse("2026-01-01T00:00:00Z");

    private Scenarios() {}

    static List<Scenario> all() {
        return Stream.of(plain(), VolumeScenarios.all(), DeviceScenarios.all())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Scenario> plain() {
        return List.of(
                simple("equal pods", 60, 30_000, i -> plain("p" + i, 0)),
                simple("40 shapes interleaved", 150, 30_000, i -> plain("p" + i, i % 40)),
                matching("plain, default spreading", 80, i -> plain("p" + i, 0)),
                matching("anti-affinity on hostname", 150, Scenarios::onePerHost),
                matching(
                        "affinity on zone",
                        150,
                        i -> web("p" + i).near(ZONE, "app", "web").build()),
                matching(
                        "preferred affinity on hostname",
                        150,
                        i -> web("p" + i).prefersNear(10, HOST, "app", "web").build()),
                matching(
                        "preferred anti-affinity on hostname",
                        150,
                        i -> web("p" + i).prefersAway(10, HOST, "app", "web").build()),
                matching("spread over zones, hard", 100, i -> spread("p" + i, true)),
                matching("spread over zones, soft", 100, i -> spread("p" + i, false)),
                matching("40 mixed deployments", 250, Scenarios::mixed),
                simple("a shape for every pod", 2000, 30_000, Scenarios::oneOfItsKind),
                simple("daemon pods", 60, 0, Scenarios::daemon),
                simple("pods that fit nowhere", 500, 30_000, Scenarios::tooLarge)
                        .ending(Scenario.Outcome.FITS_NOWHERE),
                preemption());
    }

    private static Scenario simple(
            String name, double limit, int boundPods, IntFunction<Pod> podMaker) {
        return new Scenario(
                name,
                limit,
                Scenarios::bigNode,
                boundPods,
                i -> plain("bound" + i, i % 20),
                podMaker);
    }

    /// Ten thousand bound pods of which half match the selectors in use.
    private static Scenario matching(String name, double limit, IntFunction<Pod> podMaker) {
        return new Scenario(
                name,
                limit,
                Scenarios::bigNode,
                10_000,
                i -> i % 2 == 0 ? web("bound" + i).build() : plain("bound" + i, 1),
                podMaker);
    }

    private static Node bigNode(int i) {
        return node("node-" + i)
                .cpu("32")
                .memory("128Gi")
                .pods(1000)
                .zone("zone-" + i % 3)
                .label("disk", i % 2 == 0 ? "ssd" : "hdd")
                .build();
    }

    private static Pod plain(String name, int shape) {
        return pod(name).cpu((100 + shape) + "m").memory("100Mi").build();
    }

    private static Pod oneOfItsKind(int i) {
        return pod("p" + i).cpu("100m").memory(Integer.toString((100 << 20) + i)).build();
    }

    /// Names its node, one of the first thousand, as the controller of daemon sets has it.
    private static Pod daemon(int i) {
        return pod("p" + i).cpu("10m").memory("10Mi").requiresNodeNamed("node-" + i % 1000).build();
    }

    private static Pod tooLarge(int i) {
        return pod("p" + i).cpu("1000").memory("100Mi").build();
    }

    private static Pods web(String name) {
        return pod(name).cpu("100m").memory("100Mi").label("app", "web");
    }

    private static Pod spread(String name, boolean hard) {
        return web(name).spread(1, ZONE, hard, LabelSelector.matching("app", "web")).build();
    }

    /// Four hundred pods that keep away from each other, then the next group.
    private static Pod onePerHost(int i) {
        var group = "group-" + i / 400;
        return web("p" + i).label("one", group).away(HOST, "one", group).build();
    }

    /// Deployments of different sizes with selectors, spreading, anti-affinity and node selectors.
    private static Pod mixed(int i) {
        int deployment = i % 40;
        var app = "app-" + deployment;
        var made = pod("p" + i).cpu((50 + deployment) + "m").memory("64Mi").label("app", app);
        return switch (deployment % 4) {
            case 0 -> made.spread(2, ZONE, true, LabelSelector.matching("app", app)).build();
            case 1 -> made.prefersAway(50, HOST, "app", app).build();
            case 2 -> made.nodeSelector("disk", deployment % 8 == 2 ? "ssd" : "hdd").build();
            default -> made.spread(1, HOST, false, LabelSelector.matching("app", app)).build();
        };
    }

    /// A full cluster of four-core nodes with four one-core pods each; every preemptor needs a
    /// whole node, so that four pods have to go.
    private static Scenario preemption() {
        return new Scenario(
                        "preemption, four victims",
                        2000,
                        i ->
                                node("node-" + i)
                                        .cpu("4")
                                        .memory("32Gi")
                                        .zone("zone-" + i % 3)
                                        .build(),
                        -4,
                        i ->
                                pod("bound" + i)
                                        .cpu("1")
                                        .memory("1Gi")
                                        .priority(i % 3)
                                        .with(p ->
                                                p.phase("Running")
                                                        .startedAt(LONG_AGO.plusSeconds(i)))
                                        .build(),
                        i -> pod("p" + i).cpu("4").memory("4Gi").priority(1000).build())
                .ending(Scenario.Outcome.PREEMPTS);
    }
}
