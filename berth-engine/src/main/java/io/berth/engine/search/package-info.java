/// The search for a node: which nodes can take a pod, which of them is best, and what is kept of
/// that from attempt to attempt.
@NullMarked
package io.berth.engine.search;

import org.jspecify.annotations.NullMarked;
