/// The scheduler in a simulated cluster: a seed builds cluster, workload and faults; time is
/// virtual; one thing happens at a time, so the same seed gives the same run.
@NullMarked
package io.berth.sim;

import org.jspecify.annotations.NullMarked;
