@NullMarked
package io.berth.engine.assume;

import org.jspecify.annotations.NullMarked;
