/// Berth beside the real kube-scheduler: the same pods in the same clusters, and whether both
/// decide alike and say so alike.
@NullMarked
package io.berth.e2e.differential;

import org.jspecify.annotations.NullMarked;
