/// Certificates, the kubeconfig, and who a caller is.
@NullMarked
package io.berth.apiserver.security;

import org.jspecify.annotations.NullMarked;
