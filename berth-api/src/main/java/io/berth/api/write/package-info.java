/// What the scheduler changes in the cluster.
@NullMarked
package io.berth.api.write;

import org.jspecify.annotations.NullMarked;
