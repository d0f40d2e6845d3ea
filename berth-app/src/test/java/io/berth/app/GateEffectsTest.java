package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.config.gate.FeatureGates;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("P-320")
class GateEffectsTest {
    /// Gates that change which plugins or arguments a configuration may hold, and nothing else:
    /// what they are for is not there.
    private static final Set<String> FOR_CONFIGURATIONS_ALONE =
            Set.of("GangScheduling", "TopologyAwareWorkloadScheduling");

    /// Looks into the source: a gate that kube-scheduler reads is read here, too, or is told to
    /// have no effect. Whoever begins to read one has to strike it off the list.
    @Test
    void everyGateOfTheSchedulerIsReadOrWarnedOf() {
        String sources = Sources.allBut("GateEffects.java");
        Set<String> read =
                FeatureGates.choosable().stream()
                        .filter(name -> sources.contains("\"" + name + "\""))
                        .collect(Collectors.toCollection(TreeSet::new));
        assertThat(read).contains("WatchListClient", "LoggingBetaOptions", "NodeDeclaredFeatures");
        read.removeAll(FOR_CONFIGURATIONS_ALONE);
        var warnedOf = new TreeSet<>(FeatureGates.choosable());
        warnedOf.removeAll(read);
        assertThat(new TreeSet<>(GateEffects.WITHOUT)).isEqualTo(warnedOf);
    }

    @Test
    void gateChangedInVainIsTold() {
        var options = Options.of("--feature-gates=GenericWorkload=true,WatchListClient=false");
        assertThat(GateEffects.without(options.gates())).containsOnlyKeys("GenericWorkload");
    }

    @Test
    void gatesOfAnEmulatedReleaseAreToldToo() {
        var options =
                Options.of(
                        "--emulated-version=1.33",
                        "--feature-gates=SchedulerQueueingHints=false,InPlacePodVerticalScaling=false");
        assertThat(GateEffects.without(options.gates()))
                .containsEntry("SchedulerQueueingHints", false)
                .containsEntry("InPlacePodVerticalScaling", false)
                .doesNotContainKeys(
                        "NodeDeclaredFeatures",
                        "StorageCapacityScoring",
                        "DynamicResourceAllocation");
    }
}
