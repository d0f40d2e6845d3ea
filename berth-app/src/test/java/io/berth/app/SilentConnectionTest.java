package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.apiserver.EmbeddedApiServer;
import io.berth.engine.port.ClusterFeed;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiRequest;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.connection.KubeConfig;
import io.berth.kube.watch.ClusterWatch;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A connection whose other end has vanished without a word: packets go nowhere, none come back.
@Timeout(300)
class SilentConnectionTest {
    @TempDir Path directory;

    @Test
    @Tag("P-127")
    void aWatchOnADeadConnectionMovesToANewOne() throws Exception {
        try (var server = EmbeddedApiServer.start(EmbeddedApiServer.Options.DEFAULT);
                var way = new Way(server.port())) {
            var direct =
                    KubeConfig.load(Files.writeString(directory.resolve("k"), server.kubeconfig()))
                            .connection("");
            var options =
                    ClientOptions.DEFAULT.withHealth(Duration.ofMillis(500), Duration.ofSeconds(1));
            var feed = new Names();
            try (var writer = new ApiClient(direct, ClientOptions.DEFAULT);
                    var client = new ApiClient(direct.withServer(way.uri()), options);
                    var watch = ClusterWatch.start(client, Set.of(Kind.NAMESPACE), feed)) {
                await().atMost(RunningScheduler.PATIENCE).until(watch::isSynced);
                way.swallow();
                writer.send(
                        ApiRequest.create(
                                "/api/v1/namespaces",
                                "{\"metadata\":{\"name\":\"late\"}}"
                                        .getBytes(StandardCharsets.UTF_8)));
                await().atMost(RunningScheduler.PATIENCE).until(() -> feed.names.contains("late"));
                assertThat(way.opened).hasValueGreaterThan(1);
            }
        }
    }

    private static final class Names implements ClusterFeed {
        final List<String> names = new CopyOnWriteArrayList<>();

        @Override
        public void seen(ClusterObject object) {
            names.add(object.name());
        }

        @Override
        public void gone(Kind kind, String namespace, String name) {}

        @Override
        public void synced(Kind kind) {}
    }
}
