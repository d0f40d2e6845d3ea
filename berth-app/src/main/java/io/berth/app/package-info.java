/// The process: command line, wiring, signals.
@NullMarked
package io.berth.app;

import org.jspecify.annotations.NullMarked;
