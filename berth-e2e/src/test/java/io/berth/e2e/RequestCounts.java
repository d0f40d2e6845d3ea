package io.berth.e2e;

import java.util.stream.Stream;

/// What the API server says about the requests it has answered since it started.
final class RequestCounts {
    private final HttpApi admin;

    RequestCounts(HttpApi admin) {
        this.admin = admin;
    }

    /// Requests that were turned away for want of a right.
    long forbidden() {
        return sum("code=\"403\"");
    }

    /// Pods that were given a node.
    long bindings() {
        return sum("code=\"201\"", "resource=\"pods\"", "subresource=\"binding\"", "verb=\"POST\"");
    }

    private long sum(String... labels) {
        String metrics = admin.get("/metrics").body().asText();
        return metrics.lines()
                .filter(line -> line.startsWith("apiserver_request_total{"))
                .filter(line -> Stream.of(labels).allMatch(line::contains))
                .mapToLong(line ->
                        (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
