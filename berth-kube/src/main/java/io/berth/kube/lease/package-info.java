/// Which of several schedulers works: the election over a Lease object, and the fence that keeps a
/// process that lost it from writing.
@NullMarked
package io.berth.kube.lease;

import org.jspecify.annotations.NullMarked;
