package io.berth.serving.tls;

import java.security.cert.X509Certificate;
import java.time.Instant;

/// Tells of certificates whose time has not come yet, or is over. The other side only says that it
/// does not like them.
public final class Validity {
    private Validity() {}

    /// @param what whose certificate it is, such as `serving certificate`
    /// @param place where it came from
    public static void warn(String what, String place, X509Certificate certificate, ServerLog log) {
        var now = Instant.now();
        boolean isOver = now.isAfter(certificate.getNotAfter().toInstant());
        if (isOver || now.isBefore(certificate.getNotBefore().toInstant())) {
            log.warning(
                    "The "
                            + what
                            + (isOver
                                    ? " has expired, renew it"
                                    : " is not valid yet, check the clock"),
                    "from",
                    place,
                    "subject",
                    certificate.getSubjectX500Principal(),
                    "notBefore",
                    certificate.getNotBefore().toInstant(),
                    "notAfter",
                    certificate.getNotAfter().toInstant());
        }
    }
}
