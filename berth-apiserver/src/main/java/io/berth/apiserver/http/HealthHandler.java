package io.berth.apiserver.http;

import java.io.IOException;
import java.util.List;
import java.util.Set;

/// `/healthz`, `/livez` and `/readyz`. The server has no parts that could fail on their own, so it
/// is well whenever it answers.
final class HealthHandler {
    private static final Set<String> ENDPOINTS = Set.of("healthz", "livez", "readyz");
    private static final List<String> CHECKS = List.of("ping", "log", "etcd");

    private HealthHandler() {}

    static boolean serves(List<String> segments) {
        return !segments.isEmpty()
                && ENDPOINTS.contains(segments.getFirst())
                && (segments.size() == 1
                        || (segments.size() == 2 && CHECKS.contains(segments.get(1))));
    }

    static void handle(Exchange exchange, List<String> segments) throws IOException {
        if (segments.size() == 1 && exchange.hasQuery("verbose")) {
            var text = new StringBuilder();
            CHECKS.forEach(check -> text.append("[+]").append(check).append(" ok\n"));
            text.append(segments.getFirst()).append(" check passed\n");
            exchange.respondText(200, text.toString());
        } else {
            exchange.respondText(200, "ok");
        }
    }
}
