package io.berth.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.event.Action;
import io.berth.api.event.Registration;
import io.berth.api.plugin.Arguments;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.PluginFactory;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which events each plugin waits for.
@Tag("E-54a")
final class RegistrationsTest {
    private static final Map<String, Integer> ACTIONS =
            Map.ofEntries(
                    Map.entry("Add", Action.ADD),
                    Map.entry("Delete", Action.DELETE),
                    Map.entry("Update", Action.UPDATE),
                    Map.entry("UpdateNodeAllocatable", Action.UPDATE_NODE_ALLOCATABLE),
                    Map.entry("UpdateNodeLabel", Action.UPDATE_NODE_LABEL),
                    Map.entry("UpdateNodeTaint", Action.UPDATE_NODE_TAINT),
                    Map.entry("UpdateNodeDeclaredFeature", Action.UPDATE_NODE_DECLARED_FEATURE),
                    Map.entry("UpdatePodLabel", Action.UPDATE_POD_LABEL),
                    Map.entry("UpdatePodScaleDown", Action.UPDATE_POD_SCALE_DOWN),
                    Map.entry("UpdatePodToleration", Action.UPDATE_POD_TOLERATION),
                    Map.entry(
                            "UpdatePodSchedulingGatesEliminated",
                            Action.UPDATE_POD_SCHEDULING_GATES_ELIMINATED));

    private static PluginFactory factory(String name) {
        return InTree.factories().stream()
                .filter(factory -> factory.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<Registration> registrations(String plugin) {
        return ((Events) factory(plugin).create(Arguments.NONE, new TestCluster())).events();
    }

    /// The union of actions by resource.
    private static Map<String, Integer> actions(String plugin) {
        var result = new TreeMap<String, Integer>();
        for (var registration : registrations(plugin)) {
            var event = registration.event();
            result.merge(event.resource(), event.actions(), (a, b) -> a | b);
        }
        return result;
    }

    private static int mask(String names) {
        int mask = 0;
        for (var name : names.split(" ", -1)) {
            mask |= java.util.Objects.requireNonNull(ACTIONS.get(name), name);
        }
        return mask;
    }

    @ParameterizedTest
    @CsvSource({
        "SchedulingGates, UpdatePodSchedulingGatesEliminated,",
        "NodeUnschedulable, UpdatePodToleration, Add UpdateNodeTaint",
        "TaintToleration, UpdatePodToleration, Add UpdateNodeTaint",
        "NodeName, , Add",
        "NodeAffinity, , Add UpdateNodeLabel",
        "NodePorts, Delete, Add",
        "NodeResourcesFit, Delete UpdatePodScaleDown, Add UpdateNodeAllocatable",
        "VolumeRestrictions, Delete, Add",
        "NodeVolumeLimits, Delete,",
        "VolumeZone, , Add UpdateNodeLabel",
        "PodTopologySpread, Add UpdatePodLabel UpdatePodToleration Delete,"
                + " Add Delete UpdateNodeLabel UpdateNodeTaint",
        "InterPodAffinity, Add UpdatePodLabel Delete, Add UpdateNodeLabel",
        "NodeDeclaredFeatures, Update, Add UpdateNodeDeclaredFeature",
        "DefaultPreemption, Delete,"
    })
    void pluginWaitsForThese(String plugin, String pod, String node) {
        var expected = new TreeMap<String, Integer>();
        if (pod != null) {
            expected.put("Pod", mask(pod));
        }
        if (node != null) {
            expected.put("Node", mask(node));
        }
        var actual = actions(plugin);
        actual.keySet().retainAll(List.of("Pod", "Node"));
        assertThat(actual).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "VolumeRestrictions, PersistentVolumeClaim, Add",
        "NodeVolumeLimits, PersistentVolumeClaim, Add",
        "NodeVolumeLimits, storage.k8s.io/CSINode, Add Update",
        "NodeVolumeLimits, storage.k8s.io/VolumeAttachment, Delete",
        "VolumeZone, PersistentVolumeClaim, Add Update",
        "VolumeZone, PersistentVolume, Add Update",
        "VolumeZone, storage.k8s.io/StorageClass, Add"
    })
    void pluginWaitsForVolumes(String plugin, String resource, String actions) {
        assertThat(actions(plugin)).containsEntry(resource, mask(actions));
    }

    @ParameterizedTest
    @CsvSource({"NodeName", "NodePorts", "VolumeRestrictions", "VolumeZone"})
    void newNodeWakesThemWhateverItIs(String plugin) {
        var node = Samples.node("a").build();
        assertThat(registrations(plugin))
                .filteredOn(registration -> registration.event().resource().equals("Node"))
                .allSatisfy(registration ->
                        assertThat(registration.hint().judge(Samples.pod("p").build(), null, node))
                                .isEqualTo(Registration.Hint.QUEUE));
    }

    @Test
    void preemptionIsNeverWokenByADeletion() {
        assertThat(registrations("DefaultPreemption"))
                .singleElement()
                .satisfies(registration ->
                        assertThat(
                                        registration
                                                .hint()
                                                .judge(
                                                        Samples.pod("p").build(),
                                                        Samples.pod("q").build(),
                                                        null))
                                .isEqualTo(Registration.Hint.SKIP));
    }
}
