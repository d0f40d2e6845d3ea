/// Reads what claims, slices and device classes consist of.
@NullMarked
package io.berth.kube.codec.device;

import org.jspecify.annotations.NullMarked;
