/// What a run is like: drawn from the seed, read by everything else.
@NullMarked
package io.berth.sim.scenario;

import org.jspecify.annotations.NullMarked;
