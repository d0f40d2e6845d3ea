/// The plugin framework: which plugins sit at which extension point, how they are called and timed,
/// and what they write down during an attempt.
@NullMarked
package io.berth.engine.framework;

import org.jspecify.annotations.NullMarked;
