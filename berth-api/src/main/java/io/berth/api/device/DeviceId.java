package io.berth.api.device;

/// Which device is meant: names of devices are unique within a pool, those of pools within a
/// driver.
public record DeviceId(String driver, String pool, String device) {
    @Override
    public String toString() {
        return driver + "/" + pool + "/" + device;
    }
}
