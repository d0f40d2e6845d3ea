package io.berth.serving.auth;

import java.security.cert.X509Certificate;
import java.util.List;

/// Certificates of those whose signature counts, as they are now; empty while none are known.
@FunctionalInterface
interface Authorities {
    List<X509Certificate> current();
}
