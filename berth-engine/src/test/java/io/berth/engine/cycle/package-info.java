/// Tests of attempts, bindings and failures, with hand-written plugins.
@NullMarked
package io.berth.engine.cycle;

import org.jspecify.annotations.NullMarked;
