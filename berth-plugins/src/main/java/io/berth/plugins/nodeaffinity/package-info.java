/// Which nodes a pod requires or prefers by their labels.
@NullMarked
package io.berth.plugins.nodeaffinity;

import org.jspecify.annotations.NullMarked;
