/// What goes wrong inside the scheduler: plugins that break, doors that stay shut.
@NullMarked
package io.berth.sim.fault;

import org.jspecify.annotations.NullMarked;
