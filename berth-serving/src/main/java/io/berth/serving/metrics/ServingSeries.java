package io.berth.serving.metrics;

import static io.berth.serving.metrics.Definition.amounts;
import static io.berth.serving.metrics.Definition.counter;
import static io.berth.serving.metrics.Definition.durations;
import static io.berth.serving.metrics.Definition.gauge;
import static io.berth.serving.metrics.Stability.ALPHA;

import io.berth.serving.auth.AuthObserver;
import io.berth.serving.http.User;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;

/// The metrics of the HTTPS port: who asked, and what finding that out took (P-290, P-291). From
/// any thread.
public final class ServingSeries implements AuthObserver {
    private static final Buckets CHECK = Buckets.exponential(0.001, 2, 15);
    private static final Buckets DELEGATED = Buckets.of(0.25, 0.5, 0.7, 1, 1.5, 3, 5, 10);
    private static final Buckets LOOK_UP =
            Buckets.of(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10);
    private static final Buckets EXPIRATION =
            Buckets.of(
                    0, 1800, 3600, 7200, 21600, 43200, 86400, 172800, 345600, 604800, 2592000,
                    7776000, 15552000, 31104000);

    private static final Set<String> KNOWN_USERS =
            Set.of(
                    "admin",
                    "client",
                    "kube_proxy",
                    "kubelet",
                    "system:serviceaccount:kube-system:default");

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
    private final Histogram certificateExpiration;

    public ServingSeries(Registry registry) {
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
        registry.counter(
                counter(
                        "authentication_token_cache_fetch_total",
                        ALPHA,
                        "Never counted: see apiserver_delegated_authn_request_total.",
                        "status"));
        registry.gauge(
                gauge(
                        "authentication_token_cache_active_fetch_count",
                        ALPHA,
                        "Never set: see apiserver_delegated_authn_request_total.",
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

    @Override
    public void recognised(User user) {
        users.with(told(user.name())).add(1);
    }

    /// Few names are told apart, so that strangers cannot make any number of series.
    public static String told(String username) {
        if (KNOWN_USERS.contains(username)) {
            return username;
        }
        return username.contains("@") ? "email_id" : "other";
    }

    @Override
    public void authenticated(Outcome outcome, Duration took) {
        authentications.with(text(outcome)).add(1);
        authenticationDuration.with(text(outcome)).observe(took.toNanos());
    }

    @Override
    public void authorized(Outcome outcome, Duration took) {
        authorizations.with(text(outcome)).add(1);
        authorizationDuration.with(text(outcome)).observe(took.toNanos());
    }

    private static String text(Outcome outcome) {
        return outcome.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public void tokenReviewed(String code, Duration took) {
        authnRequests.with(code).add(1);
        authnRequestDuration.with(code).observe(took.toNanos());
    }

    @Override
    public void accessReviewed(String code, Duration took) {
        authzRequests.with(code).add(1);
        authzRequestDuration.with(code).observe(took.toNanos());
    }

    @Override
    public void tokenLookedUp(boolean hit, Duration took) {
        String status = hit ? "hit" : "miss";
        cacheRequests.with(status).add(1);
        cacheRequestDuration.with(status).observe(took.toNanos());
    }

    @Override
    public void certificateShown(Duration remaining) {
        certificateExpiration.observe(remaining.toSeconds());
    }
}
