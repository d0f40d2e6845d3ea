/// A look into the engine for operators: does it agree with the API server, and what does it hold.
@NullMarked
package io.berth.engine.debug;

import org.jspecify.annotations.NullMarked;
