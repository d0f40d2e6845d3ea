package io.berth.engine.cycle;

import static io.berth.engine.Scripted.bind;
import static io.berth.engine.Scripted.permit;
import static io.berth.engine.Scripted.postBind;
import static io.berth.engine.Scripted.preBind;
import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.handle.ClusterException;
import io.berth.api.handle.WaitingPod;
import io.berth.api.plugin.Permit;
import io.berth.api.verdict.BindVerdict;
import io.berth.api.verdict.PermitVerdict;
import io.berth.api.verdict.PreBindVerdict;
import io.berth.api.verdict.Refusal;
import io.berth.engine.Bed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// From the reservation to the binding.
@Tag("E-105")
final class BindingTest {
    private final List<String> journal = new ArrayList<>();

    private static Bed oneNode(Bed bed) {
        bed.scheduler.add(node("a").build());
        return bed;
    }

    private static Permit waiting(String name, int seconds) {
        return permit(name, pod -> new PermitVerdict.Wait(Duration.ofSeconds(seconds)));
    }

    private static WaitingPod waitingPod(Bed bed) {
        return bed.waitingPod("p");
    }

    @Test
    void stepsComeInOrder() {
        var bed =
                oneNode(
                        Bed.of(
                                preBind(
                                        "B",
                                        pod -> {
                                            journal.add("preBind");
                                            return PreBindVerdict.PASS;
                                        }),
                                bind(
                                        "First",
                                        pod -> {
                                            journal.add("bind");
                                            return BindVerdict.SKIP;
                                        }),
                                postBind("After", cycle -> journal.add("postBind"))));
        bed.run(pod("p").build());
        assertThat(journal).containsExactly("preBind", "bind", "postBind");
        assertThat(bed.nodeOf("p")).isEqualTo("a");
        assertThat(bed.log.sentences()).contains("Successfully bound pod to node");
    }

    @Nested
    @Tag("E-120")
    final class Expecting {
        @Test
        void nodeIsNotToldBeforehandWhereNothingTakesTime() {
            var bed = oneNode(Bed.of(preBind("B", pod -> false, pod -> PreBindVerdict.PASS)));
            bed.run(pod("p").build());
            assertThat(bed.writes).isEmpty();
            assertThat(bed.nodeOf("p")).isEqualTo("a");
        }

        @Test
        void nodeIsToldBeforePreBind() {
            var bed =
                    oneNode(
                            Bed.of(
                                    preBind(
                                            "B",
                                            pod -> {
                                                journal.add("preBind");
                                                return PreBindVerdict.PASS;
                                            })));
            bed.scheduler.create(pod("p").build());
            bed.stepOnly();
            assertThat(bed.writes).isEmpty();
            bed.scheduler.tasks().runOne();
            assertThat(bed.writes).containsExactly("p nomination=a reason=null");
            assertThat(journal).isEmpty();
            bed.scheduler.settle();
            assertThat(journal).containsExactly("preBind");
            assertThat(bed.nodeOf("p")).isEqualTo("a");
        }

        @Test
        void nodeIsToldBeforeAWait() {
            var bed = oneNode(Bed.of(waiting("P", 60)));
            bed.run(pod("p").build());
            assertThat(bed.writes).containsExactly("p nomination=a reason=null");
            assertThat(bed.nodeOf("p")).isEmpty();
        }

        @Test
        void failureToTellIsLoggedAndTheBindingGoesOn() {
            var bed = oneNode(Bed.of(preBind("B", pod -> PreBindVerdict.PASS)));
            bed.patchFailure = new ClusterException(ClusterException.Kind.UNAVAILABLE, "try later");
            bed.run(pod("p").build());
            assertThat(bed.nodeOf("p")).isEqualTo("a");
            assertThat(bed.log.sentences())
                    .contains("Failed to update the nominated node name in the binding cycle");
        }
    }

    @Nested
    @Tag("E-124")
    final class Binders {
        @Test
        void firstThatDoesNotSkipDecides() {
            var bed =
                    oneNode(
                            Bed.of(
                                    bind("First", pod -> BindVerdict.SKIP),
                                    bind("Second", pod -> Refusal.mayPreempt("second says no")),
                                    bind(
                                            "Third",
                                            pod -> {
                                                throw new AssertionError("must not be asked");
                                            })));
            bed.run(pod("p").build());
            assertThat(bed.messageOf("p")).isEqualTo("second says no");
        }

        @Test
        void whereAllSkipTheBindingHasFailed() {
            var bed =
                    oneNode(
                            Bed.of(
                                    profile ->
                                            io.berth.engine.framework.ProfileSettings.of(
                                                    profile.schedulerName(),
                                                    profile.multiPoint().stream()
                                                            .filter(p -> !p.name().equals("Binder"))
                                                            .toList()),
                                    bind("Only", pod -> BindVerdict.SKIP)));
            bed.run(pod("p").build());
            assertThat(bed.reasonOf("p")).isEqualTo("SchedulerError");
            assertThat(bed.subQueueOf("p")).isEqualTo("ERROR_BACKOFF");
            assertThat(bed.books().state().podCount()).isZero();
        }

        @Test
        void postBindThatBreaksHarmsNobody() {
            var bed =
                    oneNode(
                            Bed.of(
                                    postBind(
                                            "Broken",
                                            cycle -> {
                                                throw new IllegalStateException("boom");
                                            }),
                                    postBind("Fine", cycle -> journal.add("heard"))));
            bed.run(pod("p").build());
            assertThat(journal).containsExactly("heard");
            assertThat(bed.nodeOf("p")).isEqualTo("a");
            assertThat(bed.log.sentences()).contains("PostBind failed");
        }
    }

    @Nested
    @Tag("E-131")
    @Tag("E-132")
    final class Waiting {
        @Test
        void podKeepsItsPlaceUntilAllAllow() {
            var bed = oneNode(Bed.of(waiting("P", 60), waiting("Q", 60)));
            bed.run(pod("p").build());
            assertThat(bed.books().state().isAssumed("default/p")).isTrue();
            assertThat(waitingPod(bed).pendingPlugins()).containsExactly("P", "Q");

            var pod = waitingPod(bed);
            pod.allow("Q");
            bed.scheduler.settle();
            assertThat(pod.pendingPlugins()).containsExactly("P");
            assertThat(bed.nodeOf("p")).isEmpty();

            pod.allow("P");
            bed.scheduler.settle();
            assertThat(bed.nodeOf("p")).isEqualTo("a");
            assertThat(bed.handle().waitingPods()).isEmpty();
        }

        @Test
        void pluginThatNobodyWaitsForAllowsNothing() {
            var bed = oneNode(Bed.of(waiting("P", 60)));
            bed.run(pod("p").build());
            waitingPod(bed).allow("Stranger");
            bed.scheduler.settle();
            assertThat(bed.nodeOf("p")).isEmpty();
        }

        @Test
        void firstWordStands() {
            var bed = oneNode(Bed.of(waiting("P", 60)));
            bed.run(pod("p").build());
            var pod = waitingPod(bed);
            assertThat(pod.reject("P", "first")).isTrue();
            assertThat(pod.reject("P", "second")).isFalse();
            assertThat(pod.preempt("P", "third")).isFalse();
            pod.allow("P");
            bed.scheduler.settle();
            assertThat(bed.messageOf("p")).isEqualTo("0/1 nodes are available: 1 first.");
        }

        @Test
        void shortestLimitEndsTheWait() {
            var bed = oneNode(Bed.of(waiting("Slow", 60), waiting("Quick", 5)));
            bed.run(pod("p").build());
            bed.pass(4);
            assertThat(bed.messageOf("p")).isEmpty();
            bed.pass(1);
            assertThat(bed.messageOf("p"))
                    .isEqualTo(
                            "0/1 nodes are available: 1 rejected due to timeout after waiting 5s at"
                                    + " plugin Quick.");
        }

        @Test
        void nobodyWaitsForMoreThanAQuarterOfAnHour() {
            var bed = oneNode(Bed.of(waiting("P", 24 * 3600)));
            bed.run(pod("p").build());
            bed.pass(15 * 60 - 1);
            assertThat(bed.messageOf("p")).isEmpty();
            bed.pass(1);
            assertThat(bed.messageOf("p"))
                    .isEqualTo(
                            "0/1 nodes are available: 1 rejected due to timeout after waiting"
                                    + " 15m0s at plugin P.");
        }

        @Test
        void refusalOfALaterPluginEndsTheWaitBeforeItBegins() {
            var bed =
                    oneNode(
                            Bed.of(
                                    waiting("P", 60),
                                    permit("No", pod -> Refusal.mayPreempt("no"))));
            bed.run(pod("p").build());
            assertThat(bed.handle().waitingPods()).isEmpty();
            assertThat(bed.messageOf("p")).isEqualTo("0/1 nodes are available: 1 no.");
        }

        @Test
        void decisionThatComesBeforeTheNodeIsToldIsKept() {
            var bed = oneNode(Bed.of(waiting("P", 60)));
            bed.scheduler.create(pod("p").build());
            bed.stepOnly();
            waitingPod(bed).allow("P");
            assertThat(bed.writes).isEmpty();
            bed.scheduler.settle();
            assertThat(bed.nodeOf("p")).isEqualTo("a");
        }

        @Test
        @Tag("E-46")
        void podIsInFlightUntilItIsPermitted() {
            var bed = oneNode(Bed.of(waiting("P", 60)));
            bed.run(pod("p").build());
            assertThat(bed.books().queue().isInFlight("default/p")).isTrue();
            waitingPod(bed).allow("P");
            bed.stepOnly();
            assertThat(bed.books().queue().isInFlight("default/p")).isFalse();
            assertThat(bed.nodeOf("p")).isEmpty();
        }
    }

    @Nested
    @Tag("E-133")
    final class Preparing {
        @Test
        void rejectionEndsTheRound() {
            var bed =
                    oneNode(
                            Bed.of(
                                    preBind("One", pod -> Refusal.mayPreempt("no volume")),
                                    preBind(
                                            "Two",
                                            pod -> {
                                                throw new AssertionError("must not be asked");
                                            })));
            bed.run(pod("p").build());
            assertThat(bed.messageOf("p")).isEqualTo("no volume");
        }

        @Test
        void pluginWithoutWorkIsLeftOut() {
            var bed =
                    oneNode(
                            Bed.of(
                                    preBind(
                                            "Idle",
                                            pod -> false,
                                            pod -> {
                                                throw new AssertionError("must not be asked");
                                            }),
                                    preBind("Busy", pod -> PreBindVerdict.PASS)));
            bed.run(pod("p").build());
            assertThat(bed.nodeOf("p")).isEqualTo("a");
        }

        @Test
        @Tag("E-167a")
        void cancelledPodIsNotBoundAndTriedAgain() {
            var beds = new ArrayList<Bed>();
            var bed =
                    oneNode(
                            Bed.of(
                                    preBind(
                                            "One",
                                            pod -> {
                                                journal.add("One");
                                                if (journal.size() == 1) {
                                                    var handle = beds.getFirst().handle();
                                                    assertThat(
                                                                    handle.cancelPreBind(
                                                                            pod.uid(),
                                                                            "preempted by D"))
                                                            .isTrue();
                                                    assertThat(
                                                                    handle.cancelPreBind(
                                                                            pod.uid(), "again"))
                                                            .isTrue();
                                                }
                                                return PreBindVerdict.PASS;
                                            }),
                                    preBind(
                                            "Two",
                                            pod -> {
                                                journal.add("Two");
                                                return PreBindVerdict.PASS;
                                            })));
            beds.add(bed);
            bed.run(pod("p").build());
            assertThat(journal).containsExactly("One");
            assertThat(bed.nodeOf("p")).isEmpty();
            assertThat(bed.messageOf("p")).isEqualTo("preempted by D");
            assertThat(bed.reasonOf("p")).isEqualTo("SchedulerError");
            assertThat(bed.subQueueOf("p")).isEqualTo("ERROR_BACKOFF");
            assertThat(bed.books().state().podCount()).isZero();

            bed.pass(3);
            assertThat(bed.nodeOf("p")).isEqualTo("a");
        }

        @Test
        void cancelComesTooLateOnceEverythingIsPrepared() {
            var beds = new ArrayList<Bed>();
            var bed =
                    oneNode(
                            Bed.of(
                                    preBind("One", pod -> PreBindVerdict.PASS),
                                    bind(
                                            "Late",
                                            pod -> {
                                                assertThat(
                                                                beds.getFirst()
                                                                        .handle()
                                                                        .cancelPreBind(
                                                                                pod.uid(), "late"))
                                                        .isFalse();
                                                return BindVerdict.SKIP;
                                            })));
            beds.add(bed);
            bed.run(pod("p").build());
            assertThat(bed.nodeOf("p")).isEqualTo("a");
            assertThat(bed.handle().cancelPreBind("default/p", "never")).isFalse();
        }
    }

    @Nested
    @Tag("E-21")
    @Tag("E-57")
    final class Activating {
        @Test
        void podsThatPluginsAskForAreTriedAgainAfterASuccess() {
            var bed =
                    oneNode(
                            Bed.of(
                                    io.berth.engine.Scripted.filter(
                                            "First",
                                            (pod, node) -> {
                                                journal.add(pod.name());
                                                return pod.name().equals("waits")
                                                        ? Refusal.mayPreempt("not yet")
                                                        : io.berth.api.verdict.Verdict.PASS;
                                            }),
                                    postBind(
                                            "Wakes",
                                            cycle -> cycle.activateLater(pod("waits").build()))));
            bed.run(pod("waits").build());
            assertThat(bed.subQueueOf("waits")).isEqualTo("PARKED");
            journal.clear();
            bed.run(pod("p").build());
            assertThat(journal).startsWith("p", "waits");
        }
    }
}
