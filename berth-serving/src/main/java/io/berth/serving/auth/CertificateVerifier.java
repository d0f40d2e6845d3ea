package io.berth.serving.auth;

import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertStore;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.CertificateParsingException;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Says whether a certificate that a client showed was signed for clients by somebody we trust.
final class CertificateVerifier {
    private static final String CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";
    private static final String ANY_USE = "2.5.29.37.0";

    private CertificateVerifier() {}

    /// Why it does not count yet, or any more; empty where it is valid.
    static Optional<String> outsideItsTime(X509Certificate leaf, Instant now) {
        try {
            leaf.checkValidity(Date.from(now));
            return Optional.empty();
        } catch (CertificateExpiredException | CertificateNotYetValidException outside) {
            boolean expired = outside instanceof CertificateExpiredException;
            return Optional.of(
                    "x509: certificate has expired or is not yet valid: current time %s is %s %s"
                            .formatted(
                                    now.truncatedTo(ChronoUnit.SECONDS),
                                    expired ? "after" : "before",
                                    (expired ? leaf.getNotAfter() : leaf.getNotBefore())
                                            .toInstant()));
        }
    }

    /// Why one that is valid does not count; empty if it does.
    ///
    /// @param shown leaf first, then perhaps those between it and an authority
    static Optional<String> problem(
            List<X509Certificate> shown, List<X509Certificate> authorities, Instant now) {
        X509Certificate leaf = shown.getFirst();
        if (!isForClients(leaf)) {
            return Optional.of("x509: certificate specifies an incompatible key usage");
        }
        if (authorities.contains(leaf) || leadsTo(authorities, shown, now)) {
            return Optional.empty();
        }
        return Optional.of("x509: certificate signed by unknown authority");
    }

    private static boolean isForClients(X509Certificate certificate) {
        try {
            List<String> uses = certificate.getExtendedKeyUsage();
            return uses == null || uses.contains(CLIENT_AUTH) || uses.contains(ANY_USE);
        } catch (CertificateParsingException unreadable) {
            return false;
        }
    }

    private static boolean leadsTo(
            List<X509Certificate> authorities, List<X509Certificate> shown, Instant now) {
        if (authorities.isEmpty()) {
            return false;
        }
        try {
            var target = new X509CertSelector();
            target.setCertificate(shown.getFirst());
            var parameters =
                    new PKIXBuilderParameters(
                            authorities.stream()
                                    .map(one -> new TrustAnchor(one, null))
                                    .collect(Collectors.toSet()),
                            target);
            parameters.setRevocationEnabled(false);
            parameters.setDate(Date.from(now));
            parameters.addCertStore(
                    CertStore.getInstance("Collection", new CollectionCertStoreParameters(shown)));
            CertPathBuilder.getInstance("PKIX").build(parameters);
            return true;
        } catch (CertPathBuilderException noPath) {
            return false;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("no certificate paths in this JVM", impossible);
        }
    }
}
