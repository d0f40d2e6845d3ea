/// Tests of profiles and of the search for a node, with hand-written plugins. Here rather than
/// beside the engine since they need the testkit; see [io.berth.engine].
@NullMarked
package io.berth.engine.framework;

import org.jspecify.annotations.NullMarked;
