/// Makes room for a pod that fits nowhere by evicting less important pods.
@NullMarked
package io.berth.plugins.defaultpreemption;

import org.jspecify.annotations.NullMarked;
