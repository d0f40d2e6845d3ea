/// Immutable facts about the cluster: pods, nodes, and whatever else the scheduler follows.
@NullMarked
package io.berth.api.model;

import org.jspecify.annotations.NullMarked;
