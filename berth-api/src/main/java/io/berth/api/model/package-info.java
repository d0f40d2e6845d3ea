/// Immutable facts about the cluster: pods, nodes, and the values they are made of.
@NullMarked
package io.berth.api.model;

import org.jspecify.annotations.NullMarked;
