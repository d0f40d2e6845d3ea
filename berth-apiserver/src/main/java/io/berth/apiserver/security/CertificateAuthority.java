package io.berth.apiserver.security;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
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
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/// A certificate authority that lives as long as its server: made at start, never written to disk.
public final class CertificateAuthority {
    private static final Duration LIFETIME = Duration.ofDays(365);
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final GeneralNames SERVER_NAMES =
            new GeneralNames(
                    new GeneralName[] {
                        new GeneralName(GeneralName.dNSName, "localhost"),
                        new GeneralName(GeneralName.dNSName, "kubernetes"),
                        new GeneralName(GeneralName.dNSName, "kubernetes.default"),
                        new GeneralName(GeneralName.dNSName, "kubernetes.default.svc"),
                        new GeneralName(GeneralName.iPAddress, "127.0.0.1"),
                        new GeneralName(GeneralName.iPAddress, "::1")
                    });

    private final KeyPair keys;
    private final X509Certificate certificate;

    private CertificateAuthority(KeyPair keys, X509Certificate certificate) {
        this.keys = keys;
        this.certificate = certificate;
    }

    public static CertificateAuthority create() {
        KeyPair keys = newKeys();
        X500Name name = name("berth-ca", List.of());
        return new CertificateAuthority(
                keys, sign(keys, name, name, keys.getPublic(), Purpose.AUTHORITY));
    }

    private enum Purpose {
        AUTHORITY,
        SERVER,
        CLIENT
    }

    /// A certificate for a user, with its key.
    public Identity issueClient(String user, List<String> groups) {
        return issue(name(user, groups), Purpose.CLIENT);
    }

    Identity issueServer() {
        return issue(name("kube-apiserver", List.of()), Purpose.SERVER);
    }

    private Identity issue(X500Name subject, Purpose purpose) {
        KeyPair subjectKeys = newKeys();
        X500Name issuer = name("berth-ca", List.of());
        return new Identity(
                subjectKeys.getPrivate(),
                sign(keys, issuer, subject, subjectKeys.getPublic(), purpose));
    }

    public String pem() {
        try {
            return Pem.encode("CERTIFICATE", certificate.getEncoded());
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException(e);
        }
    }

    /// What a server needs to show its own certificate and to judge those of clients.
    public SSLContext serverContext() {
        return context(issueServer());
    }

    /// What a client needs to trust the server and to show who it is.
    public SSLContext clientContext(String user, List<String> groups) {
        return context(issueClient(user, groups));
    }

    private SSLContext context(Identity identity) {
        try {
            char[] password = new char[0];
            KeyStore own = KeyStore.getInstance("PKCS12");
            own.load(null, null);
            own.setKeyEntry(
                    "own",
                    identity.key(),
                    password,
                    new Certificate[] {identity.certificate(), certificate});
            KeyManagerFactory keyManagers =
                    KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keyManagers.init(own, password);

            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry("ca", certificate);
            TrustManagerFactory trustManagers =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trustManagers.init(trusted);

            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keyManagers.getKeyManagers(), trustManagers.getTrustManagers(), RANDOM);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("cannot set up TLS", e);
        }
    }

    private static KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"), RANDOM);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot make keys", e);
        }
    }

    private static X500Name name(String commonName, List<String> organizations) {
        var builder = new X500NameBuilder(BCStyle.INSTANCE);
        organizations.forEach(o -> builder.addRDN(BCStyle.O, o));
        return builder.addRDN(BCStyle.CN, commonName).build();
    }

    private static X509Certificate sign(
            KeyPair authority, X500Name issuer, X500Name subject, PublicKey key, Purpose purpose) {
        Instant now = Instant.now();
        X509v3CertificateBuilder builder =
                new JcaX509v3CertificateBuilder(
                        issuer,
                        new BigInteger(120, RANDOM).add(BigInteger.ONE),
                        Date.from(now.minus(Duration.ofHours(1))),
                        Date.from(now.plus(LIFETIME)),
                        subject,
                        key);
        try {
            boolean isAuthority = purpose == Purpose.AUTHORITY;
            builder.addExtension(
                    Extension.basicConstraints, true, new BasicConstraints(isAuthority));
            builder.addExtension(
                    Extension.keyUsage,
                    true,
                    new KeyUsage(
                            isAuthority
                                    ? KeyUsage.keyCertSign | KeyUsage.cRLSign
                                    : KeyUsage.digitalSignature));
            if (purpose == Purpose.SERVER) {
                builder.addExtension(Extension.subjectAlternativeName, false, SERVER_NAMES);
            }
            if (!isAuthority) {
                builder.addExtension(
                        Extension.extendedKeyUsage,
                        false,
                        new ExtendedKeyUsage(
                                purpose == Purpose.SERVER
                                        ? KeyPurposeId.id_kp_serverAuth
                                        : KeyPurposeId.id_kp_clientAuth));
            }
            var signer =
                    new JcaContentSignerBuilder("SHA256withECDSA").build(authority.getPrivate());
            return new JcaX509CertificateConverter().getCertificate(builder.build(signer));
        } catch (IOException | OperatorCreationException | GeneralSecurityException e) {
            throw new IllegalStateException("cannot sign a certificate", e);
        }
    }
}
