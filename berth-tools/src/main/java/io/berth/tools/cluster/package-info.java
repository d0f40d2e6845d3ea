/// What the commands share: the way to a cluster, and the configuration that they judge by.
@NullMarked
package io.berth.tools.cluster;

import org.jspecify.annotations.NullMarked;
