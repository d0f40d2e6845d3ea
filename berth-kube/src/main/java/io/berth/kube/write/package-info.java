/// What the scheduler changes in the cluster: bindings, pod status, deletions, events.
@NullMarked
package io.berth.kube.write;

import org.jspecify.annotations.NullMarked;
