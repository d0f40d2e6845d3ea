@NullMarked
package io.berth.bench.load;

import org.jspecify.annotations.NullMarked;
