package io.berth.tools.page;

import io.berth.api.model.Kind;
import io.berth.app.explain.LiveState;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiException;
import io.berth.kube.client.ApiRequest;
import io.berth.kube.connection.ConfigException;
import io.berth.kube.watch.ClusterWatch;
import io.berth.lab.explain.ExplainException;
import io.berth.tools.cluster.ClusterAccess;
import io.berth.ui.WatchedCluster;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/// A cluster that is followed through its API server, with the rights of whoever looks.
final class FollowedCluster implements AutoCloseable {
    /// Without these there is nothing to see.
    private static final Map<Kind, String> NEEDED =
            Map.of(Kind.NODE, "/api/v1/nodes", Kind.POD, "/api/v1/pods");

    private final ApiClient client;
    private final ClusterWatch watch;
    private final WatchedCluster seen;
    private final String title;

    private FollowedCluster(
            ApiClient client, ClusterWatch watch, WatchedCluster seen, String title) {
        this.client = client;
        this.watch = watch;
        this.seen = seen;
        this.title = title;
    }

    /// @throws ExplainException where pods and nodes may not be listed, or nobody answers
    static FollowedCluster follow(ClusterAccess access, Set<Kind> kinds) {
        try {
            var client = access.client("ui");
            try {
                NEEDED.values().forEach(path -> check(client, path));
            } catch (ExplainException refused) {
                client.close();
                throw refused;
            }
            var seen = new WatchedCluster();
            var wanted = new TreeSet<>(kinds);
            wanted.addAll(NEEDED.keySet());
            return new FollowedCluster(
                    client,
                    ClusterWatch.start(client, wanted, seen),
                    seen,
                    access.context().isEmpty() ? "cluster" : access.context());
        } catch (ConfigException unusable) {
            throw new ExplainException(String.valueOf(unusable.getMessage()), unusable);
        }
    }

    private static void check(ApiClient client, String path) {
        try {
            client.send(ApiRequest.get(path + "?limit=1"));
        } catch (ApiException refused) {
            throw new ExplainException(
                    "cannot read %s from the cluster at %s: %s"
                            .formatted(path, client.server(), refused.getMessage()),
                    refused);
        }
    }

    String title() {
        return title;
    }

    /// What there is, once all of it was told.
    CompletableFuture<LiveState> state() {
        return seen.knows(NEEDED.keySet())
                ? CompletableFuture.completedFuture(LiveState.of(seen.image()))
                : CompletableFuture.failedFuture(
                        new IllegalStateException("it is still being read"));
    }

    @Override
    public void close() {
        watch.close();
        client.close();
    }
}
