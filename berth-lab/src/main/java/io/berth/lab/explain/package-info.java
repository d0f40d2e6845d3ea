/// Why a pod waits or went where it is, and what would help: asked of a twin, told as values.
@NullMarked
package io.berth.lab.explain;

import org.jspecify.annotations.NullMarked;
