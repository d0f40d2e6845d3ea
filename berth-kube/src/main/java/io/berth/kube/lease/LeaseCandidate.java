package io.berth.kube.lease;

import io.berth.api.handle.Log;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiException;
import io.berth.kube.client.ApiRequest;
import io.berth.kube.client.ApiStream;
import io.berth.kube.connection.ConfigException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Offers this process to the API server for coordinated election (P-240).
///
/// A LeaseCandidate object says that we are there and which version we are. It is renewed every
/// five minutes, and at once when the server asks for a sign of life by setting its `pingTime`.
/// Runs on a virtual thread from [#start] until [#close].
public final class LeaseCandidate implements AutoCloseable {
    private static final String STRATEGY = "OldestEmulationVersion";
    private static final Duration RENEW = Duration.ofMinutes(5);
    private static final Duration SLACK = Duration.ofSeconds(15);
    private static final long FIRST_PAUSE_MILLIS = 200;
    private static final long LAST_PAUSE_MILLIS = 30_000;

    /// Who offers itself for what.
    ///
    /// @param binaryVersion three numbers, such as `1.36.4`
    public record Offer(
            String namespace,
            String identity,
            String leaseName,
            String binaryVersion,
            String emulationVersion) {}

    private final ApiClient client;
    private final Offer offer;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Log log;
    private final Thread thread;
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean synced;
    private volatile @Nullable ApiStream stream;

    public LeaseCandidate(
            ApiClient client, Offer offer, InstantSource clock, RandomGenerator random, Log log) {
        this.client = client;
        this.offer = offer;
        this.clock = clock;
        this.random = random;
        this.log = log;
        this.thread = Thread.ofVirtual().name("lease-candidate").unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    /// The readiness check `informer-sync`: whether our candidate has been seen.
    public boolean isSynced() {
        return synced;
    }

    private void run() {
        long pause = FIRST_PAUSE_MILLIS;
        while (!closed.get()) {
            try {
                var candidate = ensure();
                synced = true;
                pause = FIRST_PAUSE_MILLIS;
                follow(candidate);
            } catch (ApiException | ConfigException | IOException trouble) {
                if (!closed.get()) {
                    log.error(trouble, "Ensuring lease failed", "candidate", offer.identity());
                    sleep(pause + random.nextLong(pause));
                    pause = Math.min(2 * pause, LAST_PAUSE_MILLIS);
                }
            }
        }
    }

    /// Creates the candidate, or renews the one that is there.
    private Map<String, @Nullable Object> ensure() throws IOException {
        Map<String, @Nullable Object> known;
        try {
            known = JsonTree.parse(client.send(ApiRequest.get(path())).body());
        } catch (ApiException failure) {
            if (failure.code() != 404) {
                throw failure;
            }
            log.info(2, "Creating lease candidate");
            var made = client.send(ApiRequest.create(collection(), JsonTree.bytes(candidate())));
            log.info(2, "Created lease candidate");
            return JsonTree.parse(made.body());
        }
        return renew(known);
    }

    private Map<String, @Nullable Object> renew(Map<String, @Nullable Object> known)
            throws IOException {
        log.info(2, "Lease candidate exists. Renewing.");
        JsonTree.child(known, "spec").put("renewTime", MicroTime.text(clock.instant()));
        return JsonTree.parse(client.send(ApiRequest.put(path(), JsonTree.bytes(known))).body());
    }

    /// Waits for pings until the next renewal is due.
    private void follow(Map<String, @Nullable Object> candidate) throws IOException {
        String version = JsonTree.text(JsonTree.child(candidate, "metadata"), "resourceVersion");
        var request =
                ApiRequest.get(collection())
                        .with("watch", "true")
                        .with("fieldSelector", "metadata.name=" + offer.identity())
                        .with("resourceVersion", version)
                        .with("timeoutSeconds", Long.toString(RENEW.toSeconds()));
        try (var body = client.open(request)) {
            stream = body;
            if (closed.get()) {
                return;
            }
            body.limitSilence(RENEW.plus(SLACK));
            var lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                var event = JsonTree.parse(line.getBytes(StandardCharsets.UTF_8));
                if (!JsonTree.text(event, "type").equals("MODIFIED")) {
                    // Deleted, or the watch is at its end: see what there is.
                    return;
                }
                var object = JsonTree.child(event, "object");
                if (isPinged(object)) {
                    renew(object);
                }
            }
        } finally {
            stream = null;
        }
    }

    private static boolean isPinged(Map<String, @Nullable Object> candidate) {
        var spec = JsonTree.child(candidate, "spec");
        var pinged = MicroTime.parse(JsonTree.text(spec, "pingTime"));
        var renewed = MicroTime.parse(JsonTree.text(spec, "renewTime"));
        return pinged != null && (renewed == null || pinged.isAfter(renewed));
    }

    private Map<String, @Nullable Object> candidate() {
        var object = new LinkedHashMap<String, @Nullable Object>();
        object.put("apiVersion", "coordination.k8s.io/v1beta1");
        object.put("kind", "LeaseCandidate");
        object.put("metadata", Map.of("name", offer.identity(), "namespace", offer.namespace()));
        var spec = JsonTree.child(object, "spec");
        spec.put("leaseName", offer.leaseName());
        spec.put("binaryVersion", offer.binaryVersion());
        spec.put("emulationVersion", offer.emulationVersion());
        spec.put("strategy", STRATEGY);
        spec.put("renewTime", MicroTime.text(clock.instant()));
        return object;
    }

    private String collection() {
        return "/apis/coordination.k8s.io/v1beta1/namespaces/"
                + offer.namespace()
                + "/leasecandidates";
    }

    private String path() {
        return collection() + "/" + offer.identity();
    }

    private void sleep(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            closed.set(true);
        }
    }

    @Override
    public void close() {
        closed.set(true);
        var open = stream;
        if (open != null) {
            open.close();
        }
        thread.interrupt();
    }
}
