package io.berth.kube.watch;

import io.berth.api.model.Kind;
import io.berth.engine.port.ClusterFeed;
import io.berth.kube.client.ApiClient;
import io.berth.kube.codec.wire.Shared;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.random.RandomGenerator;

/// All watches of a process: one reflector per kind, reporting to one feed. Thread-safe.
public final class ClusterWatch implements AutoCloseable {
    private final List<Reflector> reflectors = new ArrayList<>();

    /// Starts following the kinds.
    public static ClusterWatch start(ApiClient client, Collection<Kind> kinds, ClusterFeed feed) {
        return start(client, kinds, feed, WatchTimes.DEFAULT);
    }

    public static ClusterWatch start(
            ApiClient client, Collection<Kind> kinds, ClusterFeed feed, WatchTimes times) {
        return start(client, kinds, feed, RawKeeper.NONE, times, true);
    }

    /// @param raw keeps objects as JSON
    /// @param streaming whether the first objects are asked for as a stream where the server can do
    ///   that (gate `WatchListClient`)
    public static ClusterWatch start(
            ApiClient client,
            Collection<Kind> kinds,
            ClusterFeed feed,
            RawKeeper raw,
            WatchTimes times,
            boolean streaming) {
        var watch = new ClusterWatch();
        var shared = new Shared();
        for (var kind : kinds) {
            var reflector =
                    new Reflector(
                            client,
                            Resource.of(kind),
                            feed,
                            raw,
                            shared,
                            times,
                            RandomGenerator.of("L64X128MixRandom"));
            watch.reflectors.add(reflector);
            (streaming ? reflector : reflector.listing()).start();
        }
        return watch;
    }

    /// Whether the first complete list of every kind has been delivered.
    public boolean isSynced() {
        return reflectors.stream().allMatch(reflector -> reflector.state().synced());
    }

    public List<WatchState> states() {
        return reflectors.stream().map(Reflector::state).toList();
    }

    @Override
    public void close() {
        reflectors.reversed().forEach(Reflector::close);
    }
}
