package io.berth.serving.auth;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiException;
import io.berth.kube.client.ApiRequest;
import io.berth.kube.connection.ConfigException;
import io.berth.kube.connection.Pem;
import io.berth.serving.tls.ServerLog;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// What the cluster itself says about authentication: the ConfigMap in which the API server
/// publishes whose client certificates and which proxies it trusts. Followed for as long as we run.
///
/// A part that is missing or cannot be read leaves what was known before. Written by one thread of
/// its own, read by many.
final class ClusterAuthentication implements AutoCloseable {
    private static final String NAME = "extension-apiserver-authentication";
    private static final String PATH = "/api/v1/namespaces/kube-system/configmaps";
    private static final Duration LOOKUP_LIMIT = Duration.ofSeconds(10);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    private static final int WATCH_SECONDS = 300;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;

    private final ApiClient client;
    private final ServerLog log;
    private final Thread thread;
    private volatile List<X509Certificate> clientAuthorities = List.of();
    private volatile List<X509Certificate> proxyAuthorities = List.of();
    private volatile RequestHeaderNames headers = RequestHeaderNames.NONE;
    private volatile boolean closed;

    ClusterAuthentication(ApiClient client, ServerLog log) {
        this.client = client;
        this.log = log;
        this.thread =
                Thread.ofPlatform().daemon().name("cluster-authentication").unstarted(this::follow);
    }

    List<X509Certificate> clientAuthorities() {
        return clientAuthorities;
    }

    List<X509Certificate> proxyAuthorities() {
        return proxyAuthorities;
    }

    RequestHeaderNames headers() {
        return headers;
    }

    /// Reads the ConfigMap once. That there is none is no failure.
    ///
    /// @throws ApiException if it cannot be looked up
    void lookUp() {
        try {
            apply(read(client.send(ApiRequest.get(PATH + "/" + NAME).within(LOOKUP_LIMIT)).body()));
        } catch (ApiException trouble) {
            if (trouble.code() == NOT_FOUND) {
                return;
            }
            if (trouble.code() == FORBIDDEN) {
                log.warningLine(
                        "Unable to get configmap/extension-apiserver-authentication in kube-system."
                                + "  Usually fixed by 'kubectl create rolebinding -n kube-system"
                                + " ROLEBINDING_NAME --role=extension-apiserver-authentication-reader"
                                + " --serviceaccount=YOUR_NS:YOUR_SA'");
            }
            throw trouble;
        }
    }

    void start() {
        thread.start();
    }

    private void follow() {
        Duration pause = FIRST_PAUSE;
        while (!closed) {
            try {
                String version = list();
                pause = FIRST_PAUSE;
                watch(version);
            } catch (ApiException | IOException trouble) {
                if (closed) {
                    return;
                }
                log.info(4, "Following the cluster's authentication failed", "err", trouble);
            }
            try {
                double jitter = 1 + RandomGenerator.getDefault().nextDouble();
                Thread.sleep(Duration.ofMillis((long) (pause.toMillis() * jitter)));
            } catch (InterruptedException stop) {
                return;
            }
            pause = pause.multipliedBy(2);
            pause = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
        }
    }

    private static ApiRequest selected() {
        return ApiRequest.get(PATH).with("fieldSelector", "metadata.name=" + NAME);
    }

    private String list() throws IOException {
        JsonNode list = read(client.send(selected()).body());
        list.path("items").forEach(this::apply);
        return list.at("/metadata/resourceVersion").asText();
    }

    private void watch(String version) throws IOException {
        ApiRequest request =
                selected()
                        .with("watch", "true")
                        .with("allowWatchBookmarks", "true")
                        .with("resourceVersion", version)
                        .with("timeoutSeconds", Integer.toString(WATCH_SECONDS));
        try (var stream = client.open(request);
                var lines =
                        new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null && !closed; line = lines.readLine()) {
                JsonNode event = read(line.getBytes(StandardCharsets.UTF_8));
                switch (event.path("type").asText()) {
                    case "ADDED", "MODIFIED" -> apply(event.path("object"));
                    case "ERROR" -> {
                        return;
                    }
                    default -> {
                        // A bookmark, or a deletion, which takes back nothing.
                    }
                }
            }
        }
    }

    private static JsonNode read(byte[] json) {
        try {
            return Reviews.JSON.readTree(json);
        } catch (IOException unreadable) {
            throw new ApiException(
                    ApiException.Failure.BROKEN,
                    "the answer cannot be read: " + unreadable.getMessage(),
                    unreadable);
        }
    }

    private void apply(JsonNode configMap) {
        JsonNode data = configMap.path("data");
        clientAuthorities = certificates(data, "client-ca-file", clientAuthorities);
        proxyAuthorities = certificates(data, "requestheader-client-ca-file", proxyAuthorities);
        try {
            headers =
                    new RequestHeaderNames(
                            names(data, "requestheader-username-headers"),
                            names(data, "requestheader-uid-headers"),
                            names(data, "requestheader-group-headers"),
                            names(data, "requestheader-extra-headers-prefix"),
                            names(data, "requestheader-allowed-names"));
        } catch (IOException unreadable) {
            log.error(unreadable, "configmap/" + NAME + " holds header names that are no list");
        }
    }

    private List<X509Certificate> certificates(
            JsonNode data, String key, List<X509Certificate> known) {
        @Nullable String pem = data.path(key).textValue();
        if (pem == null || pem.isEmpty()) {
            return known;
        }
        try {
            return List.copyOf(
                    Pem.certificates(pem.getBytes(StandardCharsets.UTF_8), "configmap/" + NAME));
        } catch (ConfigException broken) {
            log.error(broken, "Reloading authorities failed, the old ones stay in use", "key", key);
            return known;
        }
    }

    private static List<String> names(JsonNode data, String key) throws IOException {
        String text = data.path(key).asText();
        return text.isEmpty() ? List.of() : Users.texts(Reviews.JSON.readTree(text));
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
