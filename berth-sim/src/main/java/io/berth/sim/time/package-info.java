/// Virtual time, and blocking code that takes turns.
@NullMarked
package io.berth.sim.time;

import org.jspecify.annotations.NullMarked;
