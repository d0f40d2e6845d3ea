package io.berth.serving.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.serving.http.NotedServerLog;
import io.berth.serving.tls.SelfSigned.KeyKind;
import io.berth.serving.tls.SelfSigned.Wish;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SelfSignedTest {
    private final NotedServerLog log = new NotedServerLog(0);
    @TempDir private Path folder;

    @Test
    @Tag("P-172")
    void pairHasTheFormOfTheOriginal() throws Exception {
        Instant now = Instant.ofEpochSecond(1_794_786_498);
        ServingPair pair = SelfSigned.generate(wish("10.1.2.3", KeyKind.RSA), now);

        assertThat(pair.chain()).hasSize(2);
        var leaf = pair.leaf();
        var authority = pair.chain().get(1);
        assertThat(leaf.getSubjectX500Principal().getName()).isEqualTo("CN=localhost@1794786498");
        assertThat(authority.getSubjectX500Principal().getName())
                .isEqualTo("CN=localhost-ca@1794786498");
        assertThat(((RSAPublicKey) leaf.getPublicKey()).getModulus().bitLength()).isEqualTo(2048);
        assertThat(((RSAPublicKey) authority.getPublicKey()).getModulus().bitLength())
                .isEqualTo(2048);
        leaf.verify(authority.getPublicKey());
        Instant from = now.minus(Duration.ofHours(1));
        assertThat(leaf.getNotBefore()).isEqualTo(from);
        assertThat(leaf.getNotAfter()).isEqualTo(from.plus(Duration.ofDays(365)));
        assertThat(leaf.getSubjectAlternativeNames())
                .containsExactly(
                        List.of(7, "127.0.0.1"), List.of(2, "localhost"), List.of(7, "10.1.2.3"));
        assertThat(leaf.getKeyUsage()).startsWith(true, false, true, false);
        assertThat(leaf.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
        assertThat(leaf.getSerialNumber()).isNotEqualTo(authority.getSerialNumber());
    }

    @Test
    @Tag("P-172")
    void keysAreEllipticWhereTheSuitesAllowIt() throws Exception {
        ServingPair pair = SelfSigned.generate(wish("10.1.2.3", KeyKind.ELLIPTIC), Instant.now());
        assertThat(pair.key().getAlgorithm()).isEqualTo("EC");
        pair.leaf().verify(pair.chain().get(1).getPublicKey());

        assertThat(KeyKind.servedBy(List.of())).isEqualTo(KeyKind.ELLIPTIC);
        assertThat(
                        KeyKind.servedBy(
                                List.of(
                                        "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
                                        "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256")))
                .isEqualTo(KeyKind.ELLIPTIC);
        assertThat(KeyKind.servedBy(List.of("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256")))
                .isEqualTo(KeyKind.RSA);
    }

    @Test
    @Tag("P-172")
    void unspecifiedAddressAddsLocalhostAgain() throws Exception {
        var pair = SelfSigned.generate(Wish.of(ServingSettings.DEFAULT), Instant.now());
        assertThat(pair.leaf().getSubjectAlternativeNames())
                .containsExactly(
                        List.of(7, "127.0.0.1"), List.of(2, "localhost"), List.of(2, "localhost"));
    }

    @Test
    @Tag("P-171")
    void folderKeepsThePairForTheNextRun() throws Exception {
        Path certificates = folder.resolve("pki");
        Wish wish = wish("127.0.0.1", KeyKind.ELLIPTIC);

        ServingPair first = SelfSigned.inFolder(certificates, wish, log);
        ServingPair second = SelfSigned.inFolder(certificates, wish, log);

        assertThat(second).isEqualTo(first);
        Path certificate = certificates.resolve("kube-scheduler.crt");
        Path key = certificates.resolve("kube-scheduler.key");
        assertThat(log.lines())
                .containsExactly(
                        "I0 Generated self-signed cert (" + certificate + ", " + key + ")");
        assertThat(permissions(certificate)).isEqualTo("rw-r--r--");
        assertThat(permissions(key)).isEqualTo("rw-------");
        assertThat(permissions(certificates)).isEqualTo("rwxr-xr-x");
    }

    @Test
    @Tag("P-51")
    void halfAPairInTheFolderIsRefused() throws Exception {
        Path key = folder.resolve("kube-scheduler.key");
        Files.writeString(folder.resolve("kube-scheduler.crt"), "x");
        Wish wish = wish("127.0.0.1", KeyKind.ELLIPTIC);
        assertThatThrownBy(() -> SelfSigned.inFolder(folder, wish, log))
                .isInstanceOf(ServingException.class)
                .hasMessage(
                        "error creating self-signed certificates: error reading "
                                + key
                                + ", certificate and key must be supplied as a pair");
    }

    private static Wish wish(String address, KeyKind kind) throws Exception {
        return new Wish(InetAddress.getByName(address), kind);
    }

    private static String permissions(Path file) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }
}
