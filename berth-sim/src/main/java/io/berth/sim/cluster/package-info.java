/// The API server as the truth, the watches that tell of it late, and the writes that change it.
@NullMarked
package io.berth.sim.cluster;

import org.jspecify.annotations.NullMarked;
