package io.berth.serving.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ServingSettingsTest {
    private static ServingSettings tls(String version, List<String> suites, List<Integer> curves) {
        return ServingSettings.DEFAULT.withTls(new ServingSettings.Tls(version, suites, curves));
    }

    @Test
    @Tag("P-170")
    void defaultsAreThoseOfTheFlags() {
        ServingSettings settings = ServingSettings.DEFAULT;
        assertThat(settings.bindAddress().getHostAddress()).isEqualTo("0.0.0.0");
        assertThat(settings.port()).isEqualTo(10259);
        assertThat(settings.files()).isEqualTo(ServingSettings.Files.NONE);
        assertThat(settings.files().folder()).isEmpty();
        assertThat(settings.files().certificate()).isEmpty();
        assertThat(settings.files().key()).isEmpty();
        assertThat(settings.files().sniPairs()).isEmpty();
        assertThat(settings.tls()).isEqualTo(new ServingSettings.Tls("", List.of(), List.of()));
        assertThat(settings.http2()).isTrue();
        assertThat(settings.maxStreams()).isZero();
        assertThat(settings.sharePort()).isFalse();
        assertThat(settings.shareAddress()).isFalse();
        assertThat(settings.check()).isEmpty();
        assertThat(settings.warnings()).isEmpty();
    }

    @Test
    @Tag("P-51")
    void portMustBeAPort() {
        var address = ServingSettings.DEFAULT.bindAddress();
        assertThat(ServingSettings.DEFAULT.withAddress(address, -1).check())
                .containsExactly(
                        "--secure-port -1 must be between 0 and 65535, inclusive. 0 for turning off"
                                + " secure port");
        assertThat(ServingSettings.DEFAULT.withAddress(address, 65536).check())
                .containsExactly(
                        "--secure-port 65536 must be between 1 and 65535, inclusive. It cannot be"
                                + " turned off with 0");
        assertThat(ServingSettings.DEFAULT.withAddress(address, 0).check()).isEmpty();
    }

    @Nested
    @Tag("P-20")
    final class TlsRules {
        @Test
        void knownNamesAreTaken() {
            List<String> suites =
                    List.of(
                            "TLS_AES_128_GCM_SHA256",
                            "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA",
                            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305");
            var settings = tls("VersionTLS10", suites, List.of(23, 24, 25, 29, 4587, 4588, 4589));
            assertThat(settings.check()).isEmpty();
            assertThat(settings.warnings()).isEmpty();
        }

        @Test
        void insecureSuitesAreTakenWithAWarning() {
            var settings = tls("", List.of("TLS_RSA_WITH_3DES_EDE_CBC_SHA"), List.of());
            assertThat(settings.check()).isEmpty();
            assertThat(settings.warnings())
                    .containsExactly(
                            "Use of insecure cipher 'TLS_RSA_WITH_3DES_EDE_CBC_SHA' detected.");
        }

        @Test
        void unknownNamesAreToldTogether() {
            var settings = tls("VersionTLS9", List.of("TLS_NONE"), List.of(0, 70000, 29, 29, 26));
            assertThat(settings.check())
                    .containsExactly(
                            "unknown tls version \"VersionTLS9\"",
                            "Cipher suite TLS_NONE not supported or doesn't exist",
                            "curve preference 0 is out of range (must be 1-65535)",
                            "curve preference 70000 is out of range (must be 1-65535)",
                            "duplicate curve preference 29",
                            "curve preference 26 is not supported by the current Go version");
        }

        @Test
        void namesAreTranslatedToTheJdks() {
            assertThat(TlsNames.protocols("")).containsExactly("TLSv1.2", "TLSv1.3");
            assertThat(TlsNames.protocols("VersionTLS11"))
                    .containsExactly("TLSv1.1", "TLSv1.2", "TLSv1.3");
            assertThat(
                            TlsNames.suites(
                                    List.of(
                                            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305",
                                            "TLS_RSA_WITH_3DES_EDE_CBC_SHA")))
                    .containsExactly(
                            "TLS_AES_128_GCM_SHA256",
                            "TLS_AES_256_GCM_SHA384",
                            "TLS_CHACHA20_POLY1305_SHA256",
                            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
                            "SSL_RSA_WITH_3DES_EDE_CBC_SHA");
            assertThat(TlsNames.curves(List.of(29, 23))).containsExactly("x25519", "secp256r1");
        }
    }

    @Nested
    @Tag("P-21")
    final class SniPairs {
        @Test
        void holdFilesAndPerhapsNames() {
            assertThat(SniPair.parse("a.crt,a.key"))
                    .isEqualTo(new SniPair(Path.of("a.crt"), Path.of("a.key"), List.of()));
            assertThat(SniPair.parse("a.crt,a.key:*.Example.com,b"))
                    .isEqualTo(
                            new SniPair(
                                    Path.of("a.crt"),
                                    Path.of("a.key"),
                                    List.of("*.example.com", "b")))
                    .hasToString("a.crt,a.key:*.example.com,b");
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "a.crt | expected comma separated certificate and key file paths",
                    "a,b,c | expected comma separated certificate and key file paths",
                    "a.crt:x | expected comma separated certificate and key file paths",
                    "a.crt,a.key: | empty names list is not allowed"
                })
        void areRefusedWhenIncomplete(String value, String message) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> SniPair.parse(value))
                    .withMessage(message);
        }
    }
}
