package io.berth.e2e;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// What the API server says about the requests it has answered since it started.
final class RequestCounts {
    private final HttpApi admin;

    RequestCounts(HttpApi admin) {
        this.admin = admin;
    }

    /// Requests that were turned away for want of a right. They never reach the handlers that count
    /// requests, so this is what the authorizer counts.
    long forbidden() {
        return sum(line ->
                line.startsWith("authorization_attempts_total{")
                        && !line.contains("result=\"allowed\""));
    }

    /// Pods that were given a node.
    long bindings() {
        return bindings("201");
    }

    /// Bindings of which the API server does not know whether they were written, for example since
    /// etcd did not answer in time.
    long doubtfulBindings() {
        return bindings("5");
    }

    private long bindings(String codePrefix) {
        return sum(line ->
                line.startsWith("apiserver_request_total{")
                        && Stream.of(
                                        "code=\"" + codePrefix,
                                        "resource=\"pods\"",
                                        "subresource=\"binding\"",
                                        "verb=\"POST\"")
                                .allMatch(line::contains));
    }

    /// The same, once it stands still: requests of a scheduler that was killed a moment ago may
    /// still be under way.
    long settledBindings() {
        long[] last = {-1};
        await().atMost(Duration.ofMinutes(1))
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> last[0] == (last[0] = bindings()));
        return last[0];
    }

    /// Of one answer, since a second one would tell of another moment.
    private long sum(Predicate<String> series) {
        String metrics = admin.get("/metrics").body().asText();
        return metrics.lines()
                .filter(series)
                .mapToLong(line ->
                        (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
