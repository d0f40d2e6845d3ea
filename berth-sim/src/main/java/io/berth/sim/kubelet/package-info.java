/// What kubelets do with pods that have a node.
@NullMarked
package io.berth.sim.kubelet;

import org.jspecify.annotations.NullMarked;
