package io.berth.serving.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class AuthenticationSettingsTest {
    @Test
    @Tag("P-210")
    void defaultsAreThoseOfTheFlags() {
        AuthenticationSettings settings = AuthenticationSettings.DEFAULT;
        assertThat(settings.kubeconfig()).isEmpty();
        assertThat(settings.skipLookup()).isFalse();
        assertThat(settings.tokenTtl()).isEqualTo(Duration.ofSeconds(10));
        assertThat(settings.tolerateLookupFailure()).isTrue();
        assertThat(settings.clientCaFile()).isEmpty();
        assertThat(settings.requestHeader())
                .isEqualTo(
                        new AuthenticationSettings.RequestHeader(
                                Optional.empty(),
                                List.of(),
                                List.of("x-remote-user"),
                                List.of(),
                                List.of("x-remote-group"),
                                List.of("x-remote-extra-")));
        assertThat(settings.check(true)).isEmpty();
        assertThat(settings.warnings()).isEmpty();
    }

    @Test
    @Tag("P-51")
    void headerFlagsAreChecked() {
        var settings =
                withHeaders(
                        new AuthenticationSettings.RequestHeader(
                                Optional.empty(),
                                List.of(""),
                                List.of(" "),
                                List.of("X-Uid"),
                                List.of("X-Group"),
                                List.of("X-Extra-", "")));
        assertThat(settings.check(false))
                .containsExactly(
                        "empty value in \"requestheader-username-headers\"",
                        "empty value in \"requestheader-extra-headers-prefix\"",
                        "empty value in \"requestheader-allowed-names\"",
                        "--requestheader-uid-headers requires the \"RemoteRequestHeaderUID\""
                                + " feature to be enabled",
                        "--requestheader-uid-headers is set without specifying the standard"
                                + " X-Remote-Uid header - API aggregation will not work");
        assertThat(settings.warnings())
                .containsExactly(
                        "--requestheader-username-headers is set without specifying the standard"
                                + " X-Remote-User header - API aggregation will not work",
                        "--requestheader-group-headers is set without specifying the standard"
                                + " X-Remote-Group header - API aggregation will not work",
                        "--requestheader-extra-headers-prefix is set without specifying the"
                                + " standard X-Remote-Extra- header prefix - API aggregation will not"
                                + " work");
    }

    /// Settings that differ in nothing but the headers of proxies.
    static AuthenticationSettings withHeaders(AuthenticationSettings.RequestHeader headers) {
        return new AuthenticationSettings(
                Optional.empty(), true, Duration.ofSeconds(10), true, Optional.empty(), headers);
    }
}
