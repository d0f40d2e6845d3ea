/// What would have to change for a pod to get a place, as plugins propose it: for people who ask
/// what would help. Nothing here is ever carried out by the scheduler.
@NullMarked
package io.berth.api.relax;

import org.jspecify.annotations.NullMarked;
