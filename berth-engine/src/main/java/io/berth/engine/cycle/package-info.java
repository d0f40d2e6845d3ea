/// The life of one attempt: search a node, reserve it, bind, or go back to the queue with reasons.
@NullMarked
package io.berth.engine.cycle;

import org.jspecify.annotations.NullMarked;
