/// The Kubernetes edge: follows the cluster and writes to it through the API server.
@NullMarked
package io.berth.kube;

import org.jspecify.annotations.NullMarked;
