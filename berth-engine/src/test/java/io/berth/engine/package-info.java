/// Tests of the engine as a whole, and what the tests of its packages share: [Bed] is the engine
/// around hand-written plugins, [Scripted] are such plugins. Builders, clock and cluster are the
/// testkit's, whose sources are compiled with these tests.
@NullMarked
package io.berth.engine;

import org.jspecify.annotations.NullMarked;
