/// `berth up`: a cluster in one process, for trying things out.
@NullMarked
package io.berth.up;

import org.jspecify.annotations.NullMarked;
