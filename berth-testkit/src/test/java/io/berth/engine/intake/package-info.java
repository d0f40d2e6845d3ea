/// Tests of how news from the cluster changes state and queue. Here rather than beside the engine
/// since they need the testkit; see [io.berth.engine].
@NullMarked
package io.berth.engine.intake;

import org.jspecify.annotations.NullMarked;
