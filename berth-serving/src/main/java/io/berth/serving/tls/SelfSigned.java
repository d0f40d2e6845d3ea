package io.berth.serving.tls;

import io.berth.config.text.FileProblems;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
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
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/// A serving certificate of our own making, signed by an authority that is forgotten at once.
///
/// It lasts a year and is not renewed while the process runs, like the original's.
///
/// Its keys are elliptic where the port's cipher suites allow it: making two RSA keys takes a JVM
/// that has compiled nothing yet more than a second of CPU, most of it in the compiler.
public final class SelfSigned {
    private static final String NAME = "kube-scheduler";
    private static final Duration LIFETIME = Duration.ofDays(365);
    private static final int SERIAL_BITS = 63;
    private static final SecureRandom RANDOM = new SecureRandom();

    private SelfSigned() {}

    /// What keys are made of.
    public enum KeyKind {
        ELLIPTIC("EC", new ECGenParameterSpec("secp256r1"), "SHA256withECDSA"),
        RSA("RSA", new RSAKeyGenParameterSpec(2048, RSAKeyGenParameterSpec.F4), "SHA256withRSA");

        private final String algorithm;

        @SuppressWarnings("ImmutableEnumChecker") // neither of the two can be changed
        private final AlgorithmParameterSpec size;

        private final String signature;

        KeyKind(String algorithm, AlgorithmParameterSpec size, String signature) {
            this.algorithm = algorithm;
            this.size = size;
            this.signature = signature;
        }

        /// What clients of a port can use that offers these cipher suites.
        ///
        /// @param suites names for TLS 1.2 and older; empty for all that are safe
        static KeyKind servedBy(List<String> suites) {
            boolean isElliptic =
                    suites.isEmpty() || suites.stream().anyMatch(name -> name.contains("_ECDSA_"));
            return isElliptic ? ELLIPTIC : RSA;
        }

        private KeyPair newKeys() throws GeneralSecurityException {
            var generator = KeyPairGenerator.getInstance(algorithm);
            generator.initialize(size, RANDOM);
            return generator.generateKeyPair();
        }
    }

    /// For whom a pair is.
    public record Wish(InetAddress bindAddress, KeyKind kind) {
        static Wish of(ServingSettings settings) {
            return new Wish(
                    settings.bindAddress(), KeyKind.servedBy(settings.tls().cipherSuites()));
        }
    }

    public static ServingPair inMemory(Wish wish, ServerLog log) {
        ServingPair pair = generate(wish, Instant.now());
        log.line(0, "Generated self-signed cert in-memory");
        return pair;
    }

    /// The pair of an earlier run, or a new one that the next run will find.
    public static ServingPair inFolder(Path folder, Wish wish, ServerLog log) {
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
            ServingPair pair = generate(wish, Instant.now());
            try {
                if (Files.exists(folder) && !Files.isDirectory(folder)) {
                    throw new NotDirectoryException(folder.toString());
                }
                write(certificate, pem(pair.chain()), "rw-r--r--");
                write(key, pem("PRIVATE KEY", pair.key().getEncoded()), "rw-------");
            } catch (CertificateEncodingException broken) {
                throw failed(String.valueOf(broken.getMessage()), broken);
            } catch (IOException unwritable) {
                throw failed(FileProblems.text("write", folder, unwritable), unwritable);
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

    public static ServingPair generate(Wish wish, Instant now) {
        try {
            long stamp = now.getEpochSecond();
            var authorityName = new X500Name("CN=localhost-ca@" + stamp);
            KeyPair authority = wish.kind.newKeys();
            KeyPair leaf = wish.kind.newKeys();
            var subject = new X500Name("CN=localhost@" + stamp);
            var signer =
                    new JcaContentSignerBuilder(wish.kind.signature).build(authority.getPrivate());
            return new ServingPair(
                    List.of(
                            signed(
                                    leaf(
                                            authorityName,
                                            subject,
                                            leaf.getPublic(),
                                            wish.bindAddress,
                                            now),
                                    signer),
                            signed(authority(authorityName, authority.getPublic(), now), signer)),
                    leaf.getPrivate());
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

    private static X509Certificate signed(
            X509v3CertificateBuilder certificate, ContentSigner signer)
            throws GeneralSecurityException, IOException {
        byte[] encoded = certificate.build(signer).getEncoded();
        return (X509Certificate)
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(new ByteArrayInputStream(encoded));
    }

    private static String pem(List<X509Certificate> chain) throws CertificateEncodingException {
        var text = new StringBuilder();
        for (X509Certificate certificate : chain) {
            text.append(pem("CERTIFICATE", certificate.getEncoded()));
        }
        return text.toString();
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
