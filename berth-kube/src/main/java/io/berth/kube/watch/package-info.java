/// Follows the cluster: list, watch, and carry on whatever happens to the connection.
@NullMarked
package io.berth.kube.watch;

import org.jspecify.annotations.NullMarked;
