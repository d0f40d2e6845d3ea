/// Keeps pods that need the same port of the node apart.
@NullMarked
package io.berth.plugins.nodeports;

import org.jspecify.annotations.NullMarked;
