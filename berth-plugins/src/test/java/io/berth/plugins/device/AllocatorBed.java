package io.berth.plugins.device;

import static io.berth.plugins.device.Devices.ask;
import static io.berth.plugins.device.Devices.deviceClass;
import static io.berth.plugins.device.Devices.node;

import io.berth.api.amount.Quantity;
import io.berth.api.device.DeviceAllocation;
import io.berth.api.device.DeviceClaim.Ask;
import io.berth.api.device.DeviceId;
import io.berth.api.model.DeviceClass;
import io.berth.api.model.Node;
import io.berth.api.model.ResourceClaim;
import io.berth.plugins.device.Devices.Sli;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// An allocator with what it looks at.
abstract class AllocatorBed {
    static final String SAME = "drv/board";

    DeviceFeatures features = DeviceFeatures.DEFAULT;
    final Map<String, DeviceClass> classes =
            new HashMap<>(
                    Map.of(
                            "any", deviceClass("any"),
                            "big", deviceClass("big", "device.attributes['drv'].size == 'big'"),
                            "broken", deviceClass("broken", "device.attributes['drv'].none")));
    @Nullable Inventory inventory;
    Usage usage = new Usage(true);
    Node node = node("n1");
    Patience patience = Patience.ENDLESS;
    private List<Sli> offers = List.of();

    /// The same slices, for features that have changed.
    void offerAgain() {
        offer(offers.toArray(Sli[]::new));
    }

    void offer(Sli... slices) {
        offers = List.of(slices);
        var offered = new Inventory(features.partitionable());
        for (var each : slices) {
            offered.changed(null, each.build());
        }
        inventory = offered;
    }

    @Nullable List<DeviceAllocation> allocate(ResourceClaim... claims) throws AllocationException {
        var offered = Objects.requireNonNull(inventory);
        return new Allocator(features, offered, usage, classes::get)
                .allocate(node, List.of(claims), () -> "share", patience);
    }

    /// What each claim gets: `request=pool/device`, separated by blanks and bars; `none`, or why
    /// there was no search.
    String got(ResourceClaim... claims) {
        try {
            var found = allocate(claims);
            return found == null
                    ? "none"
                    : found.stream().map(AllocatorTest::text).collect(Collectors.joining(" | "));
        } catch (AllocationException failed) {
            return String.valueOf(failed.getMessage());
        }
    }

    static String text(DeviceAllocation allocation) {
        return allocation.results().stream()
                .map(result ->
                        result.request()
                                + "="
                                + result.device().pool()
                                + "/"
                                + result.device().device())
                .collect(Collectors.joining(" "));
    }

    void use(String pool, String device) {
        usage.add(allocation(pool, device, null, Map.of()));
    }

    static DeviceAllocation allocation(
            String pool, String device, @Nullable String share, Map<String, Quantity> consumed) {
        return new DeviceAllocation(
                List.of(
                        new DeviceAllocation.Result(
                                "r",
                                new DeviceId("drv", pool, device),
                                null,
                                List.of(),
                                List.of(),
                                List.of(),
                                share,
                                consumed)),
                List.of(),
                null,
                null);
    }

    static Ask one(String name) {
        return ask(name, "any", 1);
    }
}
