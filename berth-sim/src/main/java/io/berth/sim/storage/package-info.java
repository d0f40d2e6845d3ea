/// Who gives claims their volumes in a simulated cluster.
@NullMarked
package io.berth.sim.storage;

import org.jspecify.annotations.NullMarked;
