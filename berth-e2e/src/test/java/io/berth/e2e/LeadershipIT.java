package io.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.e2e.HttpApi.Response;
import io.berth.e2e.fixture.Objects;
import io.berth.e2e.fixture.PackagedScheduler;
import io.berth.e2e.fixture.RealControlPlane;
import io.berth.e2e.fixture.Thorough;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Several schedulers and one lease, on a real control plane that may be away for a while.
@Thorough
@PackagedScheduler
@RealControlPlane
final class LeadershipIT {
    /// For a machine that has other things to do.
    private static final Duration SLACK = Duration.ofSeconds(30);

    private static final Duration LEASE = Duration.ofSeconds(4);
    private static final Duration RETRY = Duration.ofMillis(500);
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final String LEASE_PATH =
            "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-scheduler";

    /// How long the API server stays away; a minute shows more and takes longer.
    private static final Duration AWAY =
            Duration.ofSeconds(Long.getLong("berth.e2e.apiServerAwaySeconds", 20));

    private final ControlPlane plane;
    private final Objects objects;
    private final String node;

    LeadershipIT(ControlPlane plane) {
        this.plane = plane;
        this.objects = new Objects(plane.admin(), plane.freshNamespace());
        this.node = objects.namespace() + "-node";
    }

    @BeforeEach
    void begin() {
        plane.admin().delete(LEASE_PATH);
        objects.createNode(node, "64");
    }

    @AfterEach
    void clean() {
        objects.deletePods();
        objects.deleteNode(node);
        plane.admin().delete(LEASE_PATH);
    }

    @Test
    @Tag("P-224")
    @Tag("P-232")
    void aLeaderThatIsKilledUnderLoadIsReplacedAndNoPodIsLostOrPlacedTwice() {
        try (var first = berth();
                var second = berth()) {
            String killed = awaitHolder(first, "");
            first.process()
                    .await("or its peer leading", LIMIT, () -> leads(first) || leads(second));
            var leader = leads(first) ? first : second;
            var standby = leader == first ? second : first;
            standby.process().awaitLine("Handlers synced", LIMIT);
            for (int i = 0; i < 60; i++) {
                objects.createPod("p-" + i, "100m");
                if (i == 30) {
                    leader.process().kill();
                }
            }
            awaitHolder(standby, killed, LEASE.plus(RETRY).plus(SLACK));
            for (int i = 0; i < 60; i++) {
                String name = "p-" + i;
                objects.awaitPod(name, LIMIT, standby, this::isPlaced);
                assertThat(objects.events(name, "Scheduled")).hasSizeLessThanOrEqualTo(1);
            }

            // And the next one is asked politely.
            String asked = holder();
            try (var third = berth()) {
                third.process().awaitLine("Handlers synced", LIMIT);
                standby.process().signal("TERM");
                awaitHolder(third, asked, RETRY.multipliedBy(2).plus(SLACK));
                assertThat(standby.process().awaitEnd(LIMIT)).isZero();
                assertThat(standby.process().logLines())
                        .anyMatch(line -> line.contains("Requested to terminate, exiting"));
            }
        }
    }

    @Test
    @Tag("P-223")
    @Tag("P-226")
    void berthAndKubeSchedulerTakeTurnsOnOneLease() {
        try (var theirs = plane.startScheduler(timings())) {
            String upstream = awaitHolder(theirs, "");
            try (var ours = berth()) {
                ours.process().awaitLine("Attempting to acquire leader lease...", LIMIT);
                objects.createPod("one", "100m");
                objects.awaitPod("one", LIMIT, theirs, this::isPlaced);
                assertThat(holder()).isEqualTo(upstream);

                theirs.stop();
                String berth = awaitHolder(ours, upstream);
                objects.createPod("two", "100m");
                objects.awaitPod("two", LIMIT, ours, this::isPlaced);

                try (var again = plane.startScheduler(timings())) {
                    assertThat(holder()).isEqualTo(berth);
                    ours.stop();
                    awaitHolder(again, berth);
                    objects.createPod("three", "100m");
                    objects.awaitPod("three", LIMIT, again, this::isPlaced);
                }
            }
        }
        assertThat(lease().body().at("/spec/leaseTransitions").asInt()).isEqualTo(2);
    }

    /// With an election a leader gives up after its renewal deadline, as kube-scheduler does; here
    /// there is none to lose.
    @Test
    @Tag("P-143")
    void aServerThatIsAwayForAWhileIsFoundAgain() throws Exception {
        try (var scheduler =
                plane.start(
                        SchedulerProgram.berth().orElseThrow(),
                        "--leader-elect=false",
                        "--secure-port=0")) {
            objects.createPod("before", "100m");
            objects.awaitPod("before", LIMIT, scheduler, this::isPlaced);

            plane.apiServer().kill();
            TimeUnit.NANOSECONDS.sleep(AWAY.toNanos());
            assertThat(scheduler.process().running()).isTrue();
            plane.apiServer().start();
            plane.awaitReady();

            objects.createPod("after", "100m");
            objects.awaitPod("after", LIMIT.multipliedBy(2), scheduler, this::isPlaced);
        }
    }

    private SchedulerProcess berth() {
        String[] flags = java.util.Arrays.copyOf(timings(), timings().length + 2);
        flags[flags.length - 2] = "--secure-port=0";
        flags[flags.length - 1] = "-v=3";
        return plane.start(SchedulerProgram.berth().orElseThrow(), flags);
    }

    private static String[] timings() {
        return new String[] {
            "--leader-elect=true",
            "--leader-elect-lease-duration=" + LEASE.toMillis() + "ms",
            "--leader-elect-renew-deadline=3s",
            "--leader-elect-retry-period=" + RETRY.toMillis() + "ms"
        };
    }

    private static boolean leads(SchedulerProcess scheduler) {
        return scheduler.process().logLines().stream()
                .anyMatch(line -> line.contains("Successfully acquired lease"));
    }

    private boolean isPlaced(Response pod) {
        return pod.text("/spec/nodeName").equals(node);
    }

    private Response lease() {
        return plane.admin().get(LEASE_PATH);
    }

    private String holder() {
        return lease().text("/spec/holderIdentity");
    }

    private String awaitHolder(SchedulerProcess next, String old) {
        return awaitHolder(next, old, LIMIT);
    }

    /// Waits until somebody else than `old` leads.
    private String awaitHolder(SchedulerProcess next, String old, Duration limit) {
        var seen = new AtomicReference<>("");
        next.process()
                .await(
                        "replaced as the holder of the lease",
                        limit,
                        () -> {
                            seen.set(holder());
                            return !seen.get().isEmpty() && !seen.get().equals(old);
                        });
        return seen.get();
    }
}
