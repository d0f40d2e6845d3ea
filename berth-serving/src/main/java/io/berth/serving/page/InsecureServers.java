package io.berth.serving.page;

import io.berth.serving.http.HandlerChain;
import io.berth.serving.http.HttpServer;
import io.berth.serving.http.ListenSocket;
import io.berth.serving.http.Mux;
import io.berth.serving.tls.ServerLog;
import io.berth.serving.tls.ServingException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The plain HTTP ports of 1.20 to 1.22: health, and metrics on the same port or on one of their
/// own. They ask nobody who they are.
public final class InsecureServers implements AutoCloseable {
    private final List<HttpServer> servers = new ArrayList<>();

    private InsecureServers() {}

    /// @throws ServingException if a port cannot be had
    public static InsecureServers start(
            InsecureSettings settings,
            SchedulerPages.Health health,
            SchedulerPages.Metrics metrics,
            SchedulerPages.Debug debug,
            SchedulerPages.About about,
            ServerLog log) {
        var started = new InsecureServers();
        Optional<InetSocketAddress> separate = settings.metricsAddress();
        try {
            settings.healthzAddress()
                    .ifPresent(address ->
                            started.serve(
                                    "healthz",
                                    address,
                                    SchedulerPages.insecureHealth(
                                            health,
                                            separate.isEmpty()
                                                    ? Optional.of(metrics)
                                                    : Optional.empty(),
                                            debug,
                                            about,
                                            log),
                                    log));
            separate.ifPresent(address ->
                    started.serve(
                            "metrics",
                            address,
                            SchedulerPages.insecureMetrics(metrics, debug, about),
                            log));
        } catch (ServingException refused) {
            started.close();
            throw refused;
        }
        return started;
    }

    private void serve(String what, InetSocketAddress address, Mux pages, ServerLog log) {
        try {
            var socket = ListenSocket.bind(address.getAddress(), address.getPort(), false, false);
            servers.add(HttpServer.insecure(socket, HandlerChain.insecure(pages, log), log));
        } catch (ServingException refused) {
            throw new ServingException(
                    "failed to start " + what + " server: " + refused.getMessage(), refused);
        }
    }

    List<HttpServer> servers() {
        return List.copyOf(servers);
    }

    @Override
    public void close() {
        servers.reversed().forEach(HttpServer::close);
    }
}
