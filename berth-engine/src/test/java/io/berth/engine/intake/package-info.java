/// Tests of how news from the cluster changes state and queue.
@NullMarked
package io.berth.engine.intake;

import org.jspecify.annotations.NullMarked;
