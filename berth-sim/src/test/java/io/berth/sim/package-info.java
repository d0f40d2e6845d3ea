@NullMarked
package io.berth.sim;

import org.jspecify.annotations.NullMarked;
