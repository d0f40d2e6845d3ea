package io.berth.serving.http;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/// Signs certificates for tests.
public final class TestAuthority {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final X500Name name;
    private final KeyPair keys = newKeys();
    private final X509Certificate certificate;

    public TestAuthority(String name) {
        this.name = new X500Name("CN=" + name);
        this.certificate = sign(this.name, keys, null, Instant.now().plus(Duration.ofDays(1)));
    }

    /// A certificate with its key.
    public record Issued(X509Certificate certificate, PrivateKey key) {
        public String certificatePem() {
            return pem("CERTIFICATE", encoded(certificate));
        }

        public String keyPem() {
            return pem("PRIVATE KEY", key.getEncoded());
        }

        /// Writes both files.
        public void write(Path certificateFile, Path keyFile) throws IOException {
            Files.writeString(certificateFile, certificatePem());
            Files.writeString(keyFile, keyPem());
        }
    }

    public X509Certificate certificate() {
        return certificate;
    }

    public String pem() {
        return pem("CERTIFICATE", encoded(certificate));
    }

    /// @param subject such as `O=admins,CN=jane`
    public Issued client(String subject) {
        return issue(subject, KeyPurposeId.id_kp_clientAuth, Instant.now().plusSeconds(86400));
    }

    public Issued expiredClient(String subject) {
        return issue(subject, KeyPurposeId.id_kp_clientAuth, Instant.now().minusSeconds(60));
    }

    public Issued server(String subject, String... names) {
        return issue(
                subject, KeyPurposeId.id_kp_serverAuth, Instant.now().plusSeconds(86400), names);
    }

    private Issued issue(
            String subject, KeyPurposeId purpose, Instant until, String... serverNames) {
        KeyPair own = newKeys();
        return new Issued(
                sign(new X500Name(subject), own, purpose, until, serverNames), own.getPrivate());
    }

    private X509Certificate sign(
            X500Name subject,
            KeyPair own,
            @org.jspecify.annotations.Nullable KeyPurposeId purpose,
            Instant until,
            String... names) {
        try {
            var builder =
                    new JcaX509v3CertificateBuilder(
                            name,
                            new BigInteger(63, RANDOM),
                            Date.from(Instant.now().minus(Duration.ofHours(1))),
                            Date.from(until),
                            subject,
                            own.getPublic());
            builder.addExtension(
                    Extension.basicConstraints, true, new BasicConstraints(purpose == null));
            if (purpose != null) {
                builder.addExtension(
                        Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose));
            }
            if (names.length > 0) {
                builder.addExtension(
                        Extension.subjectAlternativeName,
                        false,
                        new GeneralNames(
                                Arrays.stream(names)
                                        .map(one -> new GeneralName(GeneralName.dNSName, one))
                                        .toArray(GeneralName[]::new)));
            }
            var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate());
            return new JcaX509CertificateConverter().getCertificate(builder.build(signer));
        } catch (IOException | OperatorCreationException | GeneralSecurityException broken) {
            throw new IllegalStateException(broken);
        }
    }

    private static KeyPair newKeys() {
        try {
            var generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(256, RANDOM);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException broken) {
            throw new IllegalStateException(broken);
        }
    }

    private static byte[] encoded(X509Certificate certificate) {
        try {
            return certificate.getEncoded();
        } catch (GeneralSecurityException broken) {
            throw new IllegalStateException(broken);
        }
    }

    private static String pem(String label, byte[] der) {
        return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n"
                .formatted(label, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der));
    }
}
