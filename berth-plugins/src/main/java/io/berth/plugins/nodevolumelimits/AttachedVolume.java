package io.berth.plugins.nodevolumelimits;

/// A volume as its driver counts it.
///
/// @param driver who attaches it
/// @param handle by which the driver knows it
record AttachedVolume(String driver, String handle) {}
