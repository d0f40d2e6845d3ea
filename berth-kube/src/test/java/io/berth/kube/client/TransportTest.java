package io.berth.kube.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.kube.connection.Connection;
import io.berth.kube.connection.Credentials;
import io.berth.kube.connection.PemSource;
import io.berth.kube.testing.Certificates;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Certificates that are replaced while we run.
@Tag("P-126")
class TransportTest {
    @TempDir Path directory;
    private final AtomicLong now = new AtomicLong();

    @Test
    void aNewClientCertificateMeansNewConnectionsAfterFiveMinutes() throws Exception {
        var first = Certificates.make(folder("1"), "EC", "DNS:a");
        var second = Certificates.make(folder("2"), "EC", "DNS:b");
        Path chain = Files.writeString(directory.resolve("c.crt"), first.certificatePem());
        Path key = Files.writeString(directory.resolve("c.key"), first.keyPem());
        var own =
                new Credentials.ClientCertificate(
                        new PemSource.InFile(chain, "client-certificate"),
                        new PemSource.InFile(key, "client-key"));
        try (var transport = transport(new Connection.Tls(null, true, null, own))) {
            var before = transport.current();
            Files.writeString(chain, second.certificatePem());
            Files.writeString(key, second.keyPem());
            pass(Duration.ofSeconds(299));
            assertThat(transport.current()).isSameAs(before);
            pass(Duration.ofSeconds(1));
            var after = transport.current();
            assertThat(after).isNotSameAs(before);
            pass(Duration.ofMinutes(5));
            assertThat(transport.current()).isSameAs(after);
        }
    }

    @Test
    void aNewAuthorityIsBelievedAfterFiveMinutes() throws Exception {
        var first = Certificates.make(folder("1"), "EC", "DNS:a");
        var second = Certificates.make(folder("2"), "EC", "DNS:b");
        Path file = Files.writeString(directory.resolve("ca.crt"), first.certificatePem());
        var tls =
                new Connection.Tls(
                        new PemSource.InFile(file, "certificate-authority"), false, null, null);
        try (var transport = transport(tls)) {
            var before = transport.current();
            Files.writeString(file, second.certificatePem());
            pass(Duration.ofMinutes(5));
            assertThat(transport.current()).isNotSameAs(before);
        }
    }

    @Test
    void whatCannotBeReadLeavesTheOldOnesInUse() throws Exception {
        var certificates = Certificates.make(directory, "EC", "DNS:a");
        Path file = Files.writeString(directory.resolve("ca.crt"), certificates.certificatePem());
        var tls =
                new Connection.Tls(
                        new PemSource.InFile(file, "certificate-authority"), false, null, null);
        try (var transport = transport(tls)) {
            var before = transport.current();
            Files.writeString(file, "half a certif");
            pass(Duration.ofMinutes(5));
            assertThat(transport.current()).isSameAs(before);
        }
    }

    private Path folder(String name) throws IOException {
        return Files.createDirectory(directory.resolve(name));
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    private Transport transport(Connection.Tls tls) {
        var connection =
                new Connection(
                        URI.create("https://127.0.0.1:1"), tls, null, Credentials.NONE, Map.of());
        return new Transport(connection, ClientOptions.DEFAULT, now::get);
    }
}
