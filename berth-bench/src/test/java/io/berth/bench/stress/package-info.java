@NullMarked
package io.berth.bench.stress;

import org.jspecify.annotations.NullMarked;
