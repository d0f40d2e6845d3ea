/// What the engine needs from outside: time, chance, threads and the cluster. The real ones are
/// wired by the application; tests and the simulator bring their own, which makes the engine
/// deterministic.
@NullMarked
package io.berth.engine.port;

import org.jspecify.annotations.NullMarked;
