package io.berth.serving.http;

import io.berth.testkit.TrustAnyone;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/// Talks to a server under test, whatever its certificate.
public final class TestClient implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final HttpClient http;
    private final URI base;

    private TestClient(HttpClient http, URI base) {
        this.http = http;
        this.base = base;
    }

    public static TestClient secure(int port) {
        return secure(port, HttpClient.Version.HTTP_2, tls(null, List.of()));
    }

    public static TestClient secure(int port, HttpClient.Version version, SSLContext tls) {
        var http =
                HttpClient.newBuilder()
                        .version(version)
                        .sslContext(tls)
                        .connectTimeout(LIMIT)
                        .build();
        return new TestClient(http, URI.create("https://127.0.0.1:" + port));
    }

    public static TestClient plain(int port) {
        return new TestClient(HttpClient.newHttpClient(), URI.create("http://127.0.0.1:" + port));
    }

    public HttpResponse<String> get(String path, String... headers)
            throws IOException, InterruptedException {
        return send("GET", path, "", headers);
    }

    public HttpResponse<String> send(String method, String path, String body, String... headers)
            throws IOException, InterruptedException {
        var request =
                HttpRequest.newBuilder(URI.create(base + path))
                        .timeout(LIMIT)
                        .method(method, HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /// @param key null for a client without certificate
    public static SSLContext tls(@Nullable PrivateKey key, List<X509Certificate> chain) {
        try {
            KeyManager[] keys = null;
            if (key != null) {
                var store = KeyStore.getInstance("PKCS12");
                store.load(null, null);
                store.setKeyEntry("me", key, new char[0], chain.toArray(Certificate[]::new));
                var factory =
                        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
                factory.init(store, new char[0]);
                keys = factory.getKeyManagers();
            }
            var context = SSLContext.getInstance("TLS");
            context.init(keys, new TrustManager[] {new TrustAnyone()}, null);
            return context;
        } catch (GeneralSecurityException | IOException broken) {
            throw new IllegalStateException(broken);
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
