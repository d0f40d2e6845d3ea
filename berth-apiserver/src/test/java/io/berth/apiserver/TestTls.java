package io.berth.apiserver;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// TLS for clients without a certificate of their own.
final class TestTls {
    private TestTls() {}

    static SSLContext trusting(EmbeddedApiServer server) {
        try {
            byte[] pem = server.caCertificate().getBytes(StandardCharsets.US_ASCII);
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry(
                    "ca",
                    CertificateFactory.getInstance("X.509")
                            .generateCertificate(new ByteArrayInputStream(pem)));
            var factory =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, factory.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
