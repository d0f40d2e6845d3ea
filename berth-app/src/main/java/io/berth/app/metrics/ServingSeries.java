package io.berth.app.metrics;

import static io.berth.app.metrics.Definition.amounts;
import static io.berth.app.metrics.Definition.counter;
import static io.berth.app.metrics.Definition.durations;
import static io.berth.app.metrics.Definition.gauge;
import static io.berth.app.metrics.Stability.ALPHA;

/// The metrics of the HTTPS port: who asked, and what finding that out took (P-290, P-291). From
/// any thread.
public final class ServingSeries {
    private static final Buckets CHECK = Buckets.exponential(0.001, 2, 15);
    private static final Buckets DELEGATED = Buckets.of(0.25, 0.5, 0.7, 1, 1.5, 3, 5, 10);
    private static final Buckets LOOK_UP =
            Buckets.of(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10);
    private static final Buckets EXPIRATION =
            Buckets.of(
                    0, 1800, 3600, 7200, 21600, 43200, 86400, 172800, 345600, 604800, 2592000,
                    7776000, 15552000, 31104000);

    private final Family<Counter> users;
    private final Family<Counter> authentications;
    private final Family<Histogram> authenticationDuration;
    private final Family<Counter> authorizations;
    private final Family<Histogram> authorizationDuration;
    private final Family<Counter> authnRequests;
    private final Family<Histogram> authnRequestDuration;
    private final Family<Counter> authzRequests;
    private final Family<Histogram> authzRequestDuration;
    private final Family<Counter> cacheRequests;
    private final Family<Histogram> cacheRequestDuration;
    private final Family<Counter> cacheFetches;
    private final Family<Gauge> activeFetches;
    private final Histogram certificateExpiration;

    ServingSeries(Registry registry) {
        users =
                registry.counter(
                        counter(
                                "authenticated_user_requests",
                                ALPHA,
                                "Requests of callers that could be told who they are.",
                                "username"));
        authentications =
                registry.counter(
                        counter(
                                "authentication_attempts",
                                ALPHA,
                                "Attempts to tell who a caller is.",
                                "result"));
        authenticationDuration =
                registry.histogram(
                        durations(
                                "authentication_duration_seconds",
                                ALPHA,
                                "How long it took to tell who a caller is.",
                                CHECK,
                                "result"));
        authorizations =
                registry.counter(
                        counter(
                                "authorization_attempts_total",
                                ALPHA,
                                "Attempts to tell what a caller may do.",
                                "result"));
        authorizationDuration =
                registry.histogram(
                        durations(
                                "authorization_duration_seconds",
                                ALPHA,
                                "How long it took to tell what a caller may do.",
                                CHECK,
                                "result"));
        authnRequests = delegatedRequests(registry, "authn");
        authnRequestDuration = delegatedDuration(registry, "authn");
        authzRequests = delegatedRequests(registry, "authz");
        authzRequestDuration = delegatedDuration(registry, "authz");
        cacheRequests =
                registry.counter(
                        counter(
                                "authentication_token_cache_request_total",
                                ALPHA,
                                "Look-ups of a token in the cache.",
                                "status"));
        cacheRequestDuration =
                registry.histogram(
                        durations(
                                "authentication_token_cache_request_duration_seconds",
                                ALPHA,
                                "How long look-ups of a token took.",
                                LOOK_UP,
                                "status"));
        cacheFetches =
                registry.counter(
                        counter(
                                "authentication_token_cache_fetch_total",
                                ALPHA,
                                "Reviews of a token that was not in the cache.",
                                "status"));
        activeFetches =
                registry.gauge(
                        gauge(
                                "authentication_token_cache_active_fetch_count",
                                ALPHA,
                                "Reviews of a token under way, and who waits for them.",
                                "status"));
        certificateExpiration =
                registry.histogram(
                                amounts(
                                        "apiserver_client_certificate_expiration_seconds",
                                        ALPHA,
                                        "How long the certificates of callers were still good.",
                                        EXPIRATION))
                        .with();
    }

    private static Family<Counter> delegatedRequests(Registry registry, String what) {
        return registry.counter(
                counter(
                        "apiserver_delegated_" + what + "_request_total",
                        ALPHA,
                        "Questions to the API server about a caller, by status.",
                        "code"));
    }

    private static Family<Histogram> delegatedDuration(Registry registry, String what) {
        return registry.histogram(
                durations(
                        "apiserver_delegated_" + what + "_request_duration_seconds",
                        ALPHA,
                        "How long the API server took to answer about a caller.",
                        DELEGATED,
                        "code"));
    }

    /// @param username one of the few that are told apart, or `other`
    public void userAsked(String username) {
        users.with(username).add(1);
    }

    /// @param result `success`, `failure` or `error`
    public void authenticated(String result, long nanos) {
        authentications.with(result).add(1);
        authenticationDuration.with(result).observe(nanos);
    }

    /// @param result `allowed`, `denied`, `no-opinion` or `error`
    public void authorized(String result, long nanos) {
        authorizations.with(result).add(1);
        authorizationDuration.with(result).observe(nanos);
    }

    /// @param code the status, or `<error>`
    public void tokenReviewed(String code, long nanos) {
        authnRequests.with(code).add(1);
        authnRequestDuration.with(code).observe(nanos);
    }

    /// @param code the status, or `<error>`
    public void accessReviewed(String code, long nanos) {
        authzRequests.with(code).add(1);
        authzRequestDuration.with(code).observe(nanos);
    }

    public void tokenLookedUp(boolean isHit, long nanos) {
        String status = isHit ? "hit" : "miss";
        cacheRequests.with(status).add(1);
        cacheRequestDuration.with(status).observe(nanos);
    }

    public void tokenFetched(boolean succeeded) {
        cacheFetches.with(succeeded ? "ok" : "error").add(1);
    }

    /// @param status `blocked` or `in_flight`
    public void fetching(String status, int delta) {
        activeFetches.with(status).add(delta);
    }

    public void clientCertificateSeen(long secondsLeft) {
        certificateExpiration.observe(secondsLeft);
    }
}
