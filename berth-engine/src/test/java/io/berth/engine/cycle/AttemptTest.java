package io.berth.engine.cycle;

import static io.berth.engine.Scripted.filter;
import static io.berth.engine.Scripted.postFilter;
import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.handle.Recorder;
import io.berth.api.verdict.PostFilterVerdict;
import io.berth.api.verdict.PostFilterVerdict.Nothing;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import io.berth.engine.Bed;
import io.berth.testkit.HandClock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What one attempt does, from the head of the queue to its outcome.
final class AttemptTest {
    private static final io.berth.api.plugin.Filter REFUSE_ALL =
            filter("No", (pod, node) -> Refusal.mayPreempt("no"));

    private static Bed oneNode(Bed bed) {
        bed.scheduler.add(node("a").build());
        return bed;
    }

    @Test
    @Tag("E-79")
    @Tag("E-82")
    @Tag("E-121")
    void podIsPlacedAndTold() {
        var bed = oneNode(Bed.of());
        bed.run(pod("p").build());
        assertThat(bed.nodeOf("p")).isEqualTo("a");
        assertThat(bed.scheduler.cluster().events())
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.type()).isEqualTo(Recorder.Type.NORMAL);
                    assertThat(event.reason()).isEqualTo("Scheduled");
                    assertThat(event.action()).isEqualTo("Binding");
                    assertThat(event.note()).isEqualTo("Successfully assigned default/p to a");
                    assertThat(event.controller()).isEqualTo("default-scheduler");
                });
        assertThat(bed.books().queue().counts().inFlight()).isZero();
        assertThat(bed.engine().queries().underWay()).isZero();
    }

    @Test
    @Tag("E-179")
    void linesThatOperatorsKnowAreWrittenOnTheWay() {
        var bed = Bed.of();
        bed.scheduler.add(node("a").zone("z").build());
        bed.run(pod("p").build());
        assertThat(bed.log.lines())
                .containsSubsequence(
                        "I3 Add event for node [node, a]",
                        "I2 Added node to NodeTree [node, a, zone, :\0:z]",
                        "I3 Add event for unscheduled pod [pod, default/p]",
                        "I4 About to try and schedule pod [pod, default/p]",
                        "I3 Attempting to schedule pod [pod, default/p]",
                        "I3 Attempting to bind pod to node [pod, default/p, node, a]",
                        "I2 Successfully bound pod to node [pod, default/p, node, a, evaluatedNodes, 1,"
                                + " feasibleNodes, 1]");
    }

    @Test
    @Tag("E-179")
    void podWithoutPlaceIsToldWithItsReasons() {
        var bed = oneNode(Bed.of(REFUSE_ALL));
        bed.run(pod("p").build());
        assertThat(bed.log.lines())
                .containsSubsequence(
                        "I3 Attempting to schedule pod [pod, default/p]",
                        "I3 No PostFilter plugins are registered, so no preemption will be"
                                + " performed",
                        "I2 Unable to schedule pod; no fit; waiting [pod, default/p, err, 0/1 nodes are"
                                + " available: 1 no.]");
    }

    @Test
    @Tag("E-179")
    void podInAnEmptyClusterIsTold() {
        var bed = Bed.of();
        bed.run(pod("p").build());
        assertThat(bed.log.lines())
                .contains(
                        "I2 Unable to schedule pod; no nodes are registered to the cluster; waiting"
                                + " [pod, default/p]");
    }

    @Test
    @Tag("E-79")
    void nothingToDoIsNoWork() {
        assertThat(Bed.of().engine().step()).isFalse();
    }

    @Nested
    @Tag("E-81")
    final class Skipped {
        @Test
        void podOnItsWayOutIsTold() {
            var bed = oneNode(Bed.of());
            bed.run(pod("p").with(p -> p.deletedAt(HandClock.START)).build());
            assertThat(bed.nodeOf("p")).isEmpty();
            assertThat(bed.scheduler.cluster().events())
                    .singleElement()
                    .satisfies(event -> {
                        assertThat(event.type()).isEqualTo(Recorder.Type.WARNING);
                        assertThat(event.reason()).isEqualTo("FailedScheduling");
                        assertThat(event.action()).isEqualTo("Scheduling");
                        assertThat(event.note()).isEqualTo("skip schedule deleting pod: default/p");
                    });
            assertThat(bed.isQueued("p")).isFalse();
            assertThat(bed.books().queue().counts().inFlight()).isZero();
            assertThat(bed.writes).isEmpty();
        }

        @Test
        void podWithAPlaceInOurBooksIsPassedOverInSilence() {
            var bed = oneNode(Bed.of());
            var pod = pod("p").build();
            bed.books().state().assumePod(pod.onNode("a"));
            bed.run(pod);
            assertThat(bed.notes()).isEmpty();
            assertThat(bed.isQueued("p")).isFalse();
            assertThat(bed.books().queue().counts().inFlight()).isZero();
        }
    }

    @Test
    @Tag("E-80")
    @Tag("E-67")
    void podOfAnotherSchedulerIsLeftAlone() {
        var bed = oneNode(Bed.of());
        bed.run(pod("p").scheduler("another").build());
        assertThat(bed.nodeOf("p")).isEmpty();
        assertThat(bed.isQueued("p")).isFalse();
        assertThat(bed.notes()).isEmpty();
    }

    @Nested
    @Tag("E-83")
    @Tag("E-124")
    final class PostFiltering {
        private final List<String> asked = new ArrayList<>();

        private io.berth.api.plugin.PostFilter helps(String name, PostFilterVerdict verdict) {
            return postFilter(
                    name,
                    refusals -> {
                        asked.add(name);
                        return verdict;
                    });
        }

        private static Nothing last(String reason, PostFilterVerdict.Nomination nomination) {
            return new Nothing(List.of(reason), nomination, true);
        }

        @Test
        void withoutPluginsTheNominationIsCleared() {
            var bed = oneNode(Bed.of(REFUSE_ALL));
            bed.run(pod("p").with(p -> p.nominatedNodeName("a")).build());
            assertThat(bed.writes).containsExactly("p nomination= reason=Unschedulable");
            assertThat(bed.messageOf("p")).isEqualTo("0/1 nodes are available: 1 no.");
        }

        @Test
        void allAreAskedAndTheirReasonsJoined() {
            var bed =
                    oneNode(
                            Bed.of(
                                    REFUSE_ALL,
                                    helps("One", Nothing.keeping("x")),
                                    helps("Two", Nothing.keeping("y"))));
            bed.run(pod("p").build());
            assertThat(asked).containsExactly("One", "Two");
            assertThat(bed.messageOf("p")).isEqualTo("0/1 nodes are available: 1 no. x, y");
        }

        @Test
        @Tag("E-120")
        void nominationIsKeptWhereNobodySaysOtherwise() {
            var bed = oneNode(Bed.of(REFUSE_ALL, helps("One", Nothing.keeping("x"))));
            bed.run(pod("p").with(p -> p.nominatedNodeName("a")).build());
            assertThat(bed.writes).containsExactly("p nomination=null reason=Unschedulable");
            assertThat(bed.books().queue().nominator().on("a")).hasSize(1);
        }

        @Test
        @Tag("E-120")
        void nominationIsClearedWhereOneSaysSo() {
            var bed =
                    oneNode(
                            Bed.of(
                                    REFUSE_ALL,
                                    helps("One", Nothing.clearing("x")),
                                    helps("Two", Nothing.keeping("y"))));
            bed.run(pod("p").with(p -> p.nominatedNodeName("a")).build());
            assertThat(bed.writes).containsExactly("p nomination= reason=Unschedulable");
            assertThat(bed.books().queue().nominator().isEmpty()).isTrue();
        }

        @Test
        @Tag("E-120")
        void successEndsTheRoundAndNominates() {
            var bed =
                    oneNode(
                            Bed.of(
                                    REFUSE_ALL,
                                    helps("One", Nothing.clearing("x")),
                                    helps("Two", new PostFilterVerdict.Nominated("a")),
                                    helps("Three", Nothing.keeping("z"))));
            bed.run(pod("p").build());
            assertThat(asked).startsWith("One", "Two").doesNotContain("Three");
            assertThat(bed.writes).first().isEqualTo("p nomination=a reason=Unschedulable");
            assertThat(bed.messageOf("p")).isEqualTo("0/1 nodes are available: 1 no.");
            assertThat(bed.scheduler.cluster().pod("default/p").nominatedNodeName()).isEqualTo("a");
        }

        @Test
        void finalNoEndsTheRoundWithItsOwnWordsAndItsOwnNomination() {
            var bed =
                    oneNode(
                            Bed.of(
                                    REFUSE_ALL,
                                    helps("One", Nothing.clearing("x")),
                                    helps("Two", last("never", PostFilterVerdict.Nomination.KEEP)),
                                    helps("Three", Nothing.keeping("z"))));
            bed.run(pod("p").with(p -> p.nominatedNodeName("a")).build());
            assertThat(asked).containsExactly("One", "Two");
            assertThat(bed.messageOf("p")).isEqualTo("0/1 nodes are available: 1 no. never");
            assertThat(bed.writes).containsExactly("p nomination=null reason=Unschedulable");
        }

        @Test
        @Tag("E-109")
        void brokenPluginEndsTheRoundAndKeepsTheNomination() {
            var bed =
                    oneNode(
                            Bed.of(
                                    REFUSE_ALL,
                                    helps("One", Nothing.clearing("x")),
                                    postFilter(
                                            "Broken",
                                            refusals -> {
                                                throw new IllegalStateException("not found");
                                            }),
                                    helps("Three", Nothing.keeping("z"))));
            bed.run(pod("p").with(p -> p.nominatedNodeName("a")).build());
            assertThat(asked).containsExactly("One");
            assertThat(bed.messageOf("p")).isEqualTo("0/1 nodes are available: 1 no. not found");
            assertThat(bed.writes).containsExactly("p nomination=null reason=Unschedulable");
            assertThat(bed.reasonOf("p")).isEqualTo("Unschedulable");
        }
    }

    @Test
    @Tag("E-120")
    void nominationMadeByAnotherIsHonouredFirst() {
        var bed = Bed.of(filter("Yes", (pod, node) -> Verdict.PASS));
        bed.scheduler.add(node("a").build());
        bed.scheduler.add(node("b").build());
        bed.run(pod("p").with(p -> p.nominatedNodeName("b")).build());
        assertThat(bed.nodeOf("p")).isEqualTo("b");
        assertThat(bed.books().queue().nominator().isEmpty()).isTrue();
    }
}
