@NullMarked
package io.berth.engine.debug;

import org.jspecify.annotations.NullMarked;
