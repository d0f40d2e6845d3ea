/// Which devices a claim gets on a node: pools and slices, selectors, constraints, capacities and
/// counters, searched in kube-scheduler's order (contract 19.9 to 19.18).
@NullMarked
package io.berth.plugins.device;

import org.jspecify.annotations.NullMarked;
