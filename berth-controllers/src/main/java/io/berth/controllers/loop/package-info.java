/// Brings keys to reconcilers, one at a time each, and again after a pause where they fail.
@NullMarked
package io.berth.controllers.loop;

import org.jspecify.annotations.NullMarked;
