/// Pods that wait for a place: active, backing off, parked, and those in flight.
@NullMarked
package io.berth.engine.queue;

import org.jspecify.annotations.NullMarked;
