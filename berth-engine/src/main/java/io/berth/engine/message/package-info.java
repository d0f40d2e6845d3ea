/// What the engine thread is told, as data.
@NullMarked
package io.berth.engine.message;

import org.jspecify.annotations.NullMarked;
