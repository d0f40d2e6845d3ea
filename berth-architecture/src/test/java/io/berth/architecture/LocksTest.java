package io.berth.architecture;

import static java.util.Map.entry;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Who takes locks. Work crosses from one owner to another as a message; a new lock is a decision,
/// and comes with a line here that says what it guards.
final class LocksTest {
    private static final String ENGINE = "berth-engine";

    private static final Map<String, String> TAKERS =
            Map.ofEntries(
                    entry("io.berth.apiserver.discovery.OpenApi", "documents, made once"),
                    entry("io.berth.apiserver.store.ChangeLog", "the log; watches wait in it"),
                    entry("io.berth.apiserver.store.Store", "objects, counter and history"),
                    entry("io.berth.app.Caches", "the watches and whether they were started"),
                    entry("io.berth.app.Leadership", "the elector, started and closed once"),
                    entry("io.berth.app.Lives", "the main thread waits for news of a life"),
                    entry(
                            "io.berth.controllers.client.KubeClient",
                            "at most so many calls at once"),
                    entry("io.berth.controllers.informer.Cache", "the objects and their indexes"),
                    entry("io.berth.controllers.loop.WorkQueue", "the keys; workers wait in it"),
                    entry("io.berth.serving.auth.ExpiringCache", "the answers"),
                    entry("io.berth.app.log.SplitSink", "the buffer"),
                    entry("io.berth.serving.metrics.Family", "series that are being made"),
                    entry("io.berth.serving.http.Entrance", "who makes room for whom"),
                    entry("io.berth.serving.http.JettyCalls", "calls at work, awaited at the end"),
                    entry("io.berth.up.ClusterPicture", "the picture"),
                    entry("io.berth.up.Creation", "at most so many writes at once"),
                    entry("io.berth.up.LineDisplay", "the order of lines"),
                    entry("io.berth.up.ScreenDisplay", "lines of the log"),
                    entry("io.berth.up.SimulatedKubelet", "at most so many writes at once"),
                    entry("io.berth.bench.load.Asker", "the answers so far"),
                    entry("io.berth.bench.load.BindingWatch", "what was seen; the trial waits"),
                    entry("io.berth.bench.load.NullScheduler", "at most so many writes at once"),
                    entry("io.berth.bench.stress.BusyServer", "its chance"),
                    entry("io.berth.e2e.ChildProcess", "the process, started and stopped"),
                    entry("io.berth.e2e.Guardian", "the order of lines"),
                    entry("io.berth.e2e.flood.Bindings", "what was seen; the flood waits"),
                    entry("io.berth.kube.client.ApiClient", "at most so many requests at once"),
                    entry("io.berth.kube.connection.ExecCredentials", "the grant"),
                    entry("io.berth.kube.client.RateLimiter", "the bucket, for a few lines"),
                    entry("io.berth.kube.client.StreamGuard", "the open streams"),
                    entry("io.berth.kube.connection.TokenFile", "the token"),
                    entry("io.berth.kube.client.Transport", "the connections in use"),
                    entry("io.berth.kube.watch.Reflector", "its thread, started and ended"),
                    entry("io.berth.kube.write.EventRecorder", "at most so many writes at once"),
                    entry("io.berth.sim.time.Strands", "whose turn it is"),
                    entry("io.berth.testkit.Progress", "the count, for a few lines"));

    /// The engine's own list, which is stricter, is in its own `LocksTest`.
    @Test
    void onlyTheNamedClassesTakeLocks() {
        var takers =
                Rooms.names().stream()
                        .filter(room -> !room.equals(ENGINE))
                        .flatMap(room -> Locks.takers(Rooms.classes(room)))
                        .collect(toCollection(TreeSet::new));
        assertThat(takers).containsExactlyInAnyOrderElementsOf(TAKERS.keySet());
    }
}
