package io.berth.kube.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.kube.lease.LeaderElector.Phase;
import io.berth.testkit.NotedLog;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The election, step by step on a hand clock.
class LeaderElectorTest {
    private final TestClock clock = new TestClock();
    private final SharedLease lease = new SharedLease(clock);
    private final NotedLog log = new NotedLog();
    private final List<String> events = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    @Nested
    class Acquiring {
        @Test
        @Tag("P-220")
        @Tag("P-222")
        @Tag("P-237")
        void aLeaseThatIsNotThereIsCreatedWithAllItsFields() {
            var a = competitor("a");
            assertThat(notes).containsExactly("kube-scheduler false");
            a.step();
            assertThat(a.elector.phase()).isEqualTo(Phase.LEADING);
            assertThat(lease.record)
                    .isEqualTo(
                            new LeaseRecord("a", 15, TestClock.START, TestClock.START, 0, "", ""));
            assertThat(events).containsExactly("a became leader");
            assertThat(notes).containsExactly("kube-scheduler false", "kube-scheduler true");
            assertThat(log.headlines())
                    .containsExactly(
                            "I0 Attempting to acquire leader lease...",
                            "I0 Successfully acquired lease");
        }

        @Test
        @Tag("P-224")
        void aReleasedLeaseIsTakenAtOnceAndCountsAsAChange() {
            lease.set(new LeaseRecord("", 1, TestClock.START, TestClock.START, 4, "", ""));
            clock.advance(Duration.ofMillis(1));
            var a = competitor("a");
            a.elector.step();
            assertThat(a.elector.phase()).isEqualTo(Phase.LEADING);
            assertThat(lease.record)
                    .isEqualTo(new LeaseRecord("a", 15, clock.now(), clock.now(), 5, "", ""));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {"1999-01-01T00:00:00Z", "2026-05-01T10:00:00Z", "2099-01-01T00:00:00Z"})
        @Tag("P-223")
        @Tag("P-224")
        void aDeadHoldersLeaseIsWaitedForFromWhenWeSawItWhateverItsClockSays(Instant itsTime) {
            lease.set(new LeaseRecord("dead", 15, itsTime, itsTime, 0, "", ""));
            var a = competitor("a");
            var began = clock.now();
            a.runUntil(Phase.LEADING, Duration.ofMinutes(1));
            assertThat(Duration.between(began, clock.now()))
                    .isBetween(Duration.ofSeconds(15), Duration.ofMillis(15_200));
            assertThat(log.headlines()).contains("I4 Lease is held by and has not yet expired");
        }

        @Test
        @Tag("P-224")
        void aHolderThatGoesOnRenewingKeepsTheLease() {
            var a = competitor("a");
            var b = competitor("b");
            a.step();
            for (int i = 0; i < 200; i++) {
                b.elector.step();
                clock.advance(Duration.ofSeconds(1));
                a.elector.step();
                clock.advance(Duration.ofSeconds(1));
            }
            assertThat(a.elector.phase()).isEqualTo(Phase.LEADING);
            assertThat(b.elector.phase()).isEqualTo(Phase.WAITING);
        }

        @Test
        @Tag("P-222")
        void failuresPauseForARetryPeriodAndUpToOnePointTwoMore() {
            var a = competitor("a");
            a.lock.down = true;
            var pauses = new ArrayList<Long>();
            for (int i = 0; i < 300; i++) {
                pauses.add(a.elector.step());
            }
            assertThat(pauses).allMatch(pause -> pause >= 2_000_000_000L && pause < 4_400_000_000L);
            assertThat(pauses).anyMatch(pause -> pause < 2_200_000_000L);
            assertThat(pauses).anyMatch(pause -> pause > 4_200_000_000L);
            assertThat(log.headlines())
                    .contains("E Error retrieving lease lock", "I4 Failed to acquire lease");
        }

        @Test
        void aStandbyLooksOncePerRetryPeriod() {
            competitor("a").step();
            var b = competitor("b");
            for (int i = 0; i < 5; i++) {
                long pause = b.elector.step();
                assertThat(pause).isBetween(1_500_000_000L, 1_900_000_000L);
                clock.advance(Duration.ofNanos(pause));
            }
        }

        @Test
        void ofTwoThatSeeItExpireOneWins() {
            lease.set(new LeaseRecord("dead", 15, null, null, 0, "", ""));
            var a = competitor("a");
            var b = competitor("b");
            a.elector.step();
            b.elector.step();
            clock.advance(Duration.ofSeconds(16));
            a.lock.beforeUpdate = b.elector::step;
            a.elector.step();
            assertThat(b.elector.phase()).isEqualTo(Phase.LEADING);
            assertThat(a.elector.phase()).isEqualTo(Phase.WAITING);
            assertThat(lease.held().holder()).isEqualTo("b");
            assertThat(log.headlines()).contains("E Failed to update lease");
        }

        @Test
        void anAnswerThatGotLostIsMadeGood() {
            lease.set(new LeaseRecord("", 1, null, null, 4, "", ""));
            var a = competitor("a");
            a.lock.deaf = true;
            a.elector.step();
            assertThat(a.elector.phase()).isEqualTo(Phase.WAITING);
            assertThat(a.elector.fence().isOpen()).isFalse();
            a.lock.deaf = false;
            clock.advance(Duration.ofSeconds(3));
            a.elector.step();
            assertThat(a.elector.phase()).isEqualTo(Phase.LEADING);
            assertThat(lease.held().transitions()).isEqualTo(5);
        }
    }

    @Nested
    class Renewing {
        @Test
        @Tag("P-223")
        @Tag("P-225")
        void oneRequestPerRetryPeriodIsEnough() {
            var a = competitor("a");
            a.step();
            a.lock.calls.clear();
            long pause = a.elector.step();
            assertThat(pause).isEqualTo(2_000_000_000L);
            assertThat(a.lock.calls).containsExactly("update");
            assertThat(lease.record)
                    .isEqualTo(new LeaseRecord("a", 15, TestClock.START, clock.now(), 0, "", ""));
            assertThat(log.headlines()).contains("I5 Successfully renewed lease");
        }

        @Test
        @Tag("P-223")
        @Tag("P-237")
        void aLeaseThatSomebodyTouchedIsReadAndRenewed() {
            var a = competitor("a");
            a.step();
            lease.set(lease.record); // A label was added, say.
            a.lock.calls.clear();
            a.elector.step();
            assertThat(a.lock.calls).containsExactly("update", "read", "update");
            assertThat(a.elector.phase()).isEqualTo(Phase.LEADING);
            assertThat(notes).endsWith("slow path");
            assertThat(log.headlines())
                    .contains(
                            "I2 Failed to update lease optimistically, falling back to slow path");
        }

        @Test
        @Tag("P-225")
        @Tag("P-226")
        @Tag("P-232")
        void withoutRenewalForTheDeadlineItLapses() {
            var a = competitor("a");
            a.step();
            a.lock.down = true;
            var began = clock.now();
            a.runUntil(Phase.LAPSED, Duration.ofMinutes(1));
            assertThat(Duration.between(began, clock.now())).isEqualTo(Duration.ofSeconds(10));
            assertThat(a.elector.fence().isOpen()).isFalse();
            assertThat(a.lock.calls).hasSizeGreaterThan(8);
            assertThat(events).containsExactly("a became leader", "a stopped leading");
            assertThat(notes).endsWith("kube-scheduler false");
            assertThat(log.headlines())
                    .containsSubsequence("I0 Failed to renew lease", "E Failed to release lease");
        }

        /// The server comes back just when we give up, and tells who was quicker.
        @Test
        @Tag("P-232")
        void whoFindsAnotherHolderAfterALapseHasLost() {
            var a = competitor("a");
            a.step();
            a.lock.down = true;
            a.step();
            clock.advance(Duration.ofSeconds(20));
            var theirs = new LeaseRecord("b", 15, clock.now(), clock.now(), 1, "", "");
            lease.set(theirs);
            a.lock.down = false;
            a.elector.step();
            assertThat(a.elector.phase()).isEqualTo(Phase.LOST);
            assertThat(lease.record).isEqualTo(theirs);
        }

        /// As the next life of a process does, which keeps its name.
        @Test
        @Tag("P-232")
        void ourOwnLeaseIsTakenBackAtOnceAndIsNoChangeOfLeaders() {
            var a = competitor("a");
            a.step();
            a.lock.down = true;
            a.runUntil(Phase.LAPSED, Duration.ofMinutes(1));
            var next = competitor("a");
            next.step();
            assertThat(next.elector.phase()).isEqualTo(Phase.LEADING);
            assertThat(next.elector.fence().isOpen()).isTrue();
            assertThat(lease.held().transitions()).isZero();
            assertThat(a.elector.fence().isOpen()).isFalse();
        }

        @Test
        @Tag("P-225")
        void oneAnswerWithinTheDeadlineKeepsIt() {
            var a = competitor("a");
            a.step();
            for (int i = 0; i < 10; i++) {
                a.lock.down = true;
                for (int j = 0; j < 4; j++) {
                    a.step();
                }
                a.lock.down = false;
                a.step();
            }
            assertThat(a.elector.phase()).isEqualTo(Phase.LEADING);
            assertThat(events).containsExactly("a became leader");
        }

        @Test
        @Tag("P-128")
        void aRequestGetsHalfTheDeadline() {
            assertThat(ElectionTimes.DEFAULT.requestTimeout()).isEqualTo(Duration.ofSeconds(5));
            assertThat(ElectionSettingsTest.times(2, 1, 0.5).requestTimeout())
                    .isEqualTo(Duration.ofSeconds(1));
            var a = competitor("a");
            a.step();
            a.lock.slow = Duration.ofSeconds(7);
            var began = clock.now();
            a.elector.step();
            // One blind renewal and one reading, both given up.
            assertThat(Duration.between(began, clock.now())).isEqualTo(Duration.ofSeconds(10));
        }

        @Test
        void whoeverFindsAnotherHolderGivesUpAtOnceAndLeavesItsLeaseAlone() {
            var a = competitor("a");
            a.step();
            var theirs = new LeaseRecord("b", 15, clock.now(), clock.now(), 1, "", "");
            lease.set(theirs);
            a.step();
            assertThat(a.elector.phase()).isEqualTo(Phase.LOST);
            assertThat(a.elector.fence().isOpen()).isFalse();
            assertThat(lease.record).isEqualTo(theirs);
        }

        @Test
        void whoeverLedInBetweenEndsOurTermEvenIfItLetGoAgain() {
            var a = competitor("a");
            a.step();
            lease.set(new LeaseRecord("", 1, clock.now(), clock.now(), 1, "", ""));
            a.step();
            assertThat(a.elector.phase()).isEqualTo(Phase.LOST);
        }

        @Test
        void aLeaseEmptiedByHandIsTakenAgain() {
            var a = competitor("a");
            a.step();
            lease.set(new LeaseRecord("", 1, clock.now(), clock.now(), 0, "", ""));
            a.step();
            assertThat(a.elector.phase()).isEqualTo(Phase.LEADING);
            assertThat(lease.held().holder()).isEqualTo("a");
        }

        @Test
        void aDeletedLeaseIsCreatedAnewWhileOurTimeIsNotOver() {
            var a = competitor("a");
            a.step();
            lease.set(null);
            a.step();
            assertThat(a.elector.phase()).isEqualTo(Phase.LEADING);
            assertThat(lease.held().holder()).isEqualTo("a");
        }

        @Test
        void aDeletedLeaseWhoseFateWeDoNotKnowHasLapsed() {
            var a = competitor("a");
            a.step();
            clock.advance(Duration.ofSeconds(20));
            lease.set(null);
            a.step();
            assertThat(a.elector.phase()).isEqualTo(Phase.LAPSED);
            assertThat(lease.record).isNull();
        }
    }

    @Nested
    class Releasing {
        @Test
        @Tag("P-226")
        void aStopLetsGoOfTheLease() {
            var a = competitor("a");
            a.step();
            clock.advance(Duration.ofMillis(700));
            a.elector.stop();
            a.elector.step();
            assertThat(a.elector.phase()).isEqualTo(Phase.STOPPED);
            assertThat(lease.record)
                    .isEqualTo(new LeaseRecord("", 1, clock.now(), clock.now(), 0, "", ""));
            assertThat(events).containsExactly("a became leader", "a stopped leading");
            assertThat(notes).endsWith("kube-scheduler false");
        }

        @Test
        @Tag("P-226")
        void aStandbyThatStopsTouchesNothing() {
            competitor("a").step();
            var b = competitor("b");
            b.elector.step();
            var before = lease.record;
            b.elector.stop();
            b.elector.step();
            assertThat(b.elector.phase()).isEqualTo(Phase.STOPPED);
            assertThat(lease.record).isEqualTo(before);
            assertThat(events).containsExactly("a became leader");
        }

        /// The last record that we saw says that we lead; the server knows better.
        @Test
        @Tag("P-226")
        void aNewLeadersLeaseIsNotCleared() {
            var a = competitor("a");
            a.step();
            var theirs = new LeaseRecord("b", 15, clock.now(), clock.now(), 1, "", "");
            lease.set(theirs);
            a.elector.stop();
            a.elector.step();
            assertThat(lease.record).isEqualTo(theirs);
        }

        @Test
        @Tag("P-226")
        void aConflictIsTriedAgain() {
            var a = competitor("a");
            a.step();
            a.elector.stop();
            a.lock.beforeUpdate =
                    () -> {
                        a.lock.beforeUpdate = null;
                        lease.set(lease.record);
                    };
            a.elector.step();
            assertThat(lease.held().holder()).isEmpty();
        }

        @Test
        @Tag("P-226")
        void aServerThatIsAwayHoldsUpNobodyForLongerThanTheDeadline() {
            var a = competitor("a");
            a.step();
            a.elector.stop();
            a.lock.slow = Duration.ofHours(1);
            var began = clock.now();
            a.elector.step();
            assertThat(a.elector.phase()).isEqualTo(Phase.STOPPED);
            assertThat(Duration.between(began, clock.now()))
                    .isLessThanOrEqualTo(Duration.ofSeconds(10));
            assertThat(log.headlines()).contains("E Failed to release lease");
        }
    }

    @Nested
    class Health {
        @Test
        @Tag("P-236")
        void aLeaderThatHangsIsUnhealthyTwentySecondsAfterItsLease() {
            var a = competitor("a");
            assertThat(a.elector.problem()).isEmpty();
            a.elector.step();
            clock.advance(Duration.ofSeconds(35));
            assertThat(a.elector.problem()).isEmpty();
            clock.advance(Duration.ofMillis(1));
            assertThat(a.elector.problem())
                    .hasValue("failed election to renew leadership on lease kube-scheduler");
        }

        /// It knows that it does not lead: nothing hangs.
        @Test
        @Tag("P-236")
        void aLapsedLeaderIsHealthyAndSoIsOneThatWaitsForItsOwnLease() {
            var a = competitor("a");
            a.step();
            a.lock.down = true;
            a.runUntil(Phase.LAPSED, Duration.ofMinutes(1));
            var next = competitor("a");
            next.lock.beforeUpdate = () -> next.lock.down = true;
            next.step();
            clock.advance(Duration.ofHours(1));
            assertThat(next.elector.holder()).isEqualTo("a");
            assertThat(next.elector.problem()).isEmpty();
            assertThat(a.elector.problem()).isEmpty();
        }

        @Test
        @Tag("P-236")
        void aStandbyIsHealthyHoweverLongItWaits() {
            competitor("a").step();
            var b = competitor("b");
            b.elector.step();
            clock.advance(Duration.ofHours(1));
            assertThat(b.elector.problem()).isEmpty();
            assertThat(b.elector.holder()).isEqualTo("a");
        }
    }

    @Nested
    class Coordinated {
        @Test
        @Tag("P-241")
        void aLeaseIsNeitherCreatedNorTaken() {
            var a = coordinated("a");
            a.elector.step();
            assertThat(lease.record).isNull();
            assertThat(log.headlines()).contains("I0 Lease lock not found");
            lease.set(new LeaseRecord("b", 15, null, null, 0, "OldestEmulationVersion", ""));
            a.elector.step();
            assertThat(log.headlines()).contains("I6 Lease is held and has not yet expired");
            clock.advance(Duration.ofSeconds(16));
            a.elector.step();
            assertThat(log.headlines()).contains("I0 Lease has expired");
            assertThat(lease.held().holder()).isEqualTo("b");
            assertThat(a.elector.phase()).isEqualTo(Phase.WAITING);
        }

        @Test
        @Tag("P-241")
        void aLeaseThatTheServerGaveUsIsRenewedWithItsStrategy() {
            lease.set(
                    new LeaseRecord(
                            "a", 5, TestClock.START, null, 3, "OldestEmulationVersion", ""));
            var a = coordinated("a");
            a.step();
            assertThat(a.elector.phase()).isEqualTo(Phase.LEADING);
            a.elector.step();
            assertThat(lease.record)
                    .isEqualTo(
                            new LeaseRecord(
                                    "a",
                                    15,
                                    TestClock.START,
                                    clock.now(),
                                    3,
                                    "OldestEmulationVersion",
                                    ""));
        }

        @Test
        @Tag("P-241")
        void aPreferredHolderEndsTheTerm() {
            lease.set(new LeaseRecord("a", 15, null, null, 3, "OldestEmulationVersion", ""));
            var a = coordinated("a");
            a.step();
            lease.set(new LeaseRecord("a", 15, null, null, 3, "OldestEmulationVersion", "b"));
            a.step();
            assertThat(a.elector.phase()).isEqualTo(Phase.LOST);
            assertThat(log.headlines()).contains("I4 Lease is marked as 'end of term'");
        }
    }

    private static ElectionSettings settings(String identity, boolean coordinated) {
        return new ElectionSettings(
                "kube-system", "kube-scheduler", identity, ElectionTimes.DEFAULT, coordinated);
    }

    private Competitor competitor(String identity) {
        return new Competitor(settings(identity, false));
    }

    private Competitor coordinated(String identity) {
        return new Competitor(settings(identity, true));
    }

    private final class Competitor {
        final SharedLease.Lock lock = lease.new Lock();
        final LeaderElector elector;

        Competitor(ElectionSettings settings) {
            this.elector =
                    new LeaderElector(
                            settings,
                            lock,
                            clock,
                            new Random(1),
                            new ElectionObserver() {
                                @Override
                                public void leads(String name, boolean leads) {
                                    notes.add(name + " " + leads);
                                }

                                @Override
                                public void slowPath(String name) {
                                    notes.add("slow path");
                                }
                            },
                            events::add,
                            log);
        }

        /// Takes a step and waits for as long as it says.
        void step() {
            long pause = elector.step();
            if (pause != Long.MAX_VALUE) {
                clock.advance(Duration.ofNanos(pause));
            }
        }

        void runUntil(Phase phase, Duration limit) {
            var end = clock.now().plus(limit);
            while (clock.now().isBefore(end)) {
                long pause = elector.step();
                if (elector.phase() == phase) {
                    return;
                }
                clock.advance(Duration.ofNanos(pause));
            }
            throw new AssertionError("not " + phase + " after " + limit);
        }
    }
}
