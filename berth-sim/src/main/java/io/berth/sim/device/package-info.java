/// Drivers of devices in a simulated cluster, and who sees to the claims.
@NullMarked
package io.berth.sim.device;

import org.jspecify.annotations.NullMarked;
