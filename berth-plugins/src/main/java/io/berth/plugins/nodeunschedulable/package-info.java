/// Keeps pods off nodes that are marked unschedulable.
@NullMarked
package io.berth.plugins.nodeunschedulable;

import org.jspecify.annotations.NullMarked;
