/// How the port is served: its settings, certificates and what TLS needs.
@NullMarked
package io.berth.serving.tls;

import org.jspecify.annotations.NullMarked;
