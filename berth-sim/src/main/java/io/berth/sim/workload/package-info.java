/// What users and operators do to the cluster.
@NullMarked
package io.berth.sim.workload;

import org.jspecify.annotations.NullMarked;
