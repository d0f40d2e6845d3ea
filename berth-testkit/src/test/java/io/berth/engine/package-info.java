/// Tests of the engine that need the testkit. They live here because the testkit depends on the
/// engine, and under the engine's package names so that its package-private classes are in reach.
@NullMarked
package io.berth.engine;

import org.jspecify.annotations.NullMarked;
