/// Daemon sets: a pod on every node that suits.
@NullMarked
package io.berth.controllers.daemonset;

import org.jspecify.annotations.NullMarked;
