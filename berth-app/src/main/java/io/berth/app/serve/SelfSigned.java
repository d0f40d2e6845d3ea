package io.berth.app.serve;

import io.berth.app.log.AppLog;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/// A serving certificate of our own making, signed by an authority that is forgotten at once.
///
/// It lasts a year and is not renewed while the process runs, like the original's.
final class SelfSigned {
    private static final String NAME = "kube-scheduler";
    private static final Duration LIFETIME = Duration.ofDays(365);
    private static final int KEY_BITS = 2048;
    private static final int SERIAL_BITS = 63;
    private static final SecureRandom RANDOM = new SecureRandom();

    private SelfSigned() {}

    /// @param certificate leaf and authority, in PEM
    record Texts(String certificate, String key) {
        ServingPair pair() {
            return ServingPair.of(
                    certificate.getBytes(StandardCharsets.UTF_8),
                    key.getBytes(StandardCharsets.UTF_8),
                    "Generated self signed cert",
                    "Generated self signed cert");
        }
    }

    static ServingPair inMemory(InetAddress bindAddress, AppLog log) {
        ServingPair pair = generate(bindAddress, Instant.now()).pair();
        log.line(0, "Generated self-signed cert in-memory");
        return pair;
    }

    /// The pair of an earlier run, or a new one that the next run will find.
    static ServingPair inFolder(Path folder, InetAddress bindAddress, AppLog log) {
        Path certificate = folder.resolve(NAME + ".crt");
        Path key = folder.resolve(NAME + ".key");
        boolean hasCertificate = Files.isReadable(certificate);
        if (hasCertificate != Files.isReadable(key)) {
            throw failed(
                    "error reading "
                            + (hasCertificate ? key : certificate)
                            + ", certificate and key must be supplied as a pair",
                    null);
        }
        if (!hasCertificate) {
            Texts texts = generate(bindAddress, Instant.now());
            try {
                write(certificate, texts.certificate, "rw-r--r--");
                write(key, texts.key, "rw-------");
            } catch (IOException unwritable) {
                throw failed(
                        unwritable.getMessage() + ": " + FileProblems.reason(unwritable),
                        unwritable);
            }
            log.line(0, "Generated self-signed cert (" + certificate + ", " + key + ")");
        }
        return ServingPair.read(certificate, key);
    }

    private static void write(Path file, String text, String permissions) throws IOException {
        Files.createDirectories(
                file.getParent(),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        // Created with its permissions, so that a key is at no time readable by others.
        Files.deleteIfExists(file);
        Files.createFile(
                file,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions)));
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    static Texts generate(InetAddress bindAddress, Instant now) {
        try {
            long stamp = now.getEpochSecond();
            var authorityName = new X500Name("CN=localhost-ca@" + stamp);
            KeyPair authority = newKeys();
            byte[] authorityCertificate =
                    sign(authority(authorityName, authority.getPublic(), now), authority);
            KeyPair leaf = newKeys();
            byte[] leafCertificate =
                    sign(
                            leaf(
                                    authorityName,
                                    new X500Name("CN=localhost@" + stamp),
                                    leaf.getPublic(),
                                    bindAddress,
                                    now),
                            authority);
            return new Texts(
                    pem("CERTIFICATE", leafCertificate) + pem("CERTIFICATE", authorityCertificate),
                    pem("PRIVATE KEY", leaf.getPrivate().getEncoded()));
        } catch (GeneralSecurityException | OperatorCreationException | IOException broken) {
            throw failed(String.valueOf(broken.getMessage()), broken);
        }
    }

    private static X509v3CertificateBuilder authority(X500Name name, PublicKey key, Instant now)
            throws IOException {
        return builder(name, name, key, now)
                .addExtension(Extension.basicConstraints, true, new BasicConstraints(true))
                .addExtension(
                        Extension.keyUsage,
                        true,
                        new KeyUsage(
                                KeyUsage.keyEncipherment
                                        | KeyUsage.digitalSignature
                                        | KeyUsage.keyCertSign))
                .addExtension(
                        Extension.subjectAlternativeName,
                        false,
                        new GeneralNames(
                                new GeneralName(
                                        GeneralName.dNSName,
                                        name.toString().substring("CN=".length()))));
    }

    private static X509v3CertificateBuilder leaf(
            X500Name issuer, X500Name subject, PublicKey key, InetAddress bindAddress, Instant now)
            throws IOException {
        GeneralName bound =
                bindAddress.isAnyLocalAddress()
                        ? new GeneralName(GeneralName.dNSName, "localhost")
                        : new GeneralName(GeneralName.iPAddress, bindAddress.getHostAddress());
        var names =
                new GeneralNames(
                        new GeneralName[] {
                            new GeneralName(GeneralName.iPAddress, "127.0.0.1"),
                            new GeneralName(GeneralName.dNSName, "localhost"),
                            bound
                        });
        return builder(issuer, subject, key, now)
                .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
                .addExtension(
                        Extension.keyUsage,
                        true,
                        new KeyUsage(KeyUsage.keyEncipherment | KeyUsage.digitalSignature))
                .addExtension(
                        Extension.extendedKeyUsage,
                        false,
                        new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth))
                .addExtension(Extension.subjectAlternativeName, false, names);
    }

    private static X509v3CertificateBuilder builder(
            X500Name issuer, X500Name subject, PublicKey key, Instant now) {
        Instant from = now.minus(Duration.ofHours(1));
        return new JcaX509v3CertificateBuilder(
                issuer,
                new BigInteger(SERIAL_BITS, RANDOM).add(BigInteger.ONE),
                Date.from(from),
                Date.from(from.plus(LIFETIME)),
                subject,
                key);
    }

    private static byte[] sign(X509v3CertificateBuilder certificate, KeyPair authority)
            throws OperatorCreationException, IOException {
        var signer = new JcaContentSignerBuilder("SHA256withRSA").build(authority.getPrivate());
        return certificate.build(signer).getEncoded();
    }

    private static KeyPair newKeys() throws GeneralSecurityException {
        var generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(KEY_BITS, RANDOM);
        return generator.generateKeyPair();
    }

    private static String pem(String label, byte[] der) {
        return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n"
                .formatted(label, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der));
    }

    private static ServingException failed(
            String reason, @org.jspecify.annotations.Nullable Throwable cause) {
        return new ServingException("error creating self-signed certificates: " + reason, cause);
    }
}
