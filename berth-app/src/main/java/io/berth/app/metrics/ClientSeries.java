package io.berth.app.metrics;

import static io.berth.serving.metrics.Definition.amounts;
import static io.berth.serving.metrics.Definition.counter;
import static io.berth.serving.metrics.Definition.durations;
import static io.berth.serving.metrics.Definition.gauge;
import static io.berth.serving.metrics.Stability.ALPHA;

import io.berth.kube.connection.ClientMetrics;
import io.berth.serving.metrics.Buckets;
import io.berth.serving.metrics.Counter;
import io.berth.serving.metrics.Family;
import io.berth.serving.metrics.Gauge;
import io.berth.serving.metrics.Histogram;
import io.berth.serving.metrics.Registry;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The metrics of the clients of the API server (section 10.4 of the process contract). From any
/// thread.
final class ClientSeries implements ClientMetrics {
    private static final Buckets SECONDS =
            Buckets.of(0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60);
    private static final Buckets BYTES =
            Buckets.of(
                    64, 256, 512, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20,
                    16 << 20);
    private static final Buckets AGES =
            Buckets.of(
                    600, 1800, 3600, 14400, 86400, 604800, 2592000, 7776000, 15552000, 31104000,
                    124416000);

    private final Family<Counter> requests;
    private final Family<Histogram> duration;
    private final Family<Histogram> limiter;
    private final Family<Histogram> sent;
    private final Family<Histogram> received;
    private final Family<Counter> retries;
    private final Gauge transports;
    private final Family<Counter> transportsMade;
    private final Family<Counter> execCalls;
    private final Histogram execAge;
    private final Map<Target, OfTarget> targets = new ConcurrentHashMap<>();
    private final Map<Target, Map<String, Counter>> exchanges = new ConcurrentHashMap<>();
    private volatile @Nullable Instant execExpiry;

    private record OfTarget(
            Histogram duration, Histogram limiter, Histogram sent, Histogram received) {}

    ClientSeries(Registry registry) {
        requests =
                registry.counter(
                        counter(
                                "rest_client_requests_total",
                                ALPHA,
                                "HTTP exchanges with the API server, by status.",
                                "code",
                                "host",
                                "method"));
        duration =
                registry.histogram(
                        durations(
                                "rest_client_request_duration_seconds",
                                ALPHA,
                                "How long requests took, retries included.",
                                SECONDS,
                                "host",
                                "verb"));
        limiter =
                registry.histogram(
                        durations(
                                "rest_client_rate_limiter_duration_seconds",
                                ALPHA,
                                "How long requests waited for their turn.",
                                SECONDS,
                                "host",
                                "verb"));
        sent =
                registry.histogram(
                        amounts(
                                "rest_client_request_size_bytes",
                                ALPHA,
                                "The size of requests.",
                                BYTES,
                                "host",
                                "verb"));
        received =
                registry.histogram(
                        amounts(
                                "rest_client_response_size_bytes",
                                ALPHA,
                                "The size of answers.",
                                BYTES,
                                "host",
                                "verb"));
        retries =
                registry.counter(
                        counter(
                                "rest_client_request_retries_total",
                                ALPHA,
                                "Requests that were sent again because the server asked for it.",
                                "code",
                                "host",
                                "verb"));
        transports =
                registry.gauge(
                                gauge(
                                        "rest_client_transport_cache_entries",
                                        ALPHA,
                                        "Clients that have connections of their own."))
                        .with();
        transportsMade =
                registry.counter(
                        counter(
                                "rest_client_transport_create_calls_total",
                                ALPHA,
                                "Clients with connections of their own that were made.",
                                "result"));
        registry.counter(
                counter(
                        "rest_client_transport_ca_reload_total",
                        ALPHA,
                        "Never counted: authorities are read anew with every new connection.",
                        "reason",
                        "result"));
        registry.counter(
                        counter(
                                "rest_client_transport_cert_rotation_gc_calls_total",
                                ALPHA,
                                "Always 0: clients are closed, not collected."))
                .with();
        registry.counter(
                counter(
                        "rest_client_transport_cache_gc_calls_total",
                        ALPHA,
                        "Never counted: clients are closed, not collected.",
                        "result"));
        execCalls =
                registry.counter(
                        counter(
                                "rest_client_exec_plugin_call_total",
                                ALPHA,
                                "Runs of a credential program, by exit status and outcome.",
                                "call_status",
                                "code"));
        execAge =
                registry.histogram(
                                amounts(
                                        "rest_client_exec_plugin_certificate_rotation_age",
                                        ALPHA,
                                        "How old, in seconds, a certificate from a credential"
                                                + " program was when it was replaced.",
                                        AGES))
                        .with();
        registry.computed(
                gauge(
                        "rest_client_exec_plugin_ttl_seconds",
                        ALPHA,
                        "Seconds until the certificate from a credential program expires, negative"
                                + " when it has, +Inf where there is none."),
                sink -> sink.value(secondsLeft()));
    }

    private double secondsLeft() {
        var expiry = execExpiry;
        return expiry == null
                ? Double.POSITIVE_INFINITY
                : Duration.between(Instant.now(), expiry).toMillis() / 1e3;
    }

    private OfTarget of(Target target) {
        return targets.computeIfAbsent(
                target,
                one ->
                        new OfTarget(
                                duration.with(one.host(), one.verb()),
                                limiter.with(one.host(), one.verb()),
                                sent.with(one.host(), one.verb()),
                                received.with(one.host(), one.verb())));
    }

    @Override
    public void exchanged(Target target, String code) {
        exchanges
                .computeIfAbsent(target, _ -> new ConcurrentHashMap<>())
                .computeIfAbsent(code, one -> requests.with(one, target.host(), target.verb()))
                .add(1);
    }

    @Override
    public void requested(Target target, long nanos) {
        of(target).duration.observe(nanos);
    }

    @Override
    public void transferred(Target target, long sentBytes, long receivedBytes) {
        var series = of(target);
        series.sent.observe(sentBytes);
        series.received.observe(receivedBytes);
    }

    @Override
    public void limited(Target target, long nanos) {
        of(target).limiter.observe(nanos);
    }

    @Override
    public void retried(Target target, String code) {
        retries.with(code, target.host(), target.verb()).add(1);
    }

    @Override
    public void transports(int delta) {
        transports.add(delta);
        if (delta > 0) {
            transportsMade.with("uncacheable").add(delta);
        }
    }

    @Override
    public void execRan(int code, ExecOutcome outcome) {
        execCalls.with(outcome.text(), Integer.toString(code)).add(1);
    }

    @Override
    public void execCertificate(@Nullable Instant expiresAt, @Nullable Duration replacedAge) {
        execExpiry = expiresAt;
        if (replacedAge != null) {
            execAge.observe(replacedAge.toSeconds());
        }
    }
}
