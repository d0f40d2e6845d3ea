/// Tests of the search for a node, with hand-written plugins.
@NullMarked
package io.berth.engine.search;

import org.jspecify.annotations.NullMarked;
