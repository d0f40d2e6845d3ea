package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.config.ExtenderConfiguration;
import io.berth.config.ExtenderConfiguration.Bytes;
import io.berth.config.ExtenderConfiguration.ManagedResource;
import io.berth.kube.connection.Connection;
import io.berth.kube.connection.PemSource;
import io.berth.kube.extender.ExtenderSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What becomes of an extender in the configuration.
@Tag("E-142")
final class ExtenderConversionTest {
    private static ExtenderSettings converted(Optional<ExtenderConfiguration.Tls> tls) {
        return ExtenderConversion.settings(
                        List.of(
                                new ExtenderConfiguration(
                                        "http://x/",
                                        "f",
                                        "pre",
                                        "prio",
                                        7,
                                        "b",
                                        true,
                                        tls,
                                        Duration.ofSeconds(3),
                                        true,
                                        List.of(new ManagedResource("a.com/x", true)),
                                        true)))
                .getFirst();
    }

    @Test
    void everythingIsHandedOn() {
        assertThat(converted(Optional.empty()))
                .isEqualTo(
                        new ExtenderSettings(
                                "http://x/",
                                "f",
                                "prio",
                                "pre",
                                "b",
                                7,
                                true,
                                Connection.Tls.DEFAULT,
                                Duration.ofSeconds(3),
                                true,
                                Set.of("a.com/x"),
                                true));
    }

    @Test
    @Tag("E-144")
    void dataWinsOverFiles() {
        var tls =
                converted(
                                Optional.of(
                                        new ExtenderConfiguration.Tls(
                                                true,
                                                "name",
                                                "c.crt",
                                                "c.key",
                                                "ca.crt",
                                                Bytes.NONE,
                                                Bytes.NONE,
                                                new Bytes("Y2E="))))
                        .tls();
        assertThat(tls.insecure()).isTrue();
        assertThat(tls.serverName()).isEqualTo("name");
        assertThat(tls.authorities())
                .isInstanceOfSatisfying(
                        PemSource.Inline.class,
                        inline -> assertThat(inline.content()).asString().isEqualTo("ca"));
        assertThat(tls.certificate())
                .isNotNull()
                .satisfies(own ->
                        assertThat(own.key())
                                .isEqualTo(
                                        new PemSource.InFile(
                                                Path.of("c.key"), "tlsConfig.keyFile")));
    }
}
