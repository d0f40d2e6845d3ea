/// What the plugins that look at volumes have in common: the claims of pods, and volumes of old
/// that drivers have taken over.
@NullMarked
package io.berth.plugins.volume;

import org.jspecify.annotations.NullMarked;
