@NullMarked
package io.berth.engine.state;

import org.jspecify.annotations.NullMarked;
