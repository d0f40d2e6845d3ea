/// Reads a cluster once, without following it: by lists, or from dumps of `kubectl get`.
@NullMarked
package io.berth.kube.read;

import org.jspecify.annotations.NullMarked;
