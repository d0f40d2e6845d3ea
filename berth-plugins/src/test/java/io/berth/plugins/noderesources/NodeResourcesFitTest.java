package io.berth.plugins.noderesources;

import static io.berth.plugins.Samples.GIB;
import static io.berth.plugins.Samples.MIB;
import static io.berth.plugins.Samples.container;
import static io.berth.plugins.Samples.hint;
import static io.berth.plugins.Samples.node;
import static io.berth.plugins.Samples.pod;
import static io.berth.plugins.Samples.sidecar;
import static io.berth.plugins.Samples.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.amount.Quantity;
import io.berth.api.amount.Resources;
import io.berth.api.column.NodeView;
import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration.Hint;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.spec.PodRequests;
import io.berth.api.verdict.PreFilterVerdict;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Refusal.Remedy;
import io.berth.api.verdict.Verdict;
import io.berth.plugins.Agreement;
import io.berth.plugins.PluginRun;
import io.berth.plugins.TestCluster;
import io.berth.plugins.noderesources.BrokenLinear.Point;
import io.berth.plugins.noderesources.FitArguments.Rating;
import io.berth.plugins.noderesources.FitArguments.ScoringStrategy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeResourcesFitTest {
    private static final FitArguments DEFAULT = FitArguments.DEFAULT;

    private static FitArguments scoring(Rating type, List<ResourceWeight> weights, Point... shape) {
        return new FitArguments(
                Set.of(), Set.of(), new ScoringStrategy(type, weights, List.of(shape)));
    }

    private static Node sized(long cpuMillis, long memoryBytes, Map<String, Long> scalars) {
        return node("a")
                .allocatable(new Resources(cpuMillis, memoryBytes, 0, 110, scalars))
                .build();
    }

    private static Pod asking(String... requests) {
        return pod("p", spec().container(container(requests)));
    }

    private static Pod used(String... requests) {
        return pod("used", spec().container(container(requests))).onNode("a");
    }

    private static Verdict verdict(FitArguments arguments, Node node, Pod pod, Pod... others) {
        var cluster = new TestCluster().add(node).add(others);
        return PluginRun.of(cluster, new NodeResourcesFit(arguments), pod).filter("a");
    }

    private static long score(FitArguments arguments, Node node, Pod pod, Pod... others) {
        var cluster = new TestCluster().add(node).add(others);
        var scores = PluginRun.of(cluster, new NodeResourcesFit(arguments), pod).scores();
        return scores == null ? -1 : scores.getOrDefault("a", -1L);
    }

    private static Refusal refusal(Remedy remedy, String... reasons) {
        return new Refusal(List.of(reasons), remedy);
    }

    @Nested
    class Requests {
        @Test
        @Tag("H-3")
        void addUpContainersAndPeaksOfInitContainers() {
            assertThat(
                            cpu(
                                    pod(
                                            "e1",
                                            spec().container(container("cpu", "500m"))
                                                    .container(container("cpu", "300m"))
                                                    .initContainer(container("cpu", "2"))
                                                    .overhead("cpu", Quantity.parse("50m")))))
                    .isEqualTo(2050);
            assertThat(
                            cpu(
                                    pod(
                                            "e2",
                                            spec().container(container("cpu", "500m"))
                                                    .initContainer(sidecar("cpu", "200m"))
                                                    .initContainer(container("cpu", "1")))))
                    .isEqualTo(1200);
            assertThat(
                            cpu(
                                    pod(
                                            "e3",
                                            spec().container(container("cpu", "500m"))
                                                    .initContainer(container("cpu", "1"))
                                                    .initContainer(sidecar("cpu", "200m")))))
                    .isEqualTo(1000);
            assertThat(
                            cpu(
                                    pod(
                                            "e4",
                                            spec().container(container("cpu", "100m"))
                                                    .container(container("cpu", "100m"))
                                                    .initContainer(sidecar("cpu", "300m"))
                                                    .initContainer(container("cpu", "50m"))
                                                    .initContainer(sidecar("cpu", "400m")))))
                    .isEqualTo(900);
        }

        @Test
        @Tag("H-1")
        void roundUp() {
            var exact = asking("cpu", "1.5m", "memory", "100.5").requests().exact();
            assertThat(exact.cpuMillis()).isEqualTo(2);
            assertThat(exact.memoryBytes()).isEqualTo(101);
        }

        private static long cpu(Pod pod) {
            return pod.requests().exact().cpuMillis();
        }
    }

    @Nested
    class Room {
        private final Node node = sized(4000, 8 * GIB, Map.of());

        /// Shortages are told apart by bits of a number, where it has enough of them.
        @ParameterizedTest
        @ValueSource(ints = {61, 62, 63, 64, 65, 130})
        @Tag("NF-5")
        void isNamedWhereItLacksHoweverManyResourcesThereAre(int count) {
            var has = new LinkedHashMap<String, Long>();
            var asks = new ArrayList<String>();
            for (int i = 0; i < count; i++) {
                var name = "example.com/r%03d".formatted(i);
                has.put(name, i == 0 || i == count - 1 ? 0L : 1L);
                asks.add(name);
                asks.add("1");
            }
            assertThat(
                            verdict(
                                    DEFAULT,
                                    sized(4000, 8 * GIB, has),
                                    asking(asks.toArray(String[]::new))))
                    .isEqualTo(
                            refusal(
                                    Remedy.NOTHING_HELPS,
                                    "Insufficient example.com/r000",
                                    "Insufficient example.com/r%03d".formatted(count - 1)));
        }

        @Test
        @Tag("NF-4")
        void isLookedForWhateverThePodAsks() {
            var cluster = new TestCluster().add(node);
            assertThat(PluginRun.of(cluster, new NodeResourcesFit(DEFAULT), asking()).preFilter())
                    .isEqualTo(PreFilterVerdict.PASS);
        }

        @Test
        @Tag("NF-4")
        void ofPodLevelRequestsReplacesThatOfContainers() {
            var pod =
                    pod(
                            "p",
                            spec().container(container("cpu", "1", "memory", "7Gi"))
                                    .podLevelRequests(Map.of("cpu", Quantity.parse("5"))));
            assertThat(verdict(DEFAULT, node, pod))
                    .isEqualTo(refusal(Remedy.NOTHING_HELPS, "Insufficient cpu"));
        }

        @Test
        @Tag("NF-8")
        void comesBackWhenAPodIsTakenAway() {
            var other = used("cpu", "4");
            var cluster = new TestCluster().add(node, other);
            var plugin = new NodeResourcesFit(DEFAULT);
            assertThat(PluginRun.of(cluster, plugin, asking("cpu", "1")).filter("a"))
                    .isEqualTo(refusal(Remedy.PREEMPTION_MAY_HELP, "Insufficient cpu"));
            cluster.state.removePod(other);
            assertThat(PluginRun.of(cluster, plugin, asking("cpu", "1")).filter("a"))
                    .isEqualTo(Verdict.PASS);
        }

        @Test
        @Tag("NF-5")
        void isWhatIsNotRequestedYet() {
            var others = used("cpu", "3500m");
            assertThat(verdict(DEFAULT, node, asking("cpu", "500m"), others))
                    .isEqualTo(Verdict.PASS);
            assertThat(verdict(DEFAULT, node, asking("cpu", "501m"), others))
                    .isEqualTo(refusal(Remedy.PREEMPTION_MAY_HELP, "Insufficient cpu"));
        }

        @Test
        @Tag("NF-7")
        void cannotBeMadeByEvictionWhereTheNodeIsTooSmall() {
            assertThat(verdict(DEFAULT, node, asking("cpu", "4001m", "memory", "1Gi")))
                    .isEqualTo(refusal(Remedy.NOTHING_HELPS, "Insufficient cpu"));
            assertThat(
                            verdict(
                                    DEFAULT,
                                    node,
                                    asking("cpu", "4500m", "memory", "2Gi"),
                                    used("cpu", "1", "memory", "7Gi")))
                    .isEqualTo(
                            refusal(
                                    Remedy.NOTHING_HELPS,
                                    "Insufficient cpu",
                                    "Insufficient memory"));
        }

        @Test
        @Tag("NF-5")
        void needsAPlaceEvenForAPodWithoutRequests() {
            var small = node("a").allocatable(new Resources(4000, GIB, 0, 1, Map.of())).build();
            assertThat(verdict(DEFAULT, small, asking(), used()))
                    .isEqualTo(refusal(Remedy.PREEMPTION_MAY_HELP, "Too many pods"));
        }

        @Test
        @Tag("NF-5")
        void namesEveryShortageOfManyResources() {
            var wanted = new String[200];
            var reasons = new String[100];
            for (int i = 0; i < 100; i++) {
                var name = "example.com/r%02d".formatted(i);
                wanted[2 * i] = name;
                wanted[2 * i + 1] = "1";
                reasons[i] = "Insufficient " + name;
            }
            assertThat(verdict(DEFAULT, sized(4000, 8 * GIB, Map.of()), asking(wanted)))
                    .isEqualTo(refusal(Remedy.NOTHING_HELPS, reasons));
        }

        @Test
        @Tag("NF-5")
        void ofIgnoredResourcesIsNotLookedAt() {
            var gpus = sized(4000, 8 * GIB, Map.of("example.com/gpu", 1L));
            var pod = asking("example.com/gpu", "2");
            assertThat(verdict(DEFAULT, gpus, pod))
                    .isEqualTo(refusal(Remedy.NOTHING_HELPS, "Insufficient example.com/gpu"));
            assertThat(
                            verdict(
                                    new FitArguments(
                                            Set.of(), Set.of("example.com"), DEFAULT.scoring()),
                                    gpus,
                                    pod))
                    .isEqualTo(Verdict.PASS);
            assertThat(
                            verdict(
                                    new FitArguments(
                                            Set.of("example.com/gpu"), Set.of(), DEFAULT.scoring()),
                                    gpus,
                                    pod))
                    .isEqualTo(Verdict.PASS);
        }
    }

    @Nested
    class LeastAllocated {
        private final Node node = sized(4000, 8 * GIB, Map.of());

        @Test
        @Tag("NF-11")
        void prefersFreeNodes() {
            assertThat(
                            score(
                                    DEFAULT,
                                    node,
                                    asking("cpu", "500m", "memory", "1Gi"),
                                    used("cpu", "1", "memory", "2Gi")))
                    .isEqualTo(62);
            assertThat(score(DEFAULT, node, asking("cpu", "4500m", "memory", "2Gi"))).isEqualTo(37);
            assertThat(
                            score(
                                    DEFAULT,
                                    sized(8000, 32 * GIB, Map.of()),
                                    asking("cpu", "3", "memory", "4Gi")))
                    .isEqualTo(74);
        }

        @Test
        @Tag("NF-11")
        void weighsResources() {
            var weights = List.of(new ResourceWeight("cpu", 3), new ResourceWeight("memory", 1));
            assertThat(
                            score(
                                    scoring(Rating.LEAST_ALLOCATED, weights),
                                    sized(4000, 16 * GIB, Map.of()),
                                    asking("cpu", "2500m", "memory", "3Gi")))
                    .isEqualTo(48);
        }

        @Test
        @Tag("NF-9")
        void assumesSomethingForContainersWithoutRequests() {
            assertThat(score(DEFAULT, sized(1000, 1000 * MIB, Map.of()), asking())).isEqualTo(85);
            var three =
                    pod(
                            "p",
                            spec().container(container())
                                    .container(container())
                                    .container(container()));
            assertThat(score(DEFAULT, sized(2000, 4 * GIB, Map.of()), three)).isEqualTo(85);
        }

        @Test
        @Tag("NF-9")
        void leavesPodLevelRequestsOut() {
            var pod =
                    pod(
                            "p",
                            spec().container(container())
                                    .podLevelRequests(Map.of("cpu", Quantity.parse("900m"))));
            assertThat(score(DEFAULT, sized(1000, 1000 * MIB, Map.of()), pod)).isEqualTo(85);
        }

        @Test
        @Tag("NF-10")
        void skipsScalarsThatThePodDoesNotAskFor() {
            var weights =
                    List.of(
                            new ResourceWeight("cpu", 1),
                            new ResourceWeight("memory", 1),
                            new ResourceWeight("example.com/gpu", 5));
            var arguments = scoring(Rating.LEAST_ALLOCATED, weights);
            var gpus = sized(4000, 8 * GIB, Map.of("example.com/gpu", 4L));
            assertThat(
                            score(
                                    arguments,
                                    gpus,
                                    asking("cpu", "1", "memory", "2Gi", "example.com/gpu", "2"),
                                    used("cpu", "500m", "memory", "1Gi", "example.com/gpu", "1")))
                    .isEqualTo(35);
            assertThat(
                            score(
                                    arguments,
                                    gpus,
                                    asking("cpu", "1", "memory", "2Gi"),
                                    used("cpu", "500m", "memory", "1Gi", "example.com/gpu", "1")))
                    .isEqualTo(62);
        }
    }

    @Test
    @Tag("NF-12")
    void mostAllocatedPrefersFullNodes() {
        var arguments = scoring(Rating.MOST_ALLOCATED, ResourceWeight.CPU_AND_MEMORY);
        var node = sized(4000, 8 * GIB, Map.of());
        assertThat(
                        score(
                                arguments,
                                node,
                                asking("cpu", "500m", "memory", "1Gi"),
                                used("cpu", "1", "memory", "2Gi")))
                .isEqualTo(37);
        assertThat(score(arguments, node, asking("cpu", "4500m", "memory", "2Gi"))).isEqualTo(62);
    }

    @Nested
    @Tag("NF-13")
    class RequestedToCapacityRatio {
        private static long ratio(
                List<ResourceWeight> weights, long cpu, long memory, Pod pod, Point... shape) {
            return score(
                    scoring(Rating.REQUESTED_TO_CAPACITY_RATIO, weights, shape),
                    sized(cpu, memory, Map.of()),
                    pod);
        }

        private static final List<ResourceWeight> EQUAL = ResourceWeight.CPU_AND_MEMORY;
        private static final Point[] RISING = {new Point(0, 0), new Point(100, 10)};

        @Test
        void roundsHalvesUp() {
            assertThat(ratio(EQUAL, 8000, 32 * GIB, asking("cpu", "3", "memory", "4Gi"), RISING))
                    .isEqualTo(25);
        }

        @Test
        void dropsResourcesThatScoreZero() {
            assertThat(ratio(EQUAL, 4000, 8 * GIB, asking("cpu", "1", "memory", "0"), RISING))
                    .isEqualTo(25);
        }

        @Test
        void followsTheBendsOfTheShape() {
            var weights = List.of(new ResourceWeight("cpu", 2), new ResourceWeight("memory", 1));
            assertThat(
                            ratio(
                                    weights,
                                    4000,
                                    16 * GIB,
                                    asking("cpu", "3", "memory", "6Gi"),
                                    new Point(0, 0),
                                    new Point(50, 10),
                                    new Point(100, 2)))
                    .isEqualTo(65);
            assertThat(
                            ratio(
                                    EQUAL,
                                    4000,
                                    8 * GIB,
                                    asking("cpu", "1500m", "memory", "2Gi"),
                                    new Point(0, 10),
                                    new Point(100, 0)))
                    .isEqualTo(69);
            assertThat(
                            ratio(
                                    EQUAL,
                                    4000,
                                    8 * GIB,
                                    asking("cpu", "1", "memory", "2Gi"),
                                    new Point(40, 3),
                                    new Point(80, 9)))
                    .isEqualTo(30);
        }
    }

    @Test
    @Tag("NF-14")
    void hugeCapacityOverflowsAsUpstream() {
        long huge = 100_000_000_000_000_000L;
        long expected = (huge - GIB) * 100 / huge;
        var weights = List.of(new ResourceWeight("memory", 1));
        assertThat(
                        score(
                                scoring(Rating.LEAST_ALLOCATED, weights),
                                sized(4000, huge, Map.of()),
                                asking("memory", "1Gi")))
                .isEqualTo(expected)
                .isNegative();
    }

    @Nested
    class Hints {
        private final NodeResourcesFit plugin = new NodeResourcesFit(DEFAULT);
        private final Pod waiting = asking("cpu", "1");
        private final Pod bound = pod("q", spec().container(container("cpu", "2"))).onNode("a");
        private final Pod smaller = pod("q", spec().container(container("cpu", "1"))).onNode("a");

        @Test
        @Tag("NF-17")
        void departureOfABoundPodWakes() {
            var event = ClusterEvent.of(ClusterEvent.ASSIGNED_POD, Action.DELETE);
            assertThat(hint(plugin, event, waiting, bound, null)).isEqualTo(Hint.QUEUE);
            assertThat(hint(plugin, event, waiting, asking("cpu", "2"), null)).isEqualTo(Hint.SKIP);
        }

        @Test
        @Tag("NF-17")
        void scaleDownWakesWhereItFreesWhatIsWanted() {
            var event = ClusterEvent.of(ClusterEvent.ASSIGNED_POD, Action.UPDATE_POD_SCALE_DOWN);
            assertThat(hint(plugin, event, waiting, bound, smaller)).isEqualTo(Hint.QUEUE);
            assertThat(hint(plugin, event, waiting, smaller, bound)).isEqualTo(Hint.SKIP);
            assertThat(hint(plugin, event, asking("memory", "1"), bound, smaller))
                    .isEqualTo(Hint.SKIP);
            assertThat(hint(plugin, event, waiting, waiting, waiting)).isEqualTo(Hint.QUEUE);
        }

        @Test
        @Tag("NF-18")
        void nodeThatIsBigEnoughWakes() {
            var added = ClusterEvent.of(ClusterEvent.NODE, Action.ADD);
            var grown = ClusterEvent.of(ClusterEvent.NODE, Action.UPDATE_NODE_ALLOCATABLE);
            var small = sized(900, GIB, Map.of());
            var big = sized(1000, GIB, Map.of());
            assertThat(hint(plugin, added, waiting, null, big)).isEqualTo(Hint.QUEUE);
            assertThat(hint(plugin, added, waiting, null, small)).isEqualTo(Hint.SKIP);
            assertThat(hint(plugin, grown, waiting, small, big)).isEqualTo(Hint.QUEUE);
            assertThat(hint(plugin, grown, waiting, big, big)).isEqualTo(Hint.SKIP);
            assertThat(hint(plugin, grown, asking(), small, big)).isEqualTo(Hint.SKIP);
        }
    }

    @Test
    void columnsAgreeWithPlainReading() {
        Agreement.check(
                3000,
                random -> {
                    var weights =
                            List.of(
                                    new ResourceWeight("cpu", 1 + random.random.nextInt(3)),
                                    new ResourceWeight("memory", 1),
                                    new ResourceWeight("ephemeral-storage", 2),
                                    new ResourceWeight("example.com/gpu", 3),
                                    new ResourceWeight("pods", 1));
                    var types = Rating.values();
                    var type = types[random.random.nextInt(types.length)];
                    var arguments =
                            new FitArguments(
                                    random.chance(20) ? Set.of("example.com/gpu") : Set.of(),
                                    Set.of(),
                                    new ScoringStrategy(
                                            type,
                                            weights,
                                            List.of(
                                                    new Point(0, 1),
                                                    new Point(40, 10),
                                                    new Point(90, 0))));
                    var pod = random.pod();
                    var run = PluginRun.of(random.cluster, new NodeResourcesFit(arguments), pod);
                    var verdicts = new LinkedHashMap<String, Verdict>();
                    var scores = new LinkedHashMap<String, Long>();
                    for (var view : random.cluster.nodes().all()) {
                        verdicts.put(view.name(), plainVerdict(arguments, pod, view));
                        scores.put(view.name(), plainScore(arguments, pod, view));
                    }
                    assertThat(run.filter()).isEqualTo(verdicts);
                    assertThat(run.rawScores()).isEqualTo(scores);
                });
    }

    private static Verdict plainVerdict(FitArguments arguments, Pod pod, NodeView view) {
        var reasons = new ArrayList<String>();
        boolean hopeless = false;
        var has = view.node().allocatable();
        if (view.pods().size() + 1 > has.pods()) {
            reasons.add("Too many pods");
        }
        var names = new ArrayList<>(List.of("cpu", "memory", "ephemeral-storage"));
        var wanted = pod.spec().requests().exact();
        names.addAll(wanted.scalars().keySet());
        for (var name : names) {
            long taken =
                    view.pods().stream().mapToLong(p -> p.requests().exact().amount(name)).sum();
            if (wanted.amount(name) > 0
                    && !arguments.ignoredResources().contains(name)
                    && wanted.amount(name) > has.amount(name) - taken) {
                reasons.add("Insufficient " + name);
                hopeless |= wanted.amount(name) > has.amount(name);
            }
        }
        return reasons.isEmpty()
                ? Verdict.PASS
                : new Refusal(
                        reasons, hopeless ? Remedy.NOTHING_HELPS : Remedy.PREEMPTION_MAY_HELP);
    }

    private static long plainScore(FitArguments arguments, Pod pod, NodeView view) {
        long sum = 0;
        long weights = 0;
        var wanted = PodRequests.forFitScore(pod.spec());
        for (var resource : arguments.scoring().resources()) {
            var name = resource.name();
            long has = name.equals("pods") ? 0 : view.node().allocatable().amount(name);
            if (has == 0 || name.contains("/") && wanted.amount(name) == 0) {
                continue;
            }
            long use = wanted.amount(name);
            for (var other : view.pods()) {
                use +=
                        switch (name) {
                            case "cpu" -> other.requests().nonZeroCpuMillis();
                            case "memory" -> other.requests().nonZeroMemoryBytes();
                            default -> other.requests().exact().amount(name);
                        };
            }
            long score =
                    switch (arguments.scoring().type()) {
                        case LEAST_ALLOCATED -> use > has ? 0 : (has - use) * 100 / has;
                        case MOST_ALLOCATED -> Math.min(use, has) * 100 / has;
                        case REQUESTED_TO_CAPACITY_RATIO -> bend(use > has ? 100 : use * 100 / has);
                    };
            if (arguments.scoring().type() != Rating.REQUESTED_TO_CAPACITY_RATIO || score > 0) {
                sum += score * resource.weight();
                weights += resource.weight();
            }
        }
        if (weights == 0) {
            return 0;
        }
        return arguments.scoring().type() == Rating.REQUESTED_TO_CAPACITY_RATIO
                ? (2 * sum + weights) / (2 * weights)
                : sum / weights;
    }

    private static long bend(long p) {
        if (p <= 40) {
            return 10 + 90 * p / 40;
        }
        return p <= 90 ? 100 + -100 * (p - 40) / 50 : 0;
    }
}
