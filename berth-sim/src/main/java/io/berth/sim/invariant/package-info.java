/// What must hold, written down a second time in the plainest way.
@NullMarked
package io.berth.sim.invariant;

import org.jspecify.annotations.NullMarked;
