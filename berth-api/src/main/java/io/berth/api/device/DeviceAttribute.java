package io.berth.api.device;

/// A fact about a device.
public sealed interface DeviceAttribute {
    record Int(long value) implements DeviceAttribute {}

    record Bool(boolean value) implements DeviceAttribute {}

    record Text(String value) implements DeviceAttribute {}

    /// A semantic version, as it was written.
    record Version(String value) implements DeviceAttribute {}

    /// A value of a sort that is not understood here, such as a list.
    record Unsupported() implements DeviceAttribute {}
}
