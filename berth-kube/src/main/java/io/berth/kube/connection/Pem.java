package io.berth.kube.connection;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/// Reads certificates and private keys in PEM form.
///
/// The JDK reads keys in PKCS#8 form only. The older forms `RSA PRIVATE KEY` (PKCS#1) and `EC
/// PRIVATE KEY` (SEC 1) hold the same numbers without the name of the algorithm, so they are put
/// into a PKCS#8 envelope here:
///
/// ```
/// SEQUENCE { INTEGER 0, SEQUENCE { algorithm, parameters }, OCTET STRING { the old form } }
/// ```
public final class Pem {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");
    private static final byte[] VERSION_0 = {0x02, 0x01, 0x00};
    private static final byte[] NULL = {0x05, 0x00};
    private static final byte[] OID_RSA = {
        0x06, 0x09, 0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 0x0d, 0x01, 0x01, 0x01
    };
    private static final byte[] OID_EC = {
        0x06, 0x07, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x02, 0x01
    };
    private static final int SEQUENCE = 0x30;
    private static final int OCTET_STRING = 0x04;
    private static final int CONTEXT_0 = 0xa0;
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

    private Pem() {}

    private record Block(String label, byte[] der) {}

    /// All certificates of a bundle, in order.
    ///
    /// @param origin where the text came from, for the error message
    public static List<X509Certificate> certificates(byte[] pem, String origin) {
        var result = new ArrayList<X509Certificate>();
        for (var block : blocks(pem, origin)) {
            if (block.label.endsWith("CERTIFICATE")) {
                result.add(certificate(block.der, origin));
            }
        }
        if (result.isEmpty()) {
            throw new ConfigException(
                    origin + " holds no certificate: expected a BEGIN CERTIFICATE block");
        }
        return result;
    }

    private static X509Certificate certificate(byte[] der, String origin) {
        try {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509")
                            .generateCertificate(new ByteArrayInputStream(der));
        } catch (CertificateException malformed) {
            throw new ConfigException(
                    origin + " holds a malformed certificate: " + malformed.getMessage(),
                    malformed);
        }
    }

    /// The first private key.
    public static PrivateKey privateKey(byte[] pem, String origin) {
        byte[] curve = null;
        for (var block : blocks(pem, origin)) {
            switch (block.label) {
                case "EC PARAMETERS" -> curve = block.der;
                case "PRIVATE KEY" -> {
                    return fromPkcs8(block.der, origin);
                }
                case "RSA PRIVATE KEY" -> {
                    return fromPkcs8(envelope(join(OID_RSA, NULL), block.der), origin);
                }
                case "EC PRIVATE KEY" -> {
                    byte[] parameters = curve != null ? curve : curveOf(block.der, origin);
                    return fromPkcs8(envelope(join(OID_EC, parameters), block.der), origin);
                }
                case "ENCRYPTED PRIVATE KEY" ->
                        throw new ConfigException(
                                origin + " is encrypted: give a private key without passphrase");
                default -> {
                    // Certificates may stand beside the key.
                }
            }
        }
        throw new ConfigException(
                origin + " holds no private key: expected a BEGIN PRIVATE KEY block");
    }

    /// Whether the key is that of the certificate.
    public static boolean isPair(X509Certificate certificate, PrivateKey key) {
        var open = certificate.getPublicKey();
        if (open instanceof RSAKey publicKey && key instanceof RSAKey privateKey) {
            return publicKey.getModulus().equals(privateKey.getModulus());
        }
        byte[] probe = {1, 2, 3};
        try {
            var signer =
                    Signature.getInstance(
                            key.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "EdDSA");
            signer.initSign(key);
            signer.update(probe);
            byte[] signature = signer.sign();
            signer.initVerify(open);
            signer.update(probe);
            return signer.verify(signature);
        } catch (GeneralSecurityException otherKind) {
            return false;
        }
    }

    private static PrivateKey fromPkcs8(byte[] der, String origin) {
        var spec = new PKCS8EncodedKeySpec(der);
        for (var algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (InvalidKeySpecException otherAlgorithm) {
                // The next one may fit.
            } catch (GeneralSecurityException unsupported) {
                throw new IllegalStateException("no key factory for " + algorithm, unsupported);
            }
        }
        throw new ConfigException(
                origin + " holds a private key that is neither RSA, EC nor EdDSA");
    }

    private static List<Block> blocks(byte[] pem, String origin) {
        var result = new ArrayList<Block>();
        var matcher = BLOCK.matcher(new String(pem, StandardCharsets.ISO_8859_1));
        while (matcher.find()) {
            String body = matcher.group(2);
            if (body.contains("ENCRYPTED")) {
                throw new ConfigException(
                        origin + " is encrypted: give a private key without passphrase");
            }
            try {
                byte[] der = Base64.getMimeDecoder().decode(body.strip());
                result.add(new Block(matcher.group(1), der));
            } catch (IllegalArgumentException notBase64) {
                throw new ConfigException(origin + " is no valid PEM: bad base64", notBase64);
            }
        }
        return result;
    }

    private static byte[] envelope(byte[] algorithm, byte[] key) {
        return tagged(
                SEQUENCE,
                join(VERSION_0, join(tagged(SEQUENCE, algorithm), tagged(OCTET_STRING, key))));
    }

    /// The curve that a SEC 1 key names in its field `[0]`.
    private static byte[] curveOf(byte[] sec1, String origin) {
        int at = header(sec1, 0, origin);
        while (at < sec1.length) {
            int tag = sec1[at] & 0xff;
            int content = header(sec1, at, origin);
            int end = content + length(sec1, at, origin);
            if (tag == CONTEXT_0 && end <= sec1.length) {
                return Arrays.copyOfRange(sec1, content, end);
            }
            at = end;
        }
        throw new ConfigException(origin + " holds an EC key that does not name its curve");
    }

    /// Where the content of the value at `at` begins.
    private static int header(byte[] der, int at, String origin) {
        if (at + 1 >= der.length) {
            throw new ConfigException(origin + " holds a truncated private key");
        }
        int first = der[at + 1] & 0xff;
        return at + 2 + (first < 0x80 ? 0 : first & 0x7f);
    }

    private static int length(byte[] der, int at, String origin) {
        int first = der[at + 1] & 0xff;
        if (first < 0x80) {
            return first;
        }
        int result = 0;
        int end = header(der, at, origin);
        if (end > der.length || end - at > 5) {
            throw new ConfigException(origin + " holds a truncated private key");
        }
        for (int i = at + 2; i < end; i++) {
            result = result << 8 | der[i] & 0xff;
        }
        return result;
    }

    private static byte[] tagged(int tag, byte[] content) {
        var out = new ByteArrayOutputStream();
        out.write(tag);
        if (content.length < 0x80) {
            out.write(content.length);
        } else {
            int bytes = content.length < 0x100 ? 1 : content.length < 0x10000 ? 2 : 3;
            out.write(0x80 | bytes);
            for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
                out.write(content.length >>> shift);
            }
        }
        out.writeBytes(content);
        return out.toByteArray();
    }

    private static byte[] join(byte[] first, byte[] second) {
        byte[] result = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, result, first.length, second.length);
        return result;
    }
}
