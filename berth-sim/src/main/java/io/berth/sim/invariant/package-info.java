/// What must hold of a scheduler and its cluster.
@NullMarked
package io.berth.sim.invariant;

import org.jspecify.annotations.NullMarked;
