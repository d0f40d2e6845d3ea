package io.berth.bench;

import io.berth.api.device.Device;
import io.berth.api.device.DeviceAllocation;
import io.berth.api.device.DeviceAttribute;
import io.berth.api.device.DeviceClaim;
import io.berth.api.device.DeviceId;
import io.berth.api.device.Reach;
import io.berth.api.model.DeviceClass;
import io.berth.api.model.Node;
import io.berth.api.model.Owner;
import io.berth.api.model.Pod;
import io.berth.api.model.ResourceClaim;
import io.berth.api.model.ResourceSlice;
import io.berth.api.spec.PodClaim;
import io.berth.bench.Scenario.Surroundings;
import io.berth.testkit.Nodes;
import io.berth.testkit.Pods;
import io.berth.testkit.TestScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Pods that claim devices, in clusters of which 60 % of the devices are taken.
final class DeviceScenarios {
    static final String DRIVER = "gpu.example.com";

    private static final String CLASS = "gpu";
    private static final int DEVICES = 8;
    private static final String RESOURCE = "example.com/gpu-";
    private static final int CLASSES = 25;

    /// Of five nodes two have a board left, and three have single devices.
    private static final List<Integer> SOME = List.of(0, 2, 4);

    private static final List<Integer> MOST = List.of(0, 1, 2, 4, 6, 7);

    private DeviceScenarios() {}

    static List<Scenario> all() {
        return List.of(
                new Scenario(
                                "two devices of one board",
                                200,
                                DeviceScenarios::node,
                                0,
                                i -> claiming("bound" + i),
                                i -> claiming("p" + i))
                        .in(new Boards()),
                new Scenario(
                                "one device by extended resources of 25 classes",
                                200,
                                DeviceScenarios::node,
                                0,
                                i -> extended("bound" + i, i),
                                i -> extended("p" + i, i))
                        .in(new Extended()));
    }

    private static Node node(int i) {
        return Nodes.node("node-" + i).cpu("32").memory("128Gi").pods(1000).build();
    }

    private static Pod claiming(String name) {
        var pod = Pods.pod(name).cpu("100m").memory("100Mi").build();
        var spec = pod.spec().toBuilder().resourceClaim(PodClaim.of("gpus", name)).build();
        return pod.toBuilder().spec(spec).build();
    }

    private static Pod extended(String name, int i) {
        return Pods.pod(name)
                .cpu("100m")
                .memory("100Mi")
                .request(RESOURCE + i % CLASSES, "1")
                .build();
    }

    private static ResourceClaim claim(String name, DeviceClaim spec) {
        return new ResourceClaim(
                "default",
                name,
                "u-" + name,
                "",
                null,
                false,
                false,
                false,
                spec,
                null,
                List.of(),
                List.of());
    }

    /// A request for devices of the class, all of one board.
    private static DeviceClaim request(int count) {
        var ask =
                new DeviceClaim.Ask(
                        "r",
                        CLASS,
                        List.of(),
                        DeviceClaim.Ask.EXACT_COUNT,
                        count,
                        null,
                        List.of(),
                        null);
        return new DeviceClaim(
                List.of(new DeviceClaim.Request("r", ask, List.of())),
                List.of(new DeviceClaim.Constraint(List.of(), DRIVER + "/board", null)),
                List.of());
    }

    /// Eight devices on a node, two on a board. What a batch of pods got is free again before the
    /// next one, so that as many are taken at the end as at the beginning.
    private record Boards() implements Surroundings {
        private static final DeviceClaim TWO = request(2);

        @Override
        public Set<String> features() {
            return Set.of("DynamicResourceAllocation");
        }

        @Override
        public void furnish(TestScheduler scheduler, int nodes) {
            scheduler.add(deviceClass(CLASS, null));
            for (int i = 0; i < nodes; i++) {
                String node = "node-" + i;
                scheduler.add(slice(node, devices(DEVICES)));
                var taken = new ArrayList<DeviceAllocation.Result>();
                for (int device : i % 5 < 2 ? SOME : MOST) {
                    taken.add(result(node, "d" + device));
                }
                scheduler
                        .cluster()
                        .devices()
                        .put(
                                claim("taken-" + i, TWO)
                                        .with(
                                                new DeviceAllocation(taken, List.of(), null, null),
                                                List.of(),
                                                List.of()));
                scheduler.settle();
            }
        }

        private static List<Device> devices(int count) {
            return IntStream.range(0, count)
                    .mapToObj(i ->
                            Device.of(
                                    "d" + i,
                                    Map.of(
                                            "board",
                                            new DeviceAttribute.Int(i / 2),
                                            "index",
                                            new DeviceAttribute.Int(i))))
                    .toList();
        }

        private static DeviceAllocation.Result result(String node, String device) {
            return new DeviceAllocation.Result(
                    "r",
                    new DeviceId(DRIVER, node, device),
                    null,
                    List.of(),
                    List.of(),
                    List.of(),
                    null,
                    Map.of());
        }

        @Override
        public void prepare(TestScheduler scheduler, Pod pod) {
            scheduler.cluster().devices().put(claim(pod.name(), TWO));
        }

        @Override
        public boolean answer(TestScheduler scheduler, Pod pod) {
            scheduler
                    .cluster()
                    .devices()
                    .change(pod.key(), claim -> claim.with(null, List.of(), List.of()));
            return false;
        }
    }

    /// Nobody has a device but those that got theirs here. What a batch of pods got is free again
    /// before the next one.
    private record Extended() implements Surroundings {
        @Override
        public Set<String> features() {
            return Set.of("DynamicResourceAllocation", "DRAExtendedResource");
        }

        @Override
        public void furnish(TestScheduler scheduler, int nodes) {
            for (int i = 0; i < CLASSES; i++) {
                scheduler.add(deviceClass("gpu-" + i, RESOURCE + i));
            }
            for (int i = 0; i < nodes; i++) {
                scheduler.add(slice("node-" + i, Boards.devices(DEVICES)));
                scheduler.settle();
            }
        }

        @Override
        public boolean answer(TestScheduler scheduler, Pod pod) {
            var devices = scheduler.cluster().devices();
            devices.claims().stream()
                    .filter(claim -> isOf(pod, claim.controller()))
                    .forEach(claim -> devices.remove(claim.key()));
            return false;
        }

        private static boolean isOf(Pod pod, @Nullable Owner controller) {
            return controller != null && controller.uid().equals(pod.uid());
        }
    }

    private static DeviceClass deviceClass(String name, @Nullable String resource) {
        return new DeviceClass(
                name, null, List.of("device.driver == \"" + DRIVER + "\""), List.of(), resource);
    }

    /// The devices of a node, as a pool of one slice.
    static ResourceSlice slice(String node, List<Device> devices) {
        return new ResourceSlice(
                "slice-" + node,
                DRIVER,
                new ResourceSlice.Pool(node, 1, 1),
                Reach.of(node),
                null,
                devices,
                List.of());
    }
}
