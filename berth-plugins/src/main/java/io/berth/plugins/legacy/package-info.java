/// Plugins of Kubernetes 1.20 to 1.23 that have since been removed there. No default profile has
/// them.
@NullMarked
package io.berth.plugins.legacy;

import org.jspecify.annotations.NullMarked;
