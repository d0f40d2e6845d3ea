package io.berth.kube.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.kube.testing.Certificates;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Keys in all the forms that tools write them in. The older forms are cut out of the PKCS#8 form
/// that the JDK writes.
class PemTest {
    private static final byte[] PRIME256V1 = {
        0x06, 0x08, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x03, 0x01, 0x07
    };

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC", "Ed25519"})
    void pkcs8KeysAreRead(String algorithm) throws Exception {
        var key = Certificates.newKey(algorithm);
        assertThat(read("PRIVATE KEY", key.getEncoded())).isEqualTo(key);
    }

    @Test
    void pkcs1KeysAreRead() throws Exception {
        var key = Certificates.newKey("RSA");
        assertThat(read("RSA PRIVATE KEY", inner(key.getEncoded()))).isEqualTo(key);
    }

    @Test
    void sec1KeysAreReadWithTheCurveInABlockBefore() throws Exception {
        var key = Certificates.newKey("EC");
        String pem =
                Certificates.pem("EC PARAMETERS", PRIME256V1)
                        + Certificates.pem("EC PRIVATE KEY", inner(key.getEncoded()));
        assertThat(Pem.privateKey(bytes(pem), "test").getEncoded()).isEqualTo(key.getEncoded());
    }

    @Test
    void sec1KeysAreReadWithTheCurveInside() throws Exception {
        var key = Certificates.newKey("EC");
        byte[] bare = inner(key.getEncoded());
        // SEQUENCE { version, key, [0] { curve } }
        byte[] named = Arrays.copyOf(bare, bare.length + 2 + PRIME256V1.length);
        named[1] += (byte) (2 + PRIME256V1.length);
        named[bare.length] = (byte) 0xa0;
        named[bare.length + 1] = (byte) PRIME256V1.length;
        System.arraycopy(PRIME256V1, 0, named, bare.length + 2, PRIME256V1.length);
        assertThat(((java.security.interfaces.ECPrivateKey) read("EC PRIVATE KEY", named)).getS())
                .isEqualTo(((java.security.interfaces.ECPrivateKey) key).getS());
    }

    @Test
    void whatCannotBeUsedIsSaidInOneSentence() {
        assertThatThrownBy(() -> Pem.privateKey(bytes("nothing"), "cfg: client-key"))
                .hasMessage(
                        "cfg: client-key holds no private key: expected a BEGIN PRIVATE KEY block");
        assertThatThrownBy(() -> Pem.certificates(bytes("nothing"), "cfg: ca"))
                .hasMessage("cfg: ca holds no certificate: expected a BEGIN CERTIFICATE block");
        assertThatThrownBy(() -> read("ENCRYPTED PRIVATE KEY", new byte[] {1}))
                .hasMessage("key is encrypted: give a private key without passphrase");
        assertThatThrownBy(() -> read("PRIVATE KEY", new byte[] {1, 2, 3}))
                .hasMessage("key holds a private key that is neither RSA, EC nor EdDSA");
        assertThatThrownBy(() -> read("EC PRIVATE KEY", new byte[] {0x30, 0x01}))
                .isInstanceOf(ConfigException.class);
    }

    private static PrivateKey read(String label, byte[] der) {
        return Pem.privateKey(bytes(Certificates.pem(label, der)), "key");
    }

    /// The content of the octet string that ends a PKCS#8 key.
    private static byte[] inner(byte[] pkcs8) {
        for (int at = 20; at < pkcs8.length - 2; at++) {
            for (int header = 2; header <= 4; header++) {
                boolean fits =
                        pkcs8[at] == 0x04
                                && pkcs8[at + header] == 0x30
                                && lengthAt(pkcs8, at, header) == pkcs8.length - at - header;
                if (fits) {
                    return Arrays.copyOfRange(pkcs8, at + header, pkcs8.length);
                }
            }
        }
        throw new AssertionError("no octet string found");
    }

    private static int lengthAt(byte[] der, int at, int header) {
        if (header == 2) {
            return der[at + 1];
        }
        if ((der[at + 1] & 0xff) != 0x80 + header - 2) {
            return -1;
        }
        return header == 3 ? der[at + 2] & 0xff : (der[at + 2] & 0xff) << 8 | der[at + 3] & 0xff;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
