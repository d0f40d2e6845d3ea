/// Brings pods to nodes that their volumes can be reached from or made for, and binds the volumes.
@NullMarked
package io.berth.plugins.volumebinding;

import org.jspecify.annotations.NullMarked;
