package io.berth.serving.tls;

import java.security.cert.X509Certificate;
import java.util.List;

/// Whose certificates we tell clients to show. Asked in every handshake.
public interface ClientAuthorities {
    /// Client certificates are of no use: none are asked for.
    ClientAuthorities NONE =
            new ClientAuthorities() {
                @Override
                public boolean areConfigured() {
                    return false;
                }

                @Override
                public List<X509Certificate> current() {
                    return List.of();
                }
            };

    /// Whether client certificates may be of use, now or later.
    boolean areConfigured();

    /// Those known now; an empty list invites any certificate.
    List<X509Certificate> current();
}
