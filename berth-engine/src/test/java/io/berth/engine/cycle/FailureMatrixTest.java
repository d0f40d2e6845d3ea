package io.berth.engine.cycle;

import static io.berth.engine.Scripted.bind;
import static io.berth.engine.Scripted.filter;
import static io.berth.engine.Scripted.permit;
import static io.berth.engine.Scripted.preBind;
import static io.berth.engine.Scripted.preFilter;
import static io.berth.engine.Scripted.preScore;
import static io.berth.engine.Scripted.reserve;
import static io.berth.engine.Scripted.score;
import static io.berth.engine.Scripted.waitingForAPlace;
import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.handle.ClusterException;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Plugin;
import io.berth.api.verdict.PermitVerdict;
import io.berth.api.verdict.PreFilterVerdict;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.ReserveVerdict;
import io.berth.api.verdict.Verdict;
import io.berth.engine.Bed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// One test per row of the failure matrix: what users read, who is to blame, what is undone, where
/// the pod goes, who is woken, what becomes of the nomination.
///
/// Pod `p` fails. Pod `other` waits because of the plugin `Waits`, which is woken when a place
/// becomes free and notes what woke it.
@Tag("E-167a")
@Tag("E-167")
final class FailureMatrixTest {
    private static final Plugin NO_WAITING = preFilter("None", pod -> PreFilterVerdict.PASS);

    private final List<String> journal = new ArrayList<>();
    private final List<String> woken = new ArrayList<>();

    /// A Reserve plugin that shows what is undone.
    private final Plugin books = reserve("Books", journal, pod -> ReserveVerdict.PASS);

    private final Plugin waits = waitingForAPlace(woken);

    @SuppressWarnings("UnnecessaryLambda") // serves every extension point, whatever it returns
    private static <T> Function<Pod, T> breaking() {
        return pod -> {
            throw new IllegalStateException("boom");
        };
    }

    /// What is to be seen after the failure of pod `p`.
    ///
    /// @param queue where the pod is: PARKED or ERROR_BACKOFF
    /// @param woken whether the waiting pod was asked whether the place that became free helps
    private record Row(
            String reason,
            String message,
            Set<String> rejectors,
            List<String> journal,
            String queue,
            boolean woken) {}

    private static Row broken(String message) {
        return new Row("SchedulerError", message, Set.of(), List.of(), "ERROR_BACKOFF", false);
    }

    private Bed bed(Plugin... plugins) {
        var all = new ArrayList<Plugin>(List.of(waits, books));
        all.addAll(List.of(plugins));
        var bed = Bed.of(all.toArray(Plugin[]::new));
        bed.scheduler.add(node("a").build());
        bed.scheduler.add(node("b").build());
        bed.run(pod("other").build());
        assertThat(bed.subQueueOf("other")).isEqualTo("PARKED");
        journal.clear();
        woken.clear();
        return bed;
    }

    private void assertRow(Row expected, Bed bed, Consumer<Bed> between) {
        bed.scheduler.create(pod("p").build());
        bed.scheduler.settle();
        between.accept(bed);
        bed.scheduler.settle();
        var info = bed.queued("p");
        assertThat(
                        new Row(
                                bed.reasonOf("p"),
                                bed.messageOf("p"),
                                info.unschedulablePlugins(),
                                List.copyOf(journal),
                                bed.subQueueOf("p"),
                                woken.contains("other")))
                .isEqualTo(expected);
        assertThat(woken).doesNotContain("p");
        assertThat(bed.books().state().podCount()).isZero();
        assertThat(bed.books().queue().nominator().isEmpty()).isTrue();
        assertThat(bed.books().queue().counts().inFlight()).isZero();
        assertThat(bed.engine().queries().underWay()).isZero();
        assertThat(bed.scheduler.cluster().pod("default/p").nominatedNodeName()).isEmpty();
        assertThat(bed.notes()).contains(expected.message);
    }

    private void assertRow(Row expected, Plugin... plugins) {
        assertRow(expected, bed(plugins), _ -> {});
    }

    @Nested
    final class InTheSearch {
        @Test
        void preFilterRejected() {
            assertRow(
                    new Row(
                            "Unschedulable",
                            "0/2 nodes are available: no.",
                            Set.of("P"),
                            List.of(),
                            "PARKED",
                            false),
                    preFilter("P", pod -> Refusal.mayPreempt("no")));
        }

        @Test
        void preFilterBroken() {
            assertRow(
                    broken("running PreFilter plugin \"P\": boom"),
                    preFilter(
                            "P",
                            pod -> {
                                if (pod.name().equals("p")) {
                                    throw new IllegalStateException("boom");
                                }
                                return PreFilterVerdict.PASS;
                            }));
        }

        @Test
        void filterBroken() {
            assertRow(
                    broken("running \"P\" filter plugin: boom"),
                    filter(
                            "P",
                            (pod, node) -> {
                                throw new IllegalStateException("boom");
                            }));
        }

        @Test
        void preScoreBroken() {
            assertRow(
                    broken("running PreScore plugin \"P\": boom"),
                    preScore(
                            "P",
                            nodes -> {
                                throw new IllegalStateException("boom");
                            }),
                    score("S", node -> 1));
        }

        @Test
        void scoreBroken() {
            assertRow(
                    broken("running Score plugins: plugin \"S\" failed with: boom"),
                    score(
                            "S",
                            node -> {
                                throw new IllegalStateException("boom");
                            }));
        }

        @Test
        void allNodesFiltered() {
            assertRow(
                    new Row(
                            "Unschedulable",
                            "0/2 nodes are available: 1 x, 1 y.",
                            Set.of("X", "Y"),
                            List.of(),
                            "PARKED",
                            false),
                    filter(
                            "X",
                            (pod, node) ->
                                    node.name().equals("a")
                                            ? Refusal.mayPreempt("x")
                                            : Verdict.PASS),
                    filter("Y", (pod, node) -> Refusal.hopeless("y")));
        }
    }

    @Nested
    @Tag("E-104")
    final class InTheReservation {
        @Test
        void assumeFailed() {
            // The books already have the uid, as bound.
            var bed = bed();
            bed.books().state().addPod(pod("q").uid("default/p").onNode("b").build());
            bed.run(pod("p").build());
            assertThat(bed.reasonOf("p")).isEqualTo("SchedulerError");
            assertThat(bed.messageOf("p"))
                    .isEqualTo("pod default/p(default/p) is in the cache, so can't be assumed");
            assertThat(bed.subQueueOf("p")).isEqualTo("ERROR_BACKOFF");
            assertThat(journal).isEmpty();
        }

        @Test
        void reserveRejected() {
            assertRow(
                    new Row(
                            "Unschedulable",
                            "0/1 nodes are available: 1 taken.",
                            Set.of("R"),
                            List.of("+Books", "+R", "-Late", "-R", "-Books"),
                            "PARKED",
                            false),
                    reserve("R", journal, pod -> Refusal.mayPreempt("taken")),
                    reserve("Late", journal, pod -> ReserveVerdict.PASS));
        }

        @Test
        void reserveBroken() {
            assertRow(
                    new Row(
                            "SchedulerError",
                            "running Reserve plugin \"R\": boom",
                            Set.of(),
                            List.of("+Books", "+R", "-R", "-Books"),
                            "ERROR_BACKOFF",
                            false),
                    reserve("R", journal, breaking()));
        }

        @Test
        @Tag("E-192")
        void permitRejected() {
            assertRow(
                    new Row(
                            "Unschedulable",
                            "0/1 nodes are available: 1 not now.",
                            Set.of("P"),
                            List.of("+Books", "-Books"),
                            "PARKED",
                            false),
                    permit("P", pod -> Refusal.mayPreempt("not now")));
        }

        @Test
        void permitBroken() {
            assertRow(
                    new Row(
                            "SchedulerError",
                            "running Permit plugin \"P\": boom",
                            Set.of(),
                            List.of("+Books", "-Books"),
                            "ERROR_BACKOFF",
                            false),
                    permit("P", breaking()));
        }
    }

    @Nested
    @Tag("E-106")
    final class InTheBinding {
        private static final List<String> UNDONE = List.of("+Books", "-Books");

        private static Row brokenAndUndone(String message) {
            return new Row("SchedulerError", message, Set.of(), UNDONE, "ERROR_BACKOFF", true);
        }

        private static Row refused(String message, @Nullable String rejector, String queue) {
            return new Row(
                    "Unschedulable",
                    message,
                    rejector == null ? Set.of() : Set.of(rejector),
                    UNDONE,
                    queue,
                    true);
        }

        private static Plugin waiting() {
            return permit(
                    "P",
                    pod ->
                            pod.name().equals("p")
                                    ? new PermitVerdict.Wait(Duration.ofSeconds(10))
                                    : PermitVerdict.PASS);
        }

        @Test
        @Tag("E-124")
        void preFlightBroken() {
            assertRow(
                    brokenAndUndone("running PreBindPreFlight \"B\": boom"),
                    preBind("B", breaking(), breaking()));
        }

        @Test
        void preFlightBrokenBeforeAWaitLeavesNoWaitingPodBehind() {
            var bed = bed(waiting(), preBind("B", breaking(), breaking()));
            assertRow(brokenAndUndone("running PreBindPreFlight \"B\": boom"), bed, _ -> {});
            assertThat(bed.handle().waitingPods()).isEmpty();
        }

        @Test
        void permitWaitRejected() {
            assertRow(
                    refused("0/1 nodes are available: 1 changed my mind.", "P", "PARKED"),
                    bed(waiting()),
                    bed -> assertThat(bed.waitingPod("p").reject("P", "changed my mind")).isTrue());
        }

        @Test
        @Tag("E-134")
        void permitWaitRejectedByNobodyInParticular() {
            assertRow(
                    refused("0/1 nodes are available: 1 removed.", "", "PARKED"),
                    bed(waiting()),
                    bed -> assertThat(bed.handle().rejectWaitingPod("default/p")).isTrue());
        }

        @Test
        @Tag("E-132")
        @Tag("E-192")
        void permitWaitTimedOut() {
            assertRow(
                    refused(
                            "0/1 nodes are available: 1 rejected due to timeout after waiting 10s"
                                    + " at plugin P.",
                            "P",
                            "PARKED"),
                    bed(waiting()),
                    bed -> bed.pass(10));
        }

        @Test
        @Tag("E-132")
        void permitWaitPreempted() {
            assertRow(
                    brokenAndUndone("waiting on permit for pod: preempted"),
                    bed(waiting()),
                    bed -> assertThat(bed.waitingPod("p").preempt("D", "preempted")).isTrue());
        }

        @Test
        void preBindRejected() {
            assertRow(
                    refused("no volume", null, "ERROR_BACKOFF"),
                    preBind("B", pod -> Refusal.mayPreempt("no volume")));
        }

        @Test
        void preBindBroken() {
            assertRow(
                    brokenAndUndone("running PreBind plugin \"B\": boom"),
                    preBind("B", breaking()));
        }

        @Test
        void bindRejected() {
            assertRow(
                    refused("no room after all", null, "ERROR_BACKOFF"),
                    bind("First", pod -> Refusal.mayPreempt("no room after all")));
        }

        @Test
        @Tag("E-169")
        void bindBroken() {
            var bed = bed(NO_WAITING);
            bed.scheduler
                    .cluster()
                    .failNextBind(
                            "default/p",
                            new ClusterException(ClusterException.Kind.CONFLICT, "conflict"));
            assertRow(brokenAndUndone("running Bind plugin \"Binder\": conflict"), bed, _ -> {});
        }
    }
}
