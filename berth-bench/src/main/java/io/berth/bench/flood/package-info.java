/// Crowds at the ports of schedulers, side by side.
@NullMarked
package io.berth.bench.flood;

import org.jspecify.annotations.NullMarked;
