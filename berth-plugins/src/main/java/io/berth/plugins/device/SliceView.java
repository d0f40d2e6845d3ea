package io.berth.plugins.device;

import io.berth.api.device.DeviceId;
import io.berth.api.model.ResourceSlice;
import java.util.LinkedHashMap;
import java.util.Map;

/// A slice with what is kept about its devices: their ids, and which selectors they match. A
/// changed slice gets a new view, and so forgets.
final class SliceView {
    static final byte UNKNOWN = 0;
    static final byte MATCHES = 1;
    static final byte DIFFERS = 2;

    /// More sets of selectors than clusters have classes of devices on one slice.
    private static final int MAX_SETS = 64;

    private final ResourceSlice slice;
    private final PoolId pool;
    private final DeviceId[] ids;
    private final Map<SelectorSet, byte[]> matches =
            new LinkedHashMap<>(4, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<SelectorSet, byte[]> eldest) {
                    return size() > MAX_SETS;
                }
            };

    SliceView(ResourceSlice slice) {
        this.slice = slice;
        this.pool = new PoolId(slice.driver(), slice.pool().name());
        this.ids = new DeviceId[slice.devices().size()];
        for (int i = 0; i < ids.length; i++) {
            ids[i] =
                    new DeviceId(
                            slice.driver(), slice.pool().name(), slice.devices().get(i).name());
        }
    }

    ResourceSlice slice() {
        return slice;
    }

    PoolId pool() {
        return pool;
    }

    DeviceId id(int device) {
        return ids[device];
    }

    long generation() {
        return slice.pool().generation();
    }

    boolean hasCounters() {
        return !slice.sharedCounters().isEmpty();
    }

    /// What is known about each device and these selectors; may be changed.
    byte[] matches(SelectorSet selectors) {
        return matches.computeIfAbsent(selectors, _ -> new byte[ids.length]);
    }
}
