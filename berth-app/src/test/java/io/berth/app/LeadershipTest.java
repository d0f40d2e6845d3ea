package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.api.handle.Cycle;
import io.berth.api.handle.Handle;
import io.berth.api.handle.Log;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Arguments;
import io.berth.api.plugin.EnabledPlugin;
import io.berth.api.plugin.Plugin;
import io.berth.api.plugin.PluginFactory;
import io.berth.api.plugin.PreBind;
import io.berth.api.spec.PodSpec;
import io.berth.api.verdict.PreBindVerdict;
import io.berth.apiserver.EmbeddedApiServer;
import io.berth.engine.EngineSettings;
import io.berth.engine.framework.ProfileSettings;
import io.berth.engine.framework.Registry;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiRequest;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.connection.Connection;
import io.berth.kube.connection.KubeConfig;
import io.berth.kube.lease.ElectionObserver;
import io.berth.kube.lease.ElectionSettings;
import io.berth.kube.lease.ElectionTimes;
import io.berth.kube.lease.HttpLeaseLock;
import io.berth.kube.lease.LeaseRecord;
import io.berth.plugins.InTree;
import io.berth.testkit.NotedLog;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Several schedulers on one cluster.
@Timeout(300)
class LeadershipTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /// Outlasts a test, whatever else the machine does.
    private static final ElectionTimes LASTING =
            new ElectionTimes(
                    Duration.ofMinutes(10), Duration.ofMinutes(9), Duration.ofMillis(500));

    private static final ElectionTimes SHORT =
            new ElectionTimes(Duration.ofSeconds(4), Duration.ofSeconds(3), Duration.ofMillis(500));

    @TempDir Path directory;
    private final EmbeddedApiServer server =
            EmbeddedApiServer.start(EmbeddedApiServer.Options.DEFAULT);
    private final List<AutoCloseable> open = new ArrayList<>();
    private Connection connection = Connection.plain(URI.create("http://localhost"));
    private ApiClient client = new ApiClient(connection, ClientOptions.DEFAULT);

    @BeforeEach
    void startServer() throws Exception {
        open.add(server);
        var kubeconfig = Files.writeString(directory.resolve("k"), server.kubeconfig());
        connection = KubeConfig.load(kubeconfig).connection("");
        client = new ApiClient(connection, ClientOptions.DEFAULT);
        open.add(client);
        create(
                "/api/v1/nodes",
                """
                {"metadata": {"name": "node-1"}, "status": {
                  "allocatable": {"cpu": "400", "memory": "80Gi", "pods": "1000"},
                  "conditions": [{"type": "Ready", "status": "True"}]}}
                """);
    }

    @AfterEach
    void closeAll() throws Exception {
        for (var each : open.reversed()) {
            each.close();
        }
    }

    @Test
    @Tag("P-230")
    @Tag("P-231")
    @Tag("P-252")
    void whoStopsLetsTheNextOneTakeOverAtOnce() throws Exception {
        var a = scheduler("a", List.of());
        await().atMost(PATIENCE).until(a::isLeader);
        var b = scheduler("b", List.of());
        await().atMost(PATIENCE).until(b::isSynced);
        createPod("first");
        awaitBound("first");
        assertThat(b.isLeader()).isFalse();

        a.close();
        createPod("second");
        awaitBound("second");

        assertThat(b.isLeader()).isTrue();
        assertThat(a.isLeader()).as("it is a latch").isTrue();
        assertThat(lease().holder()).isEqualTo("b");
        assertThat(lease().transitions()).isEqualTo(1);
    }

    @Test
    @Tag("P-156")
    @Tag("P-226")
    @Tag("P-259")
    void theLeaseTellsWhoLed() throws Exception {
        var a = scheduler("a", List.of());
        await().atMost(PATIENCE).until(a::isLeader);
        a.close();
        String events = client.send(ApiRequest.get("/api/v1/namespaces/kube-system/events")).text();
        assertThat(events)
                .contains("a became leader", "a stopped leading", "\"reason\":\"LeaderElection\"");
    }

    /// A binding that is held up on its way: when it comes to be sent, another process leads.
    @Test
    @Tag("P-225")
    @Tag("P-253")
    void aBindingThatIsDelayedUntilTheLeaseIsLostIsNeverSent() throws Exception {
        var delay = new Delay();
        var a = scheduler("a", List.of(delay));
        var lost = new AtomicBoolean();
        a.whenLost(how -> lost.set(how == Loss.TAKEN));
        createPod("delayed");
        assertThat(delay.reached.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

        take("b");
        await().atMost(PATIENCE).untilTrue(lost);
        delay.mayGoOn.countDown();
        await().atMost(PATIENCE).untilTrue(delay.done);
        a.close();
        assertThat(node("delayed")).isEmpty();
        assertThat(lease().holder()).isEqualTo("b");

        // Nobody renews b's lease, so a third one takes over after its duration.
        scheduler(connection, election("c", false, SHORT), List.of());
        awaitBound("delayed");
    }

    /// A binding that is held up until the server has been away for too long and the next life of
    /// the process has taken the lease back, under the same name.
    @Test
    @Tag("P-232")
    @Tag("P-253")
    void aBindingOfALifeThatEndedIsNeverSentInTheNext() throws Exception {
        var delay = new Delay(1);
        var log = new NotedLog(-1);
        var stop = new StopSignal(() -> {});
        try (var front = new RecordingFront(server.uri(), server.clientTls());
                var way = new Way(front.uri().getPort())) {
            var plain = Connection.plain(URI.create("http://127.0.0.1:" + way.uri().getPort()));
            var setup =
                    withPlugins(Setup.of(plain, ClientOptions.DEFAULT, Log.NONE), List.of(delay));
            var metrics = AboutProcess.metrics(setup);
            var election = Optional.of(election("a", false, SHORT));
            try (var lives =
                    new Lives(
                            () -> Wiring.build(setup, election, metrics, log, _ -> {}),
                            stop,
                            () -> {},
                            log)) {
                var living = Thread.ofPlatform().start(() -> run(lives));
                createPod("delayed");
                assertThat(delay.reached.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
                way.cut();
                var first = lives.current();
                await().atMost(PATIENCE).until(() -> lives.current() != first);
                way.restore();
                awaitBound("delayed");

                delay.mayGoOn.countDown();
                await().atMost(PATIENCE)
                        .until(() -> log.sentences().contains("Failed to bind pod"));
                createPod("afterwards");
                awaitBound("afterwards");
                assertThat(
                                front.requests().stream()
                                        .filter(RecordingFront.Request::isAboutObjects)
                                        .filter(request ->
                                                request.resource().equals("pods/binding"))
                                        .map(RecordingFront.Request::name))
                        .containsExactly("delayed", "afterwards");
                stop.ask();
                assertThat(living.join(PATIENCE)).isTrue();
            }
        }
    }

    private static void run(Lives lives) {
        try {
            lives.follow();
            lives.run();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    @Tag("P-253")
    void aBindingThatWasSentIsAwaited() throws Exception {
        var delay = new Delay();
        var a = scheduler("a", List.of(delay));
        createPod("slow");
        assertThat(delay.reached.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        var closing = Thread.ofVirtual().start(a::close);
        assertThat(closing.join(Duration.ofMillis(200))).isFalse();
        assertThat(lease().holder()).as("kept until the binding is done").isEqualTo("a");
        delay.mayGoOn.countDown();
        assertThat(closing.join(PATIENCE)).isTrue();
        assertThat(node("slow")).isEqualTo("node-1");
        assertThat(lease().holder()).isEmpty();
    }

    @Test
    @Tag("P-139")
    void cachesThatAreDelayedStayEmptyUntilItLeads() throws Exception {
        take("other");
        var a = scheduler(connection, election("a", true, LASTING), List.of());
        createPod("p");
        await().atMost(PATIENCE).during(Duration.ofSeconds(1)).until(() -> a.watches().isEmpty());
        assertThat(a.isSynced()).isFalse();
        // Whoever it was gives it up.
        take("");
        awaitBound("p");
        assertThat(a.isSynced()).isTrue();
    }

    @Test
    @Tag("P-255")
    void whoIsStoppedBeforeItHasSeenTheClusterEndsAtOnce() throws Exception {
        var nowhere = connection.withServer(URI.create("https://127.0.0.1:1"));
        var a = scheduler(nowhere, election("a", false, LASTING), List.of());
        var closing = Thread.ofVirtual().start(a::close);
        assertThat(closing.join(PATIENCE)).isTrue();
        assertThat(a.isLeader()).isFalse();
    }

    /// Holds up bindings.
    private static final class Delay implements PluginFactory {
        private final AtomicInteger left;
        final CountDownLatch reached = new CountDownLatch(1);
        final CountDownLatch mayGoOn = new CountDownLatch(1);
        final AtomicBoolean done = new AtomicBoolean();

        /// All of them.
        Delay() {
            this(Integer.MAX_VALUE);
        }

        /// So many.
        Delay(int count) {
            this.left = new AtomicInteger(count);
        }

        @Override
        public String name() {
            return "Delay";
        }

        @Override
        public Plugin create(Arguments arguments, Handle handle) {
            return new PreBind() {
                @Override
                public String name() {
                    return "Delay";
                }

                @Override
                public PreBindVerdict preBind(Cycle cycle, Pod pod, String nodeName) {
                    if (left.getAndDecrement() > 0) {
                        hold();
                    }
                    return PreBindVerdict.PASS;
                }
            };
        }

        private void hold() {
            reached.countDown();
            try {
                mayGoOn.await();
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            }
            done.set(true);
        }
    }

    private Wiring scheduler(String identity, List<PluginFactory> more) {
        return scheduler(connection, election(identity, false, LASTING), more);
    }

    private Wiring scheduler(Connection to, Election election, List<PluginFactory> more) {
        var setup = withPlugins(Setup.of(to, ClientOptions.DEFAULT, Log.NONE), more);
        var scheduler =
                Wiring.build(
                                setup,
                                Optional.of(election),
                                AboutProcess.metrics(setup),
                                Log.NONE,
                                _ -> {})
                        .start();
        open.add(scheduler);
        return scheduler;
    }

    private static Setup withPlugins(Setup setup, List<PluginFactory> more) {
        var enabled = new ArrayList<>(InTree.defaults());
        more.forEach(factory -> enabled.add(EnabledPlugin.of(factory.name())));
        setup.registry().merge(Registry.of(more));
        return new Setup(
                setup.options(),
                setup.configuration(),
                setup.connection(),
                setup.client(),
                EngineSettings.of(List.of(ProfileSettings.of(PodSpec.DEFAULT_SCHEDULER, enabled)))
                        .awaiting(Set.of(Kind.POD, Kind.NODE, Kind.NAMESPACE)),
                setup.registry());
    }

    private static Election election(String identity, boolean delayed, ElectionTimes times) {
        return new Election(
                new ElectionSettings("kube-system", "kube-scheduler", identity, times, false),
                "default-scheduler",
                delayed,
                "1.36.0",
                ElectionObserver.NONE);
    }

    /// Takes the lease away by force.
    private void take(String holder) {
        var lock = new HttpLeaseLock(client, "kube-system", "kube-scheduler");
        var limit = PATIENCE;
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> {
                    var known = lock.read(limit);
                    var now = Instant.now();
                    var taken =
                            new LeaseRecord(
                                    holder,
                                    4,
                                    now,
                                    now,
                                    known.map(LeaseRecord::transitions).orElse(0) + 1,
                                    "",
                                    "");
                    if (known.isEmpty()) {
                        lock.create(taken, limit);
                    } else {
                        lock.update(taken, limit);
                    }
                    return true;
                });
    }

    private LeaseRecord lease() {
        return new HttpLeaseLock(client, "kube-system", "kube-scheduler")
                .read(PATIENCE)
                .orElseThrow();
    }

    private void createPod(String name) {
        create(
                "/api/v1/namespaces/default/pods",
                "{\"metadata\": {\"name\": \""
                        + name
                        + "\"}, \"spec\": {\"containers\": [{\"name\": \"c\", \"image\": \"i\"}]}}");
    }

    private void create(String path, String body) {
        client.send(ApiRequest.create(path, body.getBytes(StandardCharsets.UTF_8)));
    }

    private void awaitBound(String pod) {
        await().atMost(PATIENCE).until(() -> node(pod).equals("node-1"));
    }

    private String node(String pod) {
        String text = client.send(ApiRequest.get("/api/v1/namespaces/default/pods/" + pod)).text();
        return text.contains("\"nodeName\":\"node-1\"") ? "node-1" : "";
    }
}
