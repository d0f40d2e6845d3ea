/// The order of the queue: priority first, then age.
@NullMarked
package io.berth.plugins.prioritysort;

import org.jspecify.annotations.NullMarked;
