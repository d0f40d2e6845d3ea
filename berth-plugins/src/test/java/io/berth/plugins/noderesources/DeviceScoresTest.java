package io.berth.plugins.noderesources;

import static io.berth.plugins.Samples.GIB;
import static io.berth.plugins.Samples.container;
import static io.berth.plugins.Samples.node;
import static io.berth.plugins.Samples.pod;
import static io.berth.plugins.Samples.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.amount.Resources;
import io.berth.api.device.Device;
import io.berth.api.device.DeviceAllocation;
import io.berth.api.device.DeviceAttribute;
import io.berth.api.device.DeviceClaim;
import io.berth.api.device.DeviceId;
import io.berth.api.device.Reach;
import io.berth.api.model.DeviceClass;
import io.berth.api.model.Pod;
import io.berth.api.model.ResourceClaim;
import io.berth.api.model.ResourceSlice;
import io.berth.plugins.PluginRun;
import io.berth.plugins.TestCluster;
import io.berth.plugins.noderesources.FitArguments.Rating;
import io.berth.plugins.noderesources.FitArguments.ScoringStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Scores by extended resources for which devices stand.
class DeviceScoresTest {
    private static final String GPU = "example.com/gpu";
    private static final String DRIVER = "drv.example.com";
    private static final FitArguments MOST =
            new FitArguments(
                    Set.of(),
                    Set.of(),
                    new ScoringStrategy(
                            Rating.MOST_ALLOCATED, List.of(new ResourceWeight(GPU, 1)), List.of()));
    private static final BalancedArguments CPU_AND_GPU =
            new BalancedArguments(
                    List.of(new ResourceWeight("cpu", 1), new ResourceWeight(GPU, 1)));
    private static final Pod ASKING = pod("p", spec().container(container("cpu", "1", GPU, "1")));

    private final TestCluster cluster = new TestCluster();

    @BeforeEach
    void addNodes() {
        cluster.features.add("DRAExtendedResource");
        cluster.features.add("DRAConsumableCapacity");
        for (String name : List.of("a", "b")) {
            cluster.add(node(name).allocatable(new Resources(4000, GIB, 0, 110, Map.of())).build());
        }
        slice("a", Reach.of("a"), 4, "large");
        slice("b", Reach.of("b"), 8, "large");
    }

    private void slice(String pool, Reach nodes, int count, String size) {
        var devices = new ArrayList<Device>();
        for (int i = 0; i < count; i++) {
            devices.add(Device.of("g" + i, Map.of("size", new DeviceAttribute.Text(size))));
        }
        cluster.add(
                new ResourceSlice(
                        "slice-" + pool,
                        DRIVER,
                        new ResourceSlice.Pool(pool, 1, 1),
                        nodes,
                        null,
                        devices,
                        List.of()));
    }

    private void deviceClass(@Nullable String resource, String... selectors) {
        cluster.add(new DeviceClass("gpu", null, List.of(selectors), List.of(), resource));
    }

    private void own(String pool, String device) {
        var result =
                new DeviceAllocation.Result(
                        "r",
                        new DeviceId(DRIVER, pool, device),
                        null,
                        List.of(),
                        List.of(),
                        List.of(),
                        null,
                        Map.of());
        cluster.add(
                new ResourceClaim(
                        "default",
                        "c-" + pool + device,
                        "u-" + pool + device,
                        "1",
                        null,
                        false,
                        false,
                        false,
                        DeviceClaim.NOTHING,
                        new DeviceAllocation(List.of(result), List.of(), null, null),
                        List.of(),
                        List.of()));
    }

    private @Nullable Map<String, Long> fit() {
        return PluginRun.of(cluster, NodeResourcesFit.of(MOST, cluster), ASKING).rawScores();
    }

    @Test
    @Tag("NF-15")
    void devicesAreRoomAndThoseWithOwnersAreTaken() {
        deviceClass(GPU);
        own("a", "g0");
        own("b", "g3");
        assertThat(fit()).isEqualTo(Map.of("a", 50L, "b", 25L));
    }

    @Test
    @Tag("NF-15")
    void onlyDevicesOfTheClassCount() {
        deviceClass(GPU, "device.attributes['" + DRIVER + "'].size == 'large'");
        slice("b", Reach.of("b"), 8, "small");
        slice("all", Reach.everywhere(), 4, "large");
        assertThat(fit()).as("1 of 8, 1 of 4").isEqualTo(Map.of("a", 12L, "b", 25L));
    }

    @Test
    @Tag("NF-15")
    void resourceWithoutAClassOrWithABrokenOneDoesNotCount() {
        assertThat(fit()).isEqualTo(Map.of("a", 0L, "b", 0L));
        deviceClass(GPU, "device.attributes['" + DRIVER + "'].none == 'large'");
        assertThat(fit()).isEqualTo(Map.of("a", 0L, "b", 0L));
    }

    @Test
    @Tag("NF-15")
    void devicePluginComesFirst() {
        deviceClass(GPU);
        cluster.add(
                node("b").allocatable(new Resources(4000, GIB, 0, 110, Map.of(GPU, 2L))).build());
        assertThat(fit()).isEqualTo(Map.of("a", 25L, "b", 50L));
    }

    @Test
    @Tag("NF-15")
    void whatIsKeptFollowsTheDevices() {
        deviceClass(GPU);
        var plugin = NodeResourcesFit.of(MOST, cluster);
        assertThat(PluginRun.of(cluster, plugin, ASKING).rawScores())
                .isEqualTo(Map.of("a", 25L, "b", 12L));
        long told = cluster.state.changes().version();
        own("a", "g1");
        assertThat(PluginRun.of(cluster, plugin, ASKING).rawScores())
                .isEqualTo(Map.of("a", 50L, "b", 12L));
        var changed = new int[4];
        int count = cluster.state.changes().since(told, io.berth.engine.state.Changes.ANY, changed);
        assertThat(count).as("kept scores of that node are out of date").isEqualTo(1);
        assertThat(changed[0]).isEqualTo(cluster.columns().slotOf("a"));
    }

    @Test
    @Tag("BA-9")
    void balanceCountsDevices() {
        deviceClass(GPU);
        own("b", "g0");
        own("b", "g1");
        // a: cpu 0 to 1/4, devices 0 to 1/4; b: cpu 0 to 1/4, devices 2/8 to 3/8.
        assertThat(
                        PluginRun.of(
                                        cluster,
                                        NodeResourcesBalancedAllocation.of(CPU_AND_GPU, cluster),
                                        ASKING)
                                .rawScores())
                .isEqualTo(Map.of("a", 75L, "b", 78L));
    }
}
