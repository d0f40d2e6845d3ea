/// How to reach an API server: kubeconfig, credentials, TLS.
@NullMarked
package io.berth.kube.connection;

import org.jspecify.annotations.NullMarked;
