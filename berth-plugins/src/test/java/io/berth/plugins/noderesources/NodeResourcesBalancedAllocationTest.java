package io.berth.plugins.noderesources;

import static io.berth.plugins.Samples.GIB;
import static io.berth.plugins.Samples.MIB;
import static io.berth.plugins.Samples.container;
import static io.berth.plugins.Samples.node;
import static io.berth.plugins.Samples.pod;
import static io.berth.plugins.Samples.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.amount.Resources;
import io.berth.api.column.NodeView;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Arguments;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.Filter;
import io.berth.api.plugin.Normalize;
import io.berth.plugins.Agreement;
import io.berth.plugins.PluginRun;
import io.berth.plugins.TestCluster;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NodeResourcesBalancedAllocationTest {
    private static final List<ResourceWeight> WITH_GPU =
            List.of(
                    new ResourceWeight("cpu", 1),
                    new ResourceWeight("memory", 1),
                    new ResourceWeight("example.com/gpu", 1));

    record Case(
            String name,
            Resources allocatable,
            List<String> used,
            List<String> asked,
            List<ResourceWeight> resources,
            long score) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Case> cases() {
        var usual = new Resources(4000, 8 * GIB, 0, 110, Map.of());
        var plain = ResourceWeight.CPU_AND_MEMORY;
        return Stream.of(
                new Case(
                        "E27 empty node, even request",
                        usual,
                        List.of(),
                        List.of("cpu", "1", "memory", "2Gi"),
                        plain,
                        75),
                new Case(
                        "E28 evens out",
                        usual,
                        List.of("cpu", "1", "memory", "6Gi"),
                        List.of("cpu", "1"),
                        plain,
                        81),
                new Case(
                        "E29 tilts",
                        usual,
                        List.of("cpu", "3", "memory", "2Gi"),
                        List.of("cpu", "1"),
                        plain,
                        68),
                new Case(
                        "E30 evens out fully",
                        usual,
                        List.of("cpu", "500m", "memory", "4Gi"),
                        List.of("cpu", "1500m"),
                        plain,
                        84),
                new Case("E31 tilts fully", usual, List.of(), List.of("cpu", "4"), plain, 50),
                new Case(
                        "E32 three resources",
                        new Resources(4000, 8 * GIB, 0, 110, Map.of("example.com/gpu", 4L)),
                        List.of("cpu", "2", "memory", "1Gi"),
                        List.of("cpu", "500m", "memory", "1Gi", "example.com/gpu", "2"),
                        WITH_GPU,
                        78),
                new Case(
                        "E33 double precision",
                        new Resources(4000, 10000 * MIB, 0, 110, Map.of()),
                        List.of(),
                        List.of("cpu", "2200m", "memory", "3500Mi"),
                        plain,
                        69));
    }

    @ParameterizedTest
    @MethodSource("cases")
    @Tag("BA-4")
    @Tag("BA-5")
    @Tag("BA-6")
    @Tag("BA-7")
    void scoreIsTheChangeOfBalance(Case example) {
        var cluster = new TestCluster().add(node("a").allocatable(example.allocatable).build());
        if (!example.used.isEmpty()) {
            cluster.add(asking("used", example.used).onNode("a"));
        }
        var scores =
                PluginRun.of(
                                cluster,
                                new NodeResourcesBalancedAllocation(
                                        new BalancedArguments(example.resources)),
                                asking("p", example.asked))
                        .scores();
        assertThat(scores).isEqualTo(Map.of("a", example.score));
    }

    private static Pod asking(String name, List<String> requests) {
        return pod(name, spec().container(container(requests.toArray(String[]::new))));
    }

    @Test
    @Tag("BA-3")
    void podWithoutRequestsIsLeftOut() {
        var cluster = new TestCluster().add(node("a").build());
        assertThat(
                        PluginRun.of(
                                        cluster,
                                        new NodeResourcesBalancedAllocation(
                                                BalancedArguments.DEFAULT),
                                        asking("p", List.of()))
                                .scores())
                .isNull();
    }

    @Test
    @Tag("BA-2")
    void containersWithoutRequestsCountAsNothing() {
        var cluster =
                new TestCluster().add(node("a").build(), asking("used", List.of()).onNode("a"));
        var even = asking("p", List.of("cpu", "2", "memory", "4Gi"));
        assertThat(PluginRun.of(cluster, byDefault(), even).scores()).isEqualTo(Map.of("a", 75L));
    }

    @Test
    @Tag("BA-4")
    void nodeThatIsOverbookedCountsAsFull() {
        var cluster =
                new TestCluster()
                        .add(
                                node("a").build(),
                                asking("used", List.of("cpu", "8", "memory", "8Gi")).onNode("a"));
        var pod = asking("p", List.of("cpu", "1"));
        assertThat(PluginRun.of(cluster, byDefault(), pod).scores()).isEqualTo(Map.of("a", 75L));
    }

    @Test
    @Tag("BA-5")
    void oneResourceIsAlwaysInBalance() {
        var cluster =
                new TestCluster()
                        .add(
                                node("a")
                                        .allocatable(new Resources(4000, 0, 0, 110, Map.of()))
                                        .build());
        var pod = asking("p", List.of("cpu", "3"));
        assertThat(PluginRun.of(cluster, byDefault(), pod).scores()).isEqualTo(Map.of("a", 75L));
    }

    @Test
    @Tag("BA-8")
    void scoresOnly() {
        assertThat((Object) byDefault())
                .isNotInstanceOf(Filter.class)
                .isNotInstanceOf(Normalize.class)
                .isNotInstanceOf(Events.class);
    }

    private static NodeResourcesBalancedAllocation byDefault() {
        return new NodeResourcesBalancedAllocation(BalancedArguments.DEFAULT);
    }

    @Test
    @Tag("BA-1")
    void argumentsAreChecked() {
        assertThat(BalancedArguments.parse(Arguments.NONE))
                .isEqualTo(
                        new BalancedArguments(
                                List.of(
                                        new ResourceWeight("cpu", 1),
                                        new ResourceWeight("memory", 1))));
        var bad =
                new Arguments(
                        Map.of(
                                "resources",
                                List.of(
                                        Map.of("name", "cpu", "weight", 2),
                                        Map.of("name", "cpu"))));
        assertThatThrownBy(() -> BalancedArguments.parse(bad))
                .hasMessage(
                        "[resources[0].weight: Invalid value: 2: must be 1, resources[1].name:"
                                + " Duplicate value: \"cpu\"]");
    }

    @Test
    void columnsAgreeWithPlainReading() {
        Agreement.check(
                3000,
                random -> {
                    var resources = random.chance(50) ? WITH_GPU : ResourceWeight.CPU_AND_MEMORY;
                    var pod = random.pod();
                    var run =
                            PluginRun.of(
                                    random.cluster,
                                    new NodeResourcesBalancedAllocation(
                                            new BalancedArguments(resources)),
                                    pod);
                    assertThat(run.rawScores())
                            .isEqualTo(plainScores(resources, pod, random.cluster.nodes().all()));
                });
    }

    private static @Nullable Map<String, Long> plainScores(
            List<ResourceWeight> resources, Pod pod, List<NodeView> nodes) {
        var wanted = pod.requests().exact();
        if (resources.stream().allMatch(r -> wanted.amount(r.name()) == 0)) {
            return null;
        }
        var scores = new LinkedHashMap<String, Long>();
        for (var node : nodes) {
            var with = new ArrayList<Double>();
            var without = new ArrayList<Double>();
            for (var resource : resources) {
                var name = resource.name();
                long has = node.node().allocatable().amount(name);
                if (has == 0 || name.contains("/") && wanted.amount(name) == 0) {
                    continue;
                }
                long use =
                        node.pods().stream()
                                .mapToLong(p -> p.requests().exact().amount(name))
                                .sum();
                with.add(Math.min(1, (double) (use + wanted.amount(name)) / has));
                without.add(Math.min(1, (double) use / has));
            }
            scores.put(node.name(), 50 + (50 + balance(with) - balance(without)) / 2);
        }
        return scores;
    }

    private static long balance(List<Double> fractions) {
        int n = fractions.size();
        double std = 0;
        if (n == 2) {
            std = Math.abs((fractions.get(0) - fractions.get(1)) / 2);
        } else if (n > 2) {
            double sum = 0;
            for (double f : fractions) {
                sum += f;
            }
            double mean = sum / n;
            double squares = 0;
            for (double f : fractions) {
                squares += (f - mean) * (f - mean);
            }
            std = Math.sqrt(squares / n);
        }
        return (long) ((1 - std) * 100.0);
    }
}
