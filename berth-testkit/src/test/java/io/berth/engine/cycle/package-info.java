/// Tests of attempts, bindings and failures, with hand-written plugins. Here rather than beside the
/// engine since they need the testkit; see [io.berth.engine].
@NullMarked
package io.berth.engine.cycle;

import org.jspecify.annotations.NullMarked;
