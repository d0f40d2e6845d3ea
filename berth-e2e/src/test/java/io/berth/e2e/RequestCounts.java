package io.berth.e2e;

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
        return sum("authorization_attempts_total{")
                - sum("authorization_attempts_total{", "result=\"allowed\"");
    }

    /// Pods that were given a node.
    long bindings() {
        return sum(
                "apiserver_request_total{",
                "code=\"201\"",
                "resource=\"pods\"",
                "subresource=\"binding\"",
                "verb=\"POST\"");
    }

    private long sum(String name, String... labels) {
        String metrics = admin.get("/metrics").body().asText();
        return metrics.lines()
                .filter(line -> line.startsWith(name))
                .filter(line -> Stream.of(labels).allMatch(line::contains))
                .mapToLong(line ->
                        (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
