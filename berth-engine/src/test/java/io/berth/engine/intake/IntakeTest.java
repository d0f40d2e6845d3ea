package io.berth.engine.intake;

import static io.berth.engine.Scripted.filterWaking;
import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.label.LabelSelector;
import io.berth.api.label.Labels;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.CustomObject;
import io.berth.api.model.GeneratedClaims;
import io.berth.api.model.GeneratedClaims.Generated;
import io.berth.api.model.Kind;
import io.berth.api.model.Namespace;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.model.PodController;
import io.berth.api.model.Service;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import io.berth.engine.Bed;
import io.berth.engine.EngineSettings;
import io.berth.testkit.HandClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Where news from the cluster goes. Two pods, `low` and `high`, wait for anything to happen to
/// pods or nodes; what they are told is noted.
final class IntakeTest {
    private final List<String> told = new ArrayList<>();

    private final Bed bed =
            Bed.of(
                    filterWaking(
                            "Waits",
                            (pod, node) ->
                                    pod.labels().value("waits") == null
                                            ? Verdict.PASS
                                            : Refusal.mayPreempt("waits"),
                            registration(ClusterEvent.POD, Action.ADD, "pod+"),
                            registration(ClusterEvent.POD, Action.DELETE, "pod-"),
                            registration(ClusterEvent.POD, Action.UPDATE_POD_LABEL, "pod label"),
                            registration(
                                    ClusterEvent.POD,
                                    Action.UPDATE_POD_GENERATED_RESOURCE_CLAIM,
                                    "pod claims"),
                            registration("services.v1.", Action.ALL, "service"),
                            registration(
                                    "statefulsets.v1.apps",
                                    Action.ADD | Action.UPDATE_POD_LABEL,
                                    "set"),
                            registration("budgets", Action.ALL, "budget"),
                            registration("foos.v1.example.com", Action.ALL, "foo"),
                            registration(ClusterEvent.NODE, Action.ADD, "node+"),
                            registration(ClusterEvent.NODE, Action.DELETE, "node-"),
                            registration(ClusterEvent.NODE, Action.UPDATE_NODE_LABEL, "node label"),
                            registration(
                                    ClusterEvent.NODE, Action.UPDATE_NODE_TAINT, "node taint")));

    private Registration registration(String resource, int action, String word) {
        return Registration.of(
                resource,
                action,
                (waiting, before, after) -> {
                    told.add(waiting.name() + " " + word + " " + name(before, after));
                    return Registration.Hint.SKIP;
                });
    }

    private static String name(@Nullable ClusterObject before, @Nullable ClusterObject after) {
        return (before == null ? "" : before.name()) + ">" + (after == null ? "" : after.name());
    }

    @BeforeEach
    void twoPodsWait() {
        bed.scheduler.add(node("a").build());
        bed.run(pod("low").priority(1).label("waits", "").build());
        bed.run(pod("high").priority(9).label("waits", "").build());
        assertThat(bed.books().queue().counts().unschedulable()).isEqualTo(2);
        told.clear();
    }

    private void seen(ClusterObject object) {
        bed.engine().seen(object);
        bed.scheduler.settle();
    }

    private void gone(Pod pod) {
        bed.engine().gone(Kind.POD, pod.namespace(), pod.name());
        bed.scheduler.settle();
    }

    private List<String> toldToHigh() {
        return told.stream().filter(line -> line.startsWith("high ")).toList();
    }

    @Nested
    @Tag("E-67")
    final class AssignedPods {
        private final Pod running = pod("r").scheduler("another").onNode("a").build();

        @Test
        void newOneIsCountedAndWakes() {
            seen(running);
            assertThat(bed.books().state().podOf("default/r")).isNotNull();
            assertThat(toldToHigh()).containsExactly("high pod+ >r");
        }

        @Test
        void changedOneIsCountedAnewAndWakesByWhatChanged() {
            seen(running);
            told.clear();
            seen(running.toBuilder().labels(running.labels().with("x", "y")).build());
            assertThat(bed.held("r").labels().value("x")).isEqualTo("y");
            assertThat(toldToHigh()).containsExactly("high pod label r>r");
        }

        @Test
        void deletedOneIsTakenOutAndWakes() {
            seen(running);
            told.clear();
            gone(running);
            assertThat(bed.books().state().podCount()).isZero();
            assertThat(toldToHigh()).containsExactly("high pod- r>");
        }

        @Test
        void bindingOfAPendingPodTakesItOutOfTheQueue() {
            var pending = pod("w").label("waits", "").build();
            seen(pending);
            assertThat(bed.isQueued("w")).isTrue();
            told.clear();
            seen(pending.onNode("a"));
            assertThat(bed.isQueued("w")).isFalse();
            assertThat(bed.books().state().podOf("default/w")).isNotNull();
            assertThat(toldToHigh()).containsExactly("high pod+ >w");
        }

        @Test
        @Tag("E-28")
        void queueHearsOfItAlthoughTheBooksDoNotFit() {
            bed.books().state().addPod(running);
            seen(running);
            assertThat(bed.log.sentences()).contains("Scheduler cache AddPod failed");
            assertThat(toldToHigh()).containsExactly("high pod+ >r");
        }
    }

    @Nested
    @Tag("E-65")
    final class TerminalPods {
        @Test
        void finishedPodIsAsGoodAsGone() {
            var running = pod("r").onNode("a").build();
            seen(running);
            told.clear();
            seen(running.toBuilder().phase("Succeeded").build());
            assertThat(bed.books().state().podCount()).isZero();
            assertThat(toldToHigh()).containsExactly("high pod- r>");
            // Once more, as after a relist.
            seen(running.toBuilder().phase("Succeeded").build());
            assertThat(toldToHigh()).hasSize(1);
        }

        @Test
        void podThatFailedWhilePendingLeavesTheQueue() {
            var pending = pod("w").label("waits", "").build();
            seen(pending);
            seen(pending.toBuilder().phase("Failed").build());
            assertThat(bed.isQueued("w")).isFalse();
        }

        @Test
        void podThatWasNeverSeenAliveIsIgnored() {
            seen(pod("r").onNode("a").with(p -> p.phase("Failed")).build());
            assertThat(bed.books().state().podCount()).isZero();
            assertThat(told).isEmpty();
        }
    }

    @Nested
    @Tag("E-67")
    final class RecreatedPods {
        @Test
        void newUidMeansDeletedAndMadeAnew() {
            seen(pod("r").uid("one").onNode("a").build());
            told.clear();
            seen(pod("r").uid("two").label("waits", "").build());
            assertThat(bed.books().state().podCount()).isZero();
            assertThat(toldToHigh()).contains("high pod- r>");
            assertThat(bed.queued("r").pod().uid()).isEqualTo("two");
        }
    }

    @Nested
    @Tag("E-68")
    final class PendingPods {
        private final Pod pending =
                pod("w").priority(5).label("waits", "").with(p -> p.resourceVersion("7")).build();

        @Test
        void podOfAnotherSchedulerIsNotQueued() {
            seen(pod("w").scheduler("another").build());
            assertThat(bed.isQueued("w")).isFalse();
        }

        @Test
        void sameVersionIsNoNews() {
            seen(pending);
            var before = bed.queued("w").pod();
            seen(pending.toBuilder().labels(pending.labels().with("x", "y")).build());
            assertThat(bed.queued("w").pod()).isEqualTo(before);
        }

        @Test
        void newerFormReplacesTheOlder() {
            seen(pending);
            seen(
                    pending.toBuilder()
                            .resourceVersion("8")
                            .labels(pending.labels().with("x", "y"))
                            .build());
            assertThat(bed.queued("w").pod().labels().value("x")).isEqualTo("y");
        }

        @Test
        @Tag("E-120")
        void nominationThatIsGivenUpWakesNobodyMoreImportant() {
            seen(pending.toBuilder().nominatedNodeName("a").build());
            told.clear();
            seen(pending.toBuilder().resourceVersion("8").nominatedNodeName("").build());
            assertThat(told).contains("low pod- w>");
            assertThat(toldToHigh()).isEmpty();
        }

        @Test
        @Tag("E-69")
        void deletedPodLeavesTheQueueAndItsNomination() {
            seen(pending.toBuilder().nominatedNodeName("a").build());
            told.clear();
            gone(pending);
            assertThat(bed.isQueued("w")).isFalse();
            assertThat(bed.books().queue().nominator().isEmpty()).isTrue();
            assertThat(told).contains("low pod- w>");
            assertThat(toldToHigh()).isEmpty();
        }

        @Test
        @Tag("E-69")
        void deletedPodWithoutNominationWakesNobody() {
            seen(pending);
            told.clear();
            gone(pending);
            assertThat(told).isEmpty();
        }

        @Test
        void deletionOfAnUnknownPodIsIgnored() {
            gone(pod("stranger").build());
            assertThat(told).isEmpty();
        }
    }

    @Nested
    @Tag("E-72")
    final class NodesSeen {
        private final Node a = node("a").build();

        @Test
        void newOneWakes() {
            seen(node("b").build());
            assertThat(toldToHigh()).containsExactly("high node+ >b");
            assertThat(bed.books().state().node("b")).isNotNull();
        }

        @Test
        void unchangedOneWakesNobody() {
            seen(a);
            assertThat(told).isEmpty();
        }

        @Test
        void eachChangeWakesInItsOrder() {
            seen(node("a").label("x", "y").taint("t", "", "NoSchedule").build());
            assertThat(toldToHigh()).containsExactly("high node label a>a", "high node taint a>a");
        }

        @Test
        void deletedOneWakesBeforeItIsTakenOut() {
            bed.engine().gone(Kind.NODE, "", "a");
            bed.scheduler.settle();
            assertThat(toldToHigh()).containsExactly("high node- a>");
            assertThat(bed.books().state().node("a")).isNull();
        }

        @Test
        void deletionOfAnUnknownNodeIsIgnored() {
            bed.engine().gone(Kind.NODE, "", "stranger");
            bed.scheduler.settle();
            assertThat(told).isEmpty();
        }
    }

    @Test
    @Tag("E-70")
    @Tag("E-67")
    void claimsMadeForAPodWakeItAndOthersOnceItHasANode() {
        var claims = new GeneratedClaims(List.of(new Generated("c", "high-c")), null);
        var high = bed.queued("high").pod();
        seen(high.toBuilder().generatedClaims(claims).resourceVersion("9").build());
        assertThat(told).containsExactly("high pod claims high>high");

        var running = pod("r").scheduler("another").onNode("a").build();
        seen(running);
        told.clear();
        seen(running.toBuilder().generatedClaims(claims).build());
        assertThat(toldToHigh()).containsExactly("high pod claims r>r");
    }

    @Nested
    @Tag("E-73")
    final class OtherKinds {
        private final Service service = new Service("default", "s", Labels.of("a", "b"));

        @Test
        void wakeWhereAPluginWaitsForThem() {
            seen(service);
            seen(service);
            seen(new Service("default", "s", Labels.of("a", "c")));
            bed.engine().gone(Kind.SERVICE, "default", "s");
            bed.engine().gone(Kind.SERVICE, "default", "s");
            bed.scheduler.settle();
            assertThat(toldToHigh())
                    .containsExactly("high service >s", "high service s>s", "high service s>");
        }

        @Test
        void wakeByTheActionsWaitedForAndPlainUpdatesAlone() {
            var set =
                    new PodController(
                            Kind.STATEFUL_SET, "default", "w", LabelSelector.matching("a", "b"));
            seen(set);
            seen(
                    new PodController(
                            Kind.STATEFUL_SET, "default", "w", LabelSelector.matching("a", "c")));
            bed.engine().gone(Kind.STATEFUL_SET, "default", "w");
            bed.scheduler.settle();
            assertThat(toldToHigh()).containsExactly("high set >w");
        }

        @Test
        void wakeNobodyWhoDidNotAsk() {
            seen(new Namespace("n", Labels.EMPTY));
            assertThat(told).isEmpty();
        }

        @Test
        void kindsOfPluginsOwnAreFollowedAndWake() {
            var foo = Kind.of("example.com", "v1", "foos");
            assertThat(bed.engine().followedKinds()).contains(foo);
            seen(CustomObject.of(foo, "default", "f", Map.of("spec", Map.of("size", 1L))));
            seen(CustomObject.of(foo, "default", "f", Map.of("spec", Map.of("size", 1L))));
            seen(CustomObject.of(foo, "default", "f", Map.of("spec", Map.of("size", 2L))));
            assertThat(bed.handle().listers().of(foo, CustomObject.class).get("default", "f"))
                    .extracting(found -> found.at("spec", "size"))
                    .isEqualTo(2L);
            bed.engine().gone(foo, "default", "f");
            bed.scheduler.settle();
            assertThat(toldToHigh()).containsExactly("high foo >f", "high foo f>f", "high foo f>");
            assertThat(bed.handle().listers().of(foo, CustomObject.class).all()).isEmpty();
        }

        @Test
        void namesThatCannotBeFollowedAreTold() {
            assertThat(bed.log.sentences()).containsOnlyOnce("Incorrect event registration");
            assertThat(bed.log.detail("Incorrect event registration")).isEqualTo("gvk=budgets");
        }
    }

    @Test
    @Tag("E-66")
    void nothingIsTriedBeforeAllKindsAreListed() {
        var waiting =
                Bed.withEngine((EngineSettings settings) ->
                        settings.awaiting(Set.of(Kind.NODE, Kind.POD)));
        waiting.scheduler.add(node("a").build());
        waiting.run(pod("p").build());
        assertThat(waiting.nodeOf("p")).isEmpty();
        waiting.engine().synced(Kind.NODE);
        waiting.scheduler.settle();
        assertThat(waiting.engine().isReady()).isFalse();
        assertThat(waiting.nodeOf("p")).isEmpty();
        waiting.engine().synced(Kind.POD);
        waiting.scheduler.settle();
        assertThat(waiting.nodeOf("p")).isEqualTo("a");
    }

    /// Pods that fit nowhere, first in the list by their names.
    @Test
    @Tag("E-66")
    void hopelessPodsOfTheFirstListKeepNobodyWaiting() {
        var waiting =
                Bed.withEngine((EngineSettings settings) ->
                        settings.awaiting(Set.of(Kind.NODE, Kind.POD)));
        waiting.scheduler.add(node("a").build());
        for (int i = 0; i < 100; i++) {
            waiting.scheduler.create(pod("hopeless-" + i).cpu("1000").build());
        }
        waiting.scheduler.create(pod("ready").build());
        waiting.engine().synced(Kind.NODE);
        waiting.engine().synced(Kind.POD);
        int attempts = 0;
        do {
            waiting.engine().step();
            attempts++;
        } while (waiting.isQueued("ready") && attempts < 101);
        assertThat(attempts).isLessThan(90);
        waiting.scheduler.settle();
        assertThat(waiting.nodeOf("ready")).isEqualTo("a");
    }

    @Test
    @Tag("E-81")
    @Tag("E-68")
    void assumedPodsChangesAreIgnored() {
        var pod = pod("p").build();
        bed.books().state().assumePod(pod.onNode("a"));
        seen(pod);
        seen(pod.toBuilder().labels(pod.labels().with("x", "y")).resourceVersion("9").build());
        assertThat(bed.isQueued("p")).isFalse();
        assertThat(bed.books().state().isAssumed(pod.uid())).isTrue();
        told.clear();
        seen(pod.toBuilder().deletedAt(HandClock.START).resourceVersion("10").build());
        assertThat(bed.books().state().isAssumed(pod.uid())).isFalse();
        assertThat(toldToHigh()).containsExactly("high pod- p>");
    }
}
