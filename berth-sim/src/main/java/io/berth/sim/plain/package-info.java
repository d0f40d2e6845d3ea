/// The contract a second time, written down in the plainest way, for invariants to compare with.
@NullMarked
package io.berth.sim.plain;

import org.jspecify.annotations.NullMarked;
