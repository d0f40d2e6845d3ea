/// Devices that are made up: what a driver would tell of a node's hardware.
@NullMarked
package io.berth.up.device;

import org.jspecify.annotations.NullMarked;
