package io.berth.plugins.volumebinding;

import static io.berth.plugins.volumebinding.Fixtures.DRIVER;
import static io.berth.plugins.volumebinding.Fixtures.capacity;
import static io.berth.plugins.volumebinding.Fixtures.claim;
import static io.berth.plugins.volumebinding.Fixtures.node;
import static io.berth.plugins.volumebinding.Fixtures.podWith;
import static io.berth.plugins.volumebinding.Fixtures.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.amount.Quantity;
import io.berth.api.label.LabelSelector;
import io.berth.api.model.CsiDriver;
import io.berth.api.model.CsiStorageCapacity;
import io.berth.api.model.Pod;
import io.berth.plugins.PluginRun;
import io.berth.plugins.TestCluster;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Volumes that are to be made where there is room, as far as the driver tells.
@Tag("VB-11")
final class VolumeCapacityTest {
    private static final String NO_SPACE = VolumeJudge.REASONS.get(2);

    private final TestCluster cluster = new TestCluster();
    private final VolumeBinding plugin = new VolumeBinding(VolumeBindingArguments.DEFAULT, cluster);

    private List<String> reasons(Pod pod, String node) {
        return Fixtures.reasons(PluginRun.of(cluster, plugin, pod).filter(node));
    }

    private void driver(boolean tells) {
        cluster.add(
                node("a1", "a"),
                node("b1", "b"),
                waiting("wait", DRIVER),
                new CsiDriver(DRIVER, tells, false),
                claim("c", "5Gi").build());
    }

    @Test
    void roomMattersOnlyWhereTheDriverTells() {
        driver(false);
        assertThat(reasons(podWith("c"), "a1")).isEmpty();
        driver(true);
        assertThat(reasons(podWith("c"), "a1")).containsExactly(NO_SPACE);
        cluster.add(claim("c", "5Gi").request(null).build());
        assertThat(reasons(podWith("c"), "a1")).isEmpty();
    }

    @Test
    void roomMustBeLargeEnoughAndNear() {
        driver(true);
        cluster.add(capacity("a", "a", "5Gi"), capacity("b", "b", "4Gi"));
        assertThat(reasons(podWith("c"), "a1")).isEmpty();
        assertThat(reasons(podWith("c"), "b1")).containsExactly(NO_SPACE);
        cluster.add(capacity("b", "b", "6Gi"));
        assertThat(reasons(podWith("c"), "b1")).as("it grew").isEmpty();
        cluster.add(capacity("a", "b", "5Gi"));
        assertThat(reasons(podWith("c"), "a1")).as("it moved").containsExactly(NO_SPACE);
    }

    @Test
    void roomsAreNotAddedUp() {
        driver(true);
        cluster.add(capacity("one", "a", "4Gi"), capacity("two", "a", "4Gi"));
        assertThat(reasons(podWith("c"), "a1")).containsExactly(NO_SPACE);
    }

    @Test
    void largestVolumeCountsWhereItIsSaid() {
        driver(true);
        cluster.add(
                new CsiStorageCapacity(
                        "default",
                        "a",
                        "wait",
                        LabelSelector.EVERYTHING,
                        Quantity.parse("100Gi"),
                        Quantity.parse("4Gi")));
        assertThat(reasons(podWith("c"), "a1")).containsExactly(NO_SPACE);
    }

    @Test
    void roomOfNoNodeOrOfUnknownSizeHelpsNobody() {
        driver(true);
        cluster.add(
                new CsiStorageCapacity(
                        "default",
                        "nowhere",
                        "wait",
                        LabelSelector.NOTHING,
                        Quantity.parse("100Gi"),
                        null),
                new CsiStorageCapacity(
                        "default", "unknown", "wait", LabelSelector.EVERYTHING, null, null),
                new CsiStorageCapacity(
                        "default",
                        "other",
                        "other",
                        LabelSelector.EVERYTHING,
                        Quantity.parse("100Gi"),
                        null));
        assertThat(reasons(podWith("c"), "a1")).containsExactly(NO_SPACE);
    }
}
