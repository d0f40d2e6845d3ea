/// A crowd at a scheduler's port, and what it costs the pods that are to be placed meanwhile.
@NullMarked
package io.berth.e2e.flood;

import org.jspecify.annotations.NullMarked;
