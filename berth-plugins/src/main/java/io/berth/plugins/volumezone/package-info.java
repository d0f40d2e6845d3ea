/// Keeps pods in the zones of their volumes.
@NullMarked
package io.berth.plugins.volumezone;

import org.jspecify.annotations.NullMarked;
