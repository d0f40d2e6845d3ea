/// For tests of plugins and of the engine: build a cluster in five lines, place a pod, assert where
/// and why. No mocks: the real engine runs on a hand clock with an in-memory cluster.
@NullMarked
package io.berth.testkit;

import org.jspecify.annotations.NullMarked;
