package io.berth.e2e;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/// A certificate authority that lives as long as a test run: it signs for servers on loopback and
/// for Kubernetes users, whose name is the common name and whose groups are the organizations.
final class CertificateAuthority {
    private static final Duration VALIDITY = Duration.ofDays(2);
    private static final char[] NO_PASSWORD = new char[0];

    private final Credentials self;

    private CertificateAuthority(Credentials self) {
        this.self = self;
    }

    /// A certificate with its private key.
    record Credentials(X509Certificate certificate, PrivateKey key) {
        String certificatePem() {
            return pem(certificate);
        }

        String keyPem() {
            try {
                return pem(new JcaPKCS8Generator(key, null));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    static CertificateAuthority create(String name) {
        KeyPair keys = newKeyPair();
        X500Name subject = subject(name, List.of());
        var request = new Request(subject, subject, keys, keys.getPrivate());
        X509Certificate certificate =
                request.sign(builder -> {
                    builder.addExtension(
                            Extension.basicConstraints, true, new BasicConstraints(true));
                    builder.addExtension(
                            Extension.keyUsage,
                            true,
                            new KeyUsage(KeyUsage.keyCertSign | KeyUsage.digitalSignature));
                });
        return new CertificateAuthority(new Credentials(certificate, keys.getPrivate()));
    }

    String certificatePem() {
        return self.certificatePem();
    }

    /// What a Kubernetes user shows to the API server.
    Credentials user(String name, List<String> groups) {
        return issue(subject(name, groups), KeyPurposeId.id_kp_clientAuth, List.of());
    }

    /// What a server shows on 127.0.0.1 and under the given names.
    Credentials server(String... dnsNames) {
        var names = new ArrayList<GeneralName>();
        names.add(new GeneralName(GeneralName.iPAddress, "127.0.0.1"));
        names.add(new GeneralName(GeneralName.dNSName, "localhost"));
        for (String dnsName : dnsNames) {
            names.add(new GeneralName(GeneralName.dNSName, dnsName));
        }
        return issue(subject("127.0.0.1", List.of()), KeyPurposeId.id_kp_serverAuth, names);
    }

    /// TLS settings that trust this authority and show no certificate.
    SSLContext trusting() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust().getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("cannot set up TLS", e);
        }
    }

    private TrustManagerFactory trust() throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("ca", self.certificate());
        var trustManagers =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trustManagers.init(trusted);
        return trustManagers;
    }

    /// TLS settings that trust this authority and show the given certificate.
    SSLContext tlsFor(Credentials client) {
        try {
            KeyStore identity = KeyStore.getInstance("PKCS12");
            identity.load(null, null);
            identity.setKeyEntry(
                    "client",
                    client.key(),
                    NO_PASSWORD,
                    new X509Certificate[] {client.certificate()});
            var keyManagers =
                    KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keyManagers.init(identity, NO_PASSWORD);

            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keyManagers.getKeyManagers(), trust().getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("cannot set up TLS", e);
        }
    }

    /// A fresh pair for signing tokens: the private key and the public key, both as PEM.
    static KeyPem newSigningKey() {
        KeyPair keys = newKeyPair();
        try {
            return new KeyPem(
                    pem(new JcaPKCS8Generator(keys.getPrivate(), null)), pem(keys.getPublic()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    record KeyPem(String privateKey, String publicKey) {}

    private Credentials issue(X500Name subject, KeyPurposeId purpose, List<GeneralName> names) {
        KeyPair keys = newKeyPair();
        var issuer =
                X500Name.getInstance(self.certificate().getSubjectX500Principal().getEncoded());
        X509Certificate certificate =
                new Request(issuer, subject, keys, self.key())
                        .sign(builder -> {
                            builder.addExtension(
                                    Extension.extendedKeyUsage,
                                    false,
                                    new ExtendedKeyUsage(purpose));
                            if (!names.isEmpty()) {
                                builder.addExtension(
                                        Extension.subjectAlternativeName,
                                        false,
                                        new GeneralNames(names.toArray(GeneralName[]::new)));
                            }
                        });
        return new Credentials(certificate, keys.getPrivate());
    }

    private record Request(X500Name issuer, X500Name subject, KeyPair keys, PrivateKey signer) {
        X509Certificate sign(Extensions extensions) {
            Instant now = Instant.now();
            var builder =
                    new JcaX509v3CertificateBuilder(
                            issuer,
                            new BigInteger(120, new SecureRandom()),
                            // Clocks of neighbours may be a little behind.
                            Date.from(now.minus(Duration.ofMinutes(5))),
                            Date.from(now.plus(VALIDITY)),
                            subject,
                            keys.getPublic());
            try {
                extensions.addTo(builder);
                var contentSigner = new JcaContentSignerBuilder("SHA256withECDSA").build(signer);
                return new JcaX509CertificateConverter()
                        .getCertificate(builder.build(contentSigner));
            } catch (IOException | OperatorCreationException | GeneralSecurityException e) {
                throw new IllegalStateException("cannot sign a certificate for " + subject, e);
            }
        }
    }

    private interface Extensions {
        void addTo(JcaX509v3CertificateBuilder builder) throws IOException;
    }

    private static X500Name subject(String name, List<String> groups) {
        var builder = new X500NameBuilder(BCStyle.INSTANCE);
        groups.forEach(group -> builder.addRDN(BCStyle.O, group));
        return builder.addRDN(BCStyle.CN, name).build();
    }

    private static KeyPair newKeyPair() {
        try {
            var generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK makes no EC keys", e);
        }
    }

    private static String pem(Object object) {
        var text = new StringWriter();
        try (var writer = new JcaPEMWriter(text)) {
            writer.writeObject(object);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }
}
