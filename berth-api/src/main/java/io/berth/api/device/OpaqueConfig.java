package io.berth.api.device;

/// Settings for a device that only its driver understands; they go from class and claim into the
/// allocation as they are.
///
/// @param parameters as JSON
public record OpaqueConfig(String driver, String parameters) {}
