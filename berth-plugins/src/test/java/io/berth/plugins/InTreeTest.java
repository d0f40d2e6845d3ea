package io.berth.plugins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.plugin.Arguments;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class InTreeTest {
    @Test
    @Tag("G-1")
    @Tag("E-126")
    void defaultOrderAndWeightsAreUpstreams() {
        assertThat(InTree.defaults().stream().map(e -> e.name() + " " + e.weight()))
                .containsExactly(
                        "SchedulingGates 0",
                        "PrioritySort 0",
                        "NodeUnschedulable 0",
                        "NodeName 0",
                        "TaintToleration 3",
                        "NodeAffinity 2",
                        "NodePorts 0",
                        "NodeResourcesFit 1",
                        "VolumeRestrictions 0",
                        "NodeVolumeLimits 0",
                        "VolumeBinding 0",
                        "VolumeZone 0",
                        "PodTopologySpread 2",
                        "InterPodAffinity 2",
                        "DynamicResources 2",
                        "DefaultPreemption 0",
                        "NodeResourcesBalancedAllocation 1",
                        "ImageLocality 1",
                        "DefaultBinder 0",
                        "NodeDeclaredFeatures 0");
    }

    @Test
    void everyFactoryMakesThePluginOfItsName() {
        for (var factory : InTree.factories()) {
            var plugin = factory.create(Arguments.NONE, new TestCluster());
            assertThat(plugin.name()).isEqualTo(factory.name());
        }
    }

    /// Looks into the source: a plugin without its line would never be asked.
    @Test
    void everyPluginHasItsLine() throws IOException {
        var sources = Path.of("src", "main", "java", "io", "berth", "plugins");
        var table = Files.readString(sources.resolve("InTree.java"));
        try (var files = Files.walk(sources)) {
            assertThat(files.filter(InTreeTest::isPlugin))
                    .hasSizeGreaterThan(20)
                    .extracting(file -> file.getFileName().toString().replace(".java", ""))
                    .allMatch(name -> table.contains(name + ".NAME"));
        }
    }

    private static boolean isPlugin(Path file) {
        try {
            return Files.isRegularFile(file)
                    && Files.readString(file).contains("public static final String NAME = ");
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Test
    @Tag("P-81")
    @Tag("P-82")
    void everyNameOfUpstreamIsKnown() {
        assertThat(InTree.defaults(_ -> true)).hasSize(23);
        assertThat(InTree.defaults(_ -> false)).hasSize(18);
        assertThat(InTree.missingPoints("GangScheduling"))
                .containsExactlyInAnyOrder("preEnqueue", "permit");
        assertThat(InTree.missingPoints("NodeName")).isEmpty();
        assertThat(InTree.missingPoints("Foo")).isEmpty();
    }

    @Test
    void argumentsThatMakeNoSenseAreRefused() {
        var factory =
                InTree.factories().stream()
                        .filter(f -> f.name().equals("InterPodAffinity"))
                        .findFirst()
                        .orElseThrow();
        assertThatThrownBy(() ->
                        factory.create(
                                new Arguments(Map.of("hardPodAffinityWeight", -1)),
                                new TestCluster()))
                .hasMessageContaining("hardPodAffinityWeight");
    }
}
