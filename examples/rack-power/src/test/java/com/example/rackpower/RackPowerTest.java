package com.example.rackpower;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.berth.api.model.CustomObject;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Arguments;
import io.berth.api.plugin.PluginFactory;
import io.berth.api.write.Write;
import io.berth.engine.port.Ports;
import io.berth.plugins.InTree;
import io.berth.testkit.InMemoryMetrics;
import io.berth.testkit.TestPlugins;
import io.berth.testkit.TestScheduler;
import java.time.Duration;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/// The plugin in a real engine, beside the default plugins, on a hand clock.
final class RackPowerTest {
    private final TestScheduler scheduler =
            scheduler(Map.of("budgets", Map.of("rack-1", 1000, "rack-2", 600)));

    private static TestScheduler scheduler(Map<String, Object> arguments) {
        return scheduler(arguments, ports -> ports);
    }

    private static TestScheduler scheduler(
            Map<String, Object> arguments, UnaryOperator<Ports> ports) {
        var plugins = TestPlugins.of(InTree.factories(), InTree.defaults());
        for (var factory : ServiceLoader.load(PluginFactory.class)) {
            plugins = plugins.and(factory, 100);
        }
        return TestScheduler.with(
                plugins.factories(),
                settings -> settings,
                ports,
                plugins.profile().withArguments(RackPower.NAME, new Arguments(arguments)));
    }

    private static Pod drawing(String name, int watts) {
        return pod(name).label("example.com/watts", Integer.toString(watts)).build();
    }

    private void rack(String rack, String... nodes) {
        for (var name : nodes) {
            scheduler.add(node(name).label("example.com/rack", rack).build());
        }
    }

    @Test
    void theRackWithMorePowerLeftIsPreferred() {
        rack("rack-1", "a", "b");
        rack("rack-2", "c");
        scheduler.create(drawing("p", 300));
        scheduler.settle();
        assertThat(scheduler.nodeOf("default/p")).isIn("a", "b");
    }

    @Test
    void aPodThatWouldDrawTooMuchWaitsUntilAnotherOneGoes() {
        rack("rack-2", "c");
        scheduler.create(drawing("first", 400));
        scheduler.settle();
        scheduler.create(drawing("second", 400));
        scheduler.settle();
        assertThat(scheduler.nodeOf("default/second")).isEmpty();
        assertThat(scheduler.messageOf("default/second"))
                .startsWith(
                        "0/1 nodes are available: 1 node(s) had too little power left in their rack.");

        scheduler.cluster().remove(scheduler.cluster().pod("default/first"));
        scheduler.settle();
        scheduler.pass(Duration.ofSeconds(3));
        assertThat(scheduler.nodeOf("default/second")).isEqualTo("c");
    }

    @Test
    void podsThatDrawNothingGoAnywhere() {
        scheduler.add(node("bare").build());
        scheduler.create(pod("p").build());
        scheduler.settle();
        assertThat(scheduler.nodeOf("default/p")).isEqualTo("bare");
    }

    @Test
    void aRackWithoutABudgetTakesNoneThatDraw() {
        rack("rack-9", "x");
        scheduler.create(drawing("p", 1));
        scheduler.settle();
        assertThat(scheduler.messageOf("default/p"))
                .startsWith("0/1 nodes are available: 1 node(s) were in no rack with a budget.");
    }

    /// A kind of our own wakes pods, is written to, and what we refuse is counted.
    @Test
    void aRackThatGetsMorePowerTakesThePodAndIsToldOfIt() {
        var metrics = new InMemoryMetrics();
        var watching =
                scheduler(Map.of("watchRacks", true), ports -> ports.meteredBy(metrics, metrics));
        watching.add(node("a").label("example.com/rack", "rack-1").build());
        watching.add(rack("rack-1", 100));
        watching.create(drawing("p", 300));
        watching.settle();
        assertThat(watching.nodeOf("default/p")).isEmpty();
        assertThat(metrics.value("rack_power_refusals_total", "rack-1")).isPositive();

        watching.add(rack("rack-1", 500));
        watching.settle();
        watching.pass(Duration.ofSeconds(3));
        assertThat(watching.nodeOf("default/p")).isEqualTo("a");
        assertThat(watching.cluster().patches())
                .extracting(Write.PatchObject::name, Write.PatchObject::patch)
                .containsExactly(
                        tuple("rack-1", Map.of("status", Map.of("lastPod", "default/p"))));
    }

    private static CustomObject rack(String name, long watts) {
        return CustomObject.of(Racks.KIND, "", name, Map.of("spec", Map.of("watts", watts)));
    }

    @Test
    void argumentsThatMakeNoSenseAreRefusedWithTheirField() {
        assertThatThrownBy(() -> scheduler(Map.of("budgets", Map.of("rack-1", "much"))))
                .hasMessageContaining("budgets.rack-1: must be a number of watts");
        assertThatThrownBy(() -> scheduler(Map.of("budget", Map.of())))
                .hasMessageContaining("budget: unknown field");
    }
}
