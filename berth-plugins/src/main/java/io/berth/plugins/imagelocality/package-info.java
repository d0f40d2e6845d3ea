/// Prefers nodes that have the pod's images already.
@NullMarked
package io.berth.plugins.imagelocality;

import org.jspecify.annotations.NullMarked;
