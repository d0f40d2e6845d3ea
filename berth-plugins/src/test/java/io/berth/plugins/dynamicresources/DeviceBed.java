package io.berth.plugins.dynamicresources;

import io.berth.api.amount.Quantity;
import io.berth.api.device.CounterSet;
import io.berth.api.device.Device;
import io.berth.api.device.DeviceAllocation;
import io.berth.api.device.DeviceAttribute;
import io.berth.api.device.DeviceClaim;
import io.berth.api.device.DeviceClaim.Ask;
import io.berth.api.device.DeviceToleration;
import io.berth.api.device.Reach;
import io.berth.api.handle.Recorder;
import io.berth.api.model.DeviceClass;
import io.berth.api.model.GeneratedClaims;
import io.berth.api.model.GeneratedClaims.Generated;
import io.berth.api.model.Owner;
import io.berth.api.model.Pod;
import io.berth.api.model.ResourceClaim;
import io.berth.api.model.ResourceSlice;
import io.berth.api.spec.PodClaim;
import io.berth.api.spec.PodSpec;
import io.berth.api.spec.Taint;
import io.berth.engine.framework.ProfileSettings;
import io.berth.plugins.InTree;
import io.berth.testkit.InMemoryDevices;
import io.berth.testkit.Nodes;
import io.berth.testkit.Pods;
import io.berth.testkit.TestScheduler;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The real engine with nodes that have devices.
final class DeviceBed {
    static final String DRIVER = "drv.example.com";
    static final Set<String> GATES =
            Set.of(
                    "DynamicResourceAllocation",
                    "DRAAdminAccess",
                    "DRAPrioritizedList",
                    "DRAPartitionableDevices",
                    "DRADeviceTaints",
                    "DRADeviceBindingConditions",
                    "DRAResourceClaimDeviceStatus",
                    "DRAConsumableCapacity",
                    "DRAExtendedResource");

    final TestScheduler scheduler;
    final InMemoryDevices claims;

    DeviceBed() {
        this(Set.of(), profile -> profile);
    }

    /// @param moreGates that are on, beside those that are by default
    DeviceBed(Set<String> moreGates, UnaryOperator<ProfileSettings> change) {
        var gates = new HashSet<>(GATES);
        gates.addAll(moreGates);
        scheduler =
                TestScheduler.with(
                        InTree.factories(),
                        settings -> settings.withFeatures(gates),
                        change.apply(ProfileSettings.of("default-scheduler", InTree.defaults())));
        claims = scheduler.cluster().devices();
    }

    void node(String name) {
        scheduler.add(Nodes.node(name).build());
    }

    void deviceClass(String name, @Nullable String extendedResource, String... selectors) {
        scheduler.add(new DeviceClass(name, null, List.of(selectors), List.of(), extendedResource));
    }

    /// Slices with devices of a node, in a pool of the node's name.
    void slice(String node, Device... devices) {
        scheduler.add(
                new ResourceSlice(
                        "slice-" + node,
                        DRIVER,
                        new ResourceSlice.Pool(node, 1, 1),
                        Reach.of(node),
                        null,
                        List.of(devices),
                        List.of()));
    }

    /// A pool of devices that share counters.
    void partitions(String node, CounterSet counters, Device... devices) {
        scheduler.add(
                new ResourceSlice(
                        "counters-" + node,
                        DRIVER,
                        new ResourceSlice.Pool(node, 1, 2),
                        Reach.of(node),
                        null,
                        List.of(),
                        List.of(counters)));
        scheduler.add(
                new ResourceSlice(
                        "slice-" + node,
                        DRIVER,
                        new ResourceSlice.Pool(node, 1, 2),
                        Reach.of(node),
                        null,
                        List.of(devices),
                        List.of()));
    }

    static Device gpu(String name) {
        return Device.of(name, Map.of());
    }

    static Device gpu(String name, String attribute, String value) {
        return Device.of(name, Map.of(attribute, new DeviceAttribute.Text(value)));
    }

    static Device tainted(String name, String effect) {
        var plain = gpu(name);
        return new Device(
                name,
                plain.attributes(),
                Map.of(),
                List.of(),
                Reach.NOWHERE,
                List.of(new Taint("broken", "yes", effect)),
                false,
                List.of(),
                List.of(),
                false);
    }

    static Device awaited(String name) {
        return new Device(
                name,
                Map.of(),
                Map.of(),
                List.of(),
                Reach.NOWHERE,
                List.of(),
                false,
                List.of("Attached"),
                List.of("Failed"),
                false);
    }

    static Device shareable(String name, String memory) {
        return new Device(
                name,
                Map.of(),
                Map.of("memory", new Device.Capacity(Quantity.parse(memory), null)),
                List.of(),
                Reach.NOWHERE,
                List.of(),
                false,
                List.of(),
                List.of(),
                true);
    }

    static Device partition(String name, long memory) {
        return new Device(
                name,
                Map.of(),
                Map.of(),
                List.of(counters("gpu-0", memory)),
                Reach.NOWHERE,
                List.of(),
                false,
                List.of(),
                List.of(),
                false);
    }

    static CounterSet counters(String name, long memory) {
        return new CounterSet(name, Map.of("memory", Quantity.of(memory)));
    }

    static Ask ask(String name, String deviceClass, int count, String... selectors) {
        return new Ask(
                name,
                deviceClass,
                List.of(selectors),
                Ask.EXACT_COUNT,
                count,
                null,
                List.of(),
                null);
    }

    static Ask admin(String name, String deviceClass) {
        return new Ask(name, deviceClass, List.of(), Ask.EXACT_COUNT, 1, true, List.of(), null);
    }

    static Ask tolerating(String name, String deviceClass) {
        return new Ask(
                name,
                deviceClass,
                List.of(),
                Ask.EXACT_COUNT,
                1,
                null,
                List.of(new DeviceToleration("broken", "Exists", "", "", null)),
                null);
    }

    static Ask share(String name, String deviceClass, String memory) {
        return new Ask(
                name,
                deviceClass,
                List.of(),
                Ask.EXACT_COUNT,
                1,
                null,
                List.of(),
                Map.of("memory", Quantity.parse(memory)));
    }

    static DeviceClaim exactly(Ask... asks) {
        return new DeviceClaim(
                Arrays.stream(asks)
                        .map(ask -> new DeviceClaim.Request(ask.name(), ask, List.of()))
                        .toList(),
                List.of(),
                List.of());
    }

    static DeviceClaim firstOf(String name, Ask... asks) {
        return new DeviceClaim(
                List.of(new DeviceClaim.Request(name, null, List.of(asks))), List.of(), List.of());
    }

    /// A claim that stands for itself.
    ResourceClaim claim(String name, DeviceClaim spec) {
        return claims.put(unowned(name, null, spec));
    }

    private static ResourceClaim unowned(String name, @Nullable Owner owner, DeviceClaim spec) {
        return new ResourceClaim(
                "default",
                name,
                "u-" + name,
                "",
                owner,
                false,
                false,
                false,
                spec,
                null,
                List.of(),
                List.of());
    }

    /// A pod that refers to claims by their names.
    Pod pod(String name, String... claimNames) {
        var spec = PodSpec.builder();
        for (String claim : claimNames) {
            spec.resourceClaim(PodClaim.of(claim, claim));
        }
        return Pods.pod(name).build().toBuilder().spec(spec.build()).build();
    }

    /// A pod with a claim from a template, which a controller has made already.
    Pod withTemplate(String name, DeviceClaim spec) {
        String claim = name + "-gpu";
        var pod =
                Pods.pod(name).build().toBuilder()
                        .spec(
                                PodSpec.builder()
                                        .resourceClaim(PodClaim.fromTemplate("gpu", "template"))
                                        .build())
                        .generatedClaims(
                                new GeneratedClaims(List.of(new Generated("gpu", claim)), null))
                        .build();
        claims.put(unowned(claim, new Owner("v1", "Pod", name, pod.uid()), spec));
        return pod;
    }

    void create(Pod pod) {
        scheduler.create(pod);
        scheduler.settle();
    }

    void pass(int seconds) {
        scheduler.pass(Duration.ofSeconds(seconds));
    }

    String nodeOf(String pod) {
        return scheduler.nodeOf("default/" + pod);
    }

    String message(String pod) {
        return scheduler.messageOf("default/" + pod);
    }

    /// What was told of pods, oldest first.
    List<String> notes() {
        return scheduler.cluster().events().stream().map(Recorder.Event::note).toList();
    }

    ResourceClaim stored(String name) {
        return claims.claim("default/" + name);
    }

    /// `request=pool/device` of everything that a claim has.
    List<String> devicesOf(String claim) {
        return allocationOf(claim).results().stream()
                .map(result ->
                        result.request()
                                + "="
                                + result.device().pool()
                                + "/"
                                + result.device().device())
                .toList();
    }

    DeviceAllocation allocationOf(String claim) {
        return Objects.requireNonNull(stored(claim).allocation(), "no devices");
    }

    List<String> consumersOf(String claim) {
        return stored(claim).reservedFor().stream().map(ResourceClaim.Consumer::name).toList();
    }
}
