/// Profiles: a scheduler name with its plugins, its search for a node, and the points that a pod
/// passes before and after it.
@NullMarked
package io.berth.engine.profile;

import org.jspecify.annotations.NullMarked;
