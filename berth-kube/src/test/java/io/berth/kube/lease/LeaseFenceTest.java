package io.berth.kube.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.handle.ClusterException;
import io.berth.api.handle.Log;
import io.berth.api.model.Pod;
import io.berth.api.write.Write;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiException;
import io.berth.kube.client.ApiRequest;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.client.WriteGate;
import io.berth.kube.connection.ClientMetrics;
import io.berth.kube.connection.Connection;
import io.berth.kube.extender.ExtenderSettings;
import io.berth.kube.extender.HttpExtenders;
import io.berth.kube.testing.Patience;
import io.berth.kube.testing.ScriptedServer;
import io.berth.kube.write.HttpClusterWrites;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A process that lost its lease never writes again.
@Tag("P-225")
class LeaseFenceTest {
    private final TestClock clock = new TestClock();
    private final SharedLease lease = new SharedLease(clock);
    private final SharedLease.Lock lock = lease.new Lock();
    private final LeaderElector elector =
            new LeaderElector(
                    new ElectionSettings(
                            "kube-system", "kube-scheduler", "a", ElectionTimes.DEFAULT, false),
                    lock,
                    clock,
                    new Random(1),
                    ElectionObserver.NONE,
                    event -> {},
                    Log.NONE);
    private final LeaseFence fence = elector.fence();
    private final Pod pod = Pod.builder("ns", "p").uid("u").build();
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (var each : open.reversed()) {
            each.close();
        }
    }

    @Nested
    class TheFence {
        @Test
        void isClosedUntilTheLeaseIsOurs() {
            assertThat(fence.isOpen()).isFalse();
            elector.step();
            assertThat(fence.isOpen()).isTrue();
        }

        @Test
        void letsNoWriteStartAfterTheDeadlineNorLastLongerThanTheLease() {
            elector.step();
            assertThat(fence.writeNanos()).isEqualTo(Duration.ofSeconds(15).toNanos());
            clock.advance(Duration.ofMillis(9_999));
            assertThat(fence.writeNanos()).isEqualTo(Duration.ofMillis(5_001).toNanos());
            clock.advance(Duration.ofMillis(1));
            assertThat(fence.writeNanos()).isZero();
        }

        @Test
        void knowsHowLongAWriteThatHasPassedMayLastEvenAfterItIsClosed() {
            assertThat(fence.leftForWritesSent()).isZero();
            elector.step();
            clock.advance(Duration.ofSeconds(12));
            fence.close();
            assertThat(fence.leftForWritesSent()).isEqualTo(Duration.ofSeconds(3));
            clock.suspend(Duration.ofSeconds(4));
            assertThat(fence.leftForWritesSent()).isZero();
        }

        @Test
        void countsFromWhenTheRenewalWasSentAndNotFromItsAnswer() {
            lock.slow = Duration.ofSeconds(2);
            elector.step();
            assertThat(fence.writeNanos()).isEqualTo(Duration.ofSeconds(13).toNanos());
        }

        @Test
        void opensAgainWhenARenewalSucceedsAfterAll() {
            elector.step();
            clock.advance(Duration.ofSeconds(11));
            assertThat(fence.isOpen()).isFalse();
            elector.step();
            assertThat(elector.phase()).isEqualTo(LeaderElector.Phase.LEADING);
            assertThat(fence.isOpen()).isTrue();
        }

        @Test
        void staysClosedOnceTheLeaseIsLost() {
            elector.step();
            lease.set(new LeaseRecord("b", 15, clock.now(), clock.now(), 1, "", ""));
            elector.step();
            assertThat(fence.isOpen()).isFalse();
            lease.set(new LeaseRecord("a", 15, clock.now(), clock.now(), 0, "", ""));
            elector.step();
            assertThat(fence.isOpen()).isFalse();
        }

        @Test
        void staysClosedAfterARelease() {
            elector.step();
            elector.stop();
            elector.step();
            assertThat(fence.isOpen()).isFalse();
        }

        /// While a machine is suspended the clock that never goes back may stand still.
        @Test
        void isClosedAfterASuspension() {
            elector.step();
            clock.suspend(Duration.ofSeconds(20));
            assertThat(fence.isOpen()).isFalse();
        }

        /// Whole seconds are what others read in the lease.
        @Test
        void countsTheDurationThatOthersKnow() {
            var times =
                    new ElectionTimes(
                            Duration.ofMillis(1_900),
                            Duration.ofMillis(1_500),
                            Duration.ofMillis(200));
            var brief = new LeaseFence(times, clock);
            brief.renewed(clock.nanos(), clock.now().toEpochMilli());
            clock.advance(Duration.ofSeconds(1));
            assertThat(brief.isOpen()).isFalse();
        }
    }

    /// Bindings that are held up on their way until the lease is lost.
    @Nested
    class DelayedBindings {
        /// Stopped for 20 s, as with SIGSTOP: nobody has noticed anything yet when the binding is
        /// sent.
        @Test
        void theFirstWriteAfterAPauseIsRefused() throws Exception {
            elector.step();
            var server = serve((request, answer) -> answer.send(201, "{}"));
            var writes = new HttpClusterWrites(client(server, -1, fence));
            writes.send(new Write.Bind(pod, "n"));
            assertThat(server.requests()).hasSize(1);

            clock.advance(Duration.ofSeconds(20));

            assertThatThrownBy(() -> writes.send(new Write.Bind(pod, "n")))
                    .isInstanceOfSatisfying(
                            ClusterException.class,
                            refused ->
                                    assertThat(refused.kind())
                                            .isEqualTo(ClusterException.Kind.REFUSED))
                    .hasMessageContaining("no longer leads");
            assertThatThrownBy(() -> writes.send(new Write.Delete(pod)))
                    .isInstanceOf(ClusterException.class);
            assertThatThrownBy(() -> writes.send(Write.PatchStatus.of(pod, null, "n")))
                    .isInstanceOf(ClusterException.class);
            assertThat(server.requests()).hasSize(1);
        }

        @Test
        void readingGoesOn() throws Exception {
            var server = serve((request, answer) -> answer.send(200, "{}"));
            assertThat(client(server, -1, fence).send(ApiRequest.get("/version")).text())
                    .isEqualTo("{}");
        }

        /// The rate allows ten writes a second; the lease is lost while the second one waits for
        /// its turn.
        @Test
        void aBindingThatWaitedForItsTurnTooLongIsRefused() throws Exception {
            elector.step();
            var server = serve((request, answer) -> answer.send(201, "{}"));
            var turns = new AtomicInteger();
            ClientMetrics losing =
                    new ClientMetrics() {
                        @Override
                        public void limited(Target target, long nanos) {
                            if (turns.incrementAndGet() == 2) {
                                fence.close();
                            }
                        }
                    };
            var writes = new HttpClusterWrites(client(server, 10, fence, losing));
            writes.send(new Write.Bind(pod, "n"));
            assertThatThrownBy(() -> writes.send(new Write.Bind(pod, "n")))
                    .hasMessageContaining("no longer leads");
            assertThat(server.requests()).hasSize(1);
        }

        /// The server asks to come back later; later we no longer lead.
        @Test
        void aBindingIsNotRepeatedAfterTheLeaseIsLost() throws Exception {
            elector.step();
            var server =
                    serve((request, answer) -> {
                        fence.close();
                        answer.send(429, "{}", "Retry-After", "0");
                    });
            var writes = new HttpClusterWrites(client(server, -1, fence));
            assertThatThrownBy(() -> writes.send(new Write.Bind(pod, "n")))
                    .hasMessageContaining("no longer leads");
            assertThat(server.requests()).hasSize(1);
        }

        /// The lease is lost between the decision to send and the moment when the body is asked
        /// for, as when a connection has to be opened first.
        @Test
        void aBindingWhoseBodyIsAskedForTooLateIsBrokenOff() throws Exception {
            var server = serve((request, answer) -> answer.send(201, "{}"));
            var asked = new AtomicInteger();
            WriteGate closing = () -> asked.getAndIncrement() == 0 ? Patience.LIMIT.toNanos() : 0;
            var client = client(server, -1, closing);
            assertThatThrownBy(() -> client.send(ApiRequest.create("/x", new byte[] {'{', '}'})))
                    .isInstanceOfSatisfying(
                            ApiException.class,
                            failure ->
                                    assertThat(failure.failure())
                                            .isEqualTo(ApiException.Failure.FENCED));
            assertThat(server.requests()).isEmpty();
        }

        /// An extender that binds is told to do so by us.
        @Test
        void anExtenderIsNotToldToBind() throws Exception {
            elector.step();
            var server = serve((request, answer) -> answer.send(200, "{}"));
            var settings =
                    new ExtenderSettings(
                            server.uri().toString(),
                            "",
                            "",
                            "",
                            "bind",
                            1,
                            false,
                            Connection.Tls.DEFAULT,
                            Duration.ofSeconds(10),
                            true,
                            Set.of(),
                            false);
            try (var extenders = new HttpExtenders(List.of(settings), fence)) {
                var extender = extenders.all().getFirst();
                extender.bind(pod, "n");
                clock.advance(Duration.ofSeconds(20));
                assertThatThrownBy(() -> extender.bind(pod, "n"))
                        .hasMessageContaining("no longer leads");
            }
            assertThat(server.requests()).hasSize(1);
        }

        /// A binding that was sent in time is given up before another could take the lease.
        @Test
        void aBindingUnderWayIsAwaitedNoLongerThanTheLease() throws Exception {
            var server = serve((request, answer) -> answer.hang());
            var client = client(server, -1, () -> Duration.ofMillis(300).toNanos());
            assertThatThrownBy(() -> client.send(ApiRequest.create("/x", new byte[] {'{', '}'})))
                    .isInstanceOfSatisfying(
                            ApiException.class,
                            failure ->
                                    assertThat(failure.failure())
                                            .isEqualTo(ApiException.Failure.TIMEOUT));
        }
    }

    private ScriptedServer serve(ScriptedServer.Script script) throws Exception {
        var server = new ScriptedServer(script);
        open.add(server);
        return server;
    }

    private ApiClient client(ScriptedServer server, double qps, WriteGate gate) {
        return client(server, qps, gate, ClientMetrics.NONE);
    }

    private ApiClient client(
            ScriptedServer server, double qps, WriteGate gate, ClientMetrics metrics) {
        var client =
                new ApiClient(
                        Connection.plain(server.uri()),
                        ClientOptions.DEFAULT.withRate(qps, 1),
                        gate,
                        metrics);
        open.add(client);
        return client;
    }
}
