package io.berth.engine.queue;

import static io.berth.engine.queue.QueueBed.on;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.event.Registration.Hint;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.Plugin;
import io.berth.engine.queue.QueueBed.Listener;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HintMapTest {
    private static List<String> hearing(HintMap map, String resource, int actions) {
        return map.hearing(ClusterEvent.of(resource, actions)).stream()
                .map(HintMap.Entry::plugin)
                .toList();
    }

    @ParameterizedTest
    @Tag("E-52")
    @Tag("E-53")
    @Tag("E-190")
    @CsvSource({
        // incoming resource, its actions, registered resource, its actions, heard
        "Node, 8, Node, 9, true",
        "Node, 16, Node, 9, false",
        "AssignedPod, 8188, Pod, 256, false",
        "AssignedPod, 8188, Pod, 8188, true",
        "AssignedPod, 256, Pod, 8188, true",
        "AssignedPod, 2, Pod, 514, true",
        "UnschedulablePod, 2048, Pod, 2048, true",
        "UnschedulablePod, 1, Node, 1, false",
        "PersistentVolumeClaim, 8188, PersistentVolumeClaim, 8189, true",
        "PersistentVolumeClaim, 1, PersistentVolumeClaim, 8188, false",
        "Node, 1, *, 1, true",
        "Node, 2, *, 1, false",
        "foos.v1.example.com, 2, *, 8191, true"
    })
    void eventIsHeardByThoseWhoRegisteredForIt(
            String incoming, int incomingActions, String registered, int actions, boolean heard) {
        var map = HintMap.of(List.of(Listener.of("P", on(registered, actions))), false);
        // A node addition brings the implicit registration for taints, which is tested below.
        var event = ClusterEvent.of(incoming, incomingActions);
        boolean found =
                map.hearing(event).stream().anyMatch(entry -> entry.event().actions() == actions);

        assertThat(found).isEqualTo(heard);
    }

    @Test
    @Tag("E-54")
    void nodeAdditionAlsoBringsChangesOfTaints() {
        Registration.HintFunction never = (pod, before, after) -> Hint.SKIP;
        var map =
                HintMap.of(
                        List.of(
                                new Listener(
                                        "P",
                                        List.of(
                                                Registration.of(
                                                        ClusterEvent.NODE, Action.ADD, never)))),
                        false);

        var taint = map.hearing(ClusterEvent.of(ClusterEvent.NODE, Action.UPDATE_NODE_TAINT));

        assertThat(taint).hasSize(1);
        assertThat(taint.getFirst().hint().judge(QueueBed.pod("p"), null, null))
                .isEqualTo(Hint.QUEUE);
    }

    @Test
    @Tag("E-54")
    void taintsAreNotRegisteredTwiceNorWithoutNodeAdditions() {
        var both =
                Listener.of(
                        "Both",
                        on(ClusterEvent.NODE, Action.ADD),
                        on(ClusterEvent.NODE, Action.UPDATE_NODE_TAINT));
        var labels = Listener.of("Labels", on(ClusterEvent.NODE, Action.UPDATE_NODE_LABEL));
        var claims = Listener.of("Claims", on(ClusterEvent.PERSISTENT_VOLUME_CLAIM, Action.ADD));
        var map = HintMap.of(List.of(both, labels, claims), false);

        assertThat(hearing(map, ClusterEvent.NODE, Action.UPDATE_NODE_TAINT))
                .containsExactly("Both");
    }

    @ParameterizedTest
    @Tag("E-54")
    @ValueSource(
            strings = {
                "AssignedPod",
                "UnschedulablePod",
                "Node",
                "PersistentVolume",
                "PersistentVolumeClaim",
                "storage.k8s.io/CSINode",
                "storage.k8s.io/CSIDriver",
                "storage.k8s.io/CSIStorageCapacity",
                "storage.k8s.io/StorageClass",
                "resource.k8s.io/ResourceClaim",
                "resource.k8s.io/DeviceClass"
            })
    void pluginThatNamesNoEventsHearsAlmostEverything(String resource) {
        Plugin silent = () -> "Silent";
        var map = HintMap.of(List.of(silent), true);

        for (int action : new int[] {Action.ADD, Action.DELETE, Action.UPDATE}) {
            assertThat(hearing(map, resource, action)).containsExactly("Silent", "Extender");
        }
    }

    @ParameterizedTest
    @Tag("E-54")
    @ValueSource(strings = {"resource.k8s.io/ResourceSlice", "storage.k8s.io/VolumeAttachment"})
    void pluginThatNamesNoEventsDoesNotHearOf(String resource) {
        Plugin silent = () -> "Silent";
        var map = HintMap.of(List.of(silent), true);

        assertThat(hearing(map, resource, Action.ADD)).isEmpty();
    }

    @Test
    @Tag("E-54")
    void emptyListHearsNothing() {
        var map = HintMap.of(List.of(Listener.of("Deaf")), false);

        assertThat(map.registeredEvents()).isEmpty();
        assertThat(hearing(map, ClusterEvent.NODE, Action.ADD)).isEmpty();
    }

    @Test
    @Tag("E-54")
    void pluginAtSeveralPointsCountsOnce() {
        var plugin = Listener.of("P", on(ClusterEvent.NODE, Action.DELETE));
        var map = HintMap.of(List.of(plugin, plugin), false);

        assertThat(hearing(map, ClusterEvent.NODE, Action.DELETE)).containsExactly("P");
    }

    @Test
    @Tag("E-54")
    void pluginThatCannotNameItsEventsStopsTheStart() {
        Events broken =
                new Events() {
                    @Override
                    public String name() {
                        return "Broken";
                    }

                    @Override
                    public List<Registration> events() {
                        throw new IllegalArgumentException("no idea");
                    }
                };

        assertThatThrownBy(() -> HintMap.of(List.of(broken), false))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("plugin Broken failed to name the events it waits for: no idea");
    }

    @Test
    @Tag("E-54")
    void actionsOnAResourceAreTheUnionOfAll() {
        var map =
                HintMap.of(
                        List.of(
                                Listener.of("A", on(ClusterEvent.CSI_NODE, Action.ADD)),
                                Listener.of("B", on(ClusterEvent.CSI_NODE, Action.DELETE))),
                        false);

        assertThat(map.actionsOn(ClusterEvent.CSI_NODE)).isEqualTo(Action.ADD | Action.DELETE);
        assertThat(map.actionsOn(ClusterEvent.CSI_DRIVER)).isZero();
    }
}
