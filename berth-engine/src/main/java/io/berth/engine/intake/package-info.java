/// How news reaches the engine: messages in a mailbox, applied one by one to state and queue.
@NullMarked
package io.berth.engine.intake;

import org.jspecify.annotations.NullMarked;
