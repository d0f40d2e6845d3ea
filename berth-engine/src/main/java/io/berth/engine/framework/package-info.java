/// Profiles: which plugins run at which extension point, and how their answers are merged.
@NullMarked
package io.berth.engine.framework;

import org.jspecify.annotations.NullMarked;
