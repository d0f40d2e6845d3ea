package io.berth.plugins.device;

import io.berth.api.device.DeviceAllocation;
import io.berth.api.model.DeviceClass;
import io.berth.api.model.Node;
import io.berth.api.model.ResourceClaim;
import io.berth.cel.DeviceSelectors;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Finds devices for claims on a node. The same claims on the same node with the same devices free
/// always get the same devices, those that kube-scheduler would choose.
///
/// Owned by the engine thread.
public final class Allocator {
    private final DeviceFeatures features;
    private final Inventory inventory;
    private final Usage usage;
    private final Function<String, @Nullable DeviceClass> classes;
    private final DeviceSelectors selectors;

    public Allocator(
            DeviceFeatures features,
            Inventory inventory,
            Usage usage,
            Function<String, @Nullable DeviceClass> classes) {
        this.features = features;
        this.inventory = inventory;
        this.usage = usage;
        this.classes = classes;
        this.selectors = new DeviceSelectors(features.consumableCapacity());
    }

    /// An allocator on a book's devices and classes.
    public static Allocator of(DeviceFeatures features, DeviceBook book) {
        return new Allocator(features, book.inventory(), book.usage(), book::deviceClass);
    }

    /// @param shareIds where names for shares of devices come from
    /// @param patience how long it may take
    /// @return what each claim gets, in their order; null where not all can be had
    /// @throws AllocationException where the search cannot even be made, or takes too long
    public @Nullable List<DeviceAllocation> allocate(
            Node node, List<ResourceClaim> claims, Supplier<String> shareIds, Patience patience)
            throws AllocationException {
        var pools = inventory.poolsOf(node);
        var search = search(node, claims, pools, patience);
        if (search == null) {
            return null;
        }
        var result = new ArrayList<DeviceAllocation>(claims.size());
        for (int i = 0; i < claims.size(); i++) {
            result.add(new Results(features, node, claims.get(i), search, i).build(shareIds));
        }
        return result;
    }

    private @Nullable Search search(
            Node node, List<ResourceClaim> claims, List<Pool> pools, Patience patience)
            throws AllocationException {
        var selection = new Selection(selectors, features.bindingConditions(), node);
        var taken = new Taken(usage);
        var maker = new ClaimPlan.Maker(features, classes, pools, selection, taken);
        var plans = new ArrayList<ClaimPlan>(claims.size());
        for (var claim : claims) {
            plans.add(maker.plan(claim));
        }
        var search = new Search(features, pools, selection, taken, plans, patience);
        if (search.run()) {
            return search;
        }
        for (var pool : pools) {
            if (pool.isInvalid()) {
                throw new AllocationException(
                        AllocationException.Reach.NODE, "invalid resource pools were encountered");
            }
        }
        return null;
    }
}
