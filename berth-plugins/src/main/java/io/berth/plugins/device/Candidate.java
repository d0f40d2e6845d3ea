package io.berth.plugins.device;

import io.berth.api.device.Device;
import io.berth.api.device.DeviceId;

/// A device in its slice and pool.
record Candidate(Pool pool, SliceView view, int index) {
    Device device() {
        return view.slice().devices().get(index);
    }

    DeviceId id() {
        return view.id(index);
    }
}
