package io.berth.plugins.device;

import io.berth.api.column.NodeColumns;
import io.berth.api.device.Device;
import io.berth.api.handle.Handle;
import io.berth.api.model.DeviceClass;
import io.berth.api.model.Node;
import io.berth.cel.DeviceSelectors;
import io.berth.cel.SelectorException;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How many devices of a node stand for an extended resource, and how many of them have owners, for
/// scores that count them as room (contract rules NF-15 and BA-9). Every device that matches the
/// class counts, also in pools that are incomplete or out of date: this is about how full a node
/// is, not about what can be had.
///
/// Owned by the engine thread; one for all profiles.
public final class DeviceTotals {
    /// The devices of all nodes that stand for one resource. Kept for each slot until something
    /// changes there that they follow from.
    public final class OfResource {
        private final String resource;
        private long[] stamps = {};
        private long[] totals = {};
        private long[] used = {};

        private OfResource(String resource) {
            this.resource = resource;
        }

        /// 0 where no class stands for the resource, and where its selectors fail.
        public long total(NodeColumns columns, int slot) {
            refresh(columns, slot);
            return totals[slot];
        }

        /// How many of these have owners.
        public long used(NodeColumns columns, int slot) {
            refresh(columns, slot);
            return used[slot];
        }

        private void refresh(NodeColumns columns, int slot) {
            if (slot >= stamps.length) {
                int size = Math.max(slot + 1, columns.limit());
                stamps = Arrays.copyOf(stamps, size);
                totals = Arrays.copyOf(totals, size);
                used = Arrays.copyOf(used, size);
            }
            var node = columns.node(slot).node();
            long stamp = book.stamp(book.slotOf(slot, node));
            if (stamps[slot] != stamp) {
                book.follow(book.slotOf(slot, node), node);
                count(node, slot);
                stamps[slot] = stamp;
            }
        }

        private void count(Node node, int slot) {
            totals[slot] = 0;
            used[slot] = 0;
            var deviceClass = classes.of(resource);
            if (deviceClass == null) {
                return;
            }
            try {
                for (var view : book.inventory().slicesOf(node)) {
                    count(view, deviceClass, node, slot);
                }
            } catch (SelectorException broken) {
                totals[slot] = 0;
                used[slot] = 0;
            }
        }

        private void count(SliceView view, DeviceClass deviceClass, Node node, int slot)
                throws SelectorException {
            var devices = view.slice().devices();
            for (int i = 0; i < devices.size(); i++) {
                var device = devices.get(i);
                if ((!view.slice().asksDevices() || device.nodes().includes(node))
                        && matches(deviceClass, view.slice().driver(), device)) {
                    totals[slot]++;
                    used[slot] += book.usage().isUsed(view.id(i)) ? 1 : 0;
                }
            }
        }
    }

    private final DeviceBook book;
    private final ExtendedClasses classes;
    private final DeviceSelectors selectors;
    private final Map<String, OfResource> byResource = new HashMap<>();

    DeviceTotals(DeviceBook book, ExtendedClasses classes, boolean isCapacityConsumable) {
        this.book = book;
        this.classes = classes;
        this.selectors = new DeviceSelectors(isCapacityConsumable);
    }

    /// Null where devices stand for none of these resources, whatever classes there are.
    public static @Nullable DeviceTotals of(Handle handle, Collection<String> resources) {
        var classes = ExtendedClasses.of(handle);
        if (classes == null || resources.stream().noneMatch(ExtendedClasses::isPossible)) {
            return null;
        }
        var book = DeviceBook.of(handle);
        return handle.shared(
                DeviceTotals.class,
                () -> {
                    // Kept scores follow from devices, which are no part of a node.
                    book.tell(handle::staleSlot, handle::staleSlots);
                    return new DeviceTotals(
                            book,
                            classes,
                            DeviceFeatures.of(handle::isFeatureOn).consumableCapacity());
                });
    }

    /// Null where devices cannot stand for the resource.
    public @Nullable OfResource of(String resource) {
        return ExtendedClasses.isPossible(resource)
                ? byResource.computeIfAbsent(resource, OfResource::new)
                : null;
    }

    /// As upstream has it here, no device can be shared in the eyes of a selector.
    private boolean matches(DeviceClass deviceClass, String driver, Device device)
            throws SelectorException {
        var seen = device.isShareable() ? device.asWhole() : device;
        for (String expression : deviceClass.selectors()) {
            if (!expression.isEmpty() && !selectors.of(expression).matches(driver, seen)) {
                return false;
            }
        }
        return true;
    }
}
