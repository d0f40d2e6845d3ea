package io.berth.engine.cycle;

import static io.berth.engine.Scripted.permit;
import static io.berth.engine.Scripted.waitingForAPlace;
import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.handle.ClusterException;
import io.berth.api.handle.Recorder;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Filter;
import io.berth.api.plugin.Permit;
import io.berth.api.verdict.PermitVerdict;
import io.berth.engine.Bed;
import io.berth.testkit.HandClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What the cluster does while a binding is under way.
final class RacesTest {
    private final List<String> woken = new ArrayList<>();

    private final Filter waits = waitingForAPlace(woken);

    /// A bed with pod `p` on its way to node a: placed, its binding not yet sent.
    private Bed bindingUnderWay() {
        var bed = Bed.of(waits);
        bed.scheduler.add(node("a").build());
        bed.run(pod("other").build());
        woken.clear();
        bed.scheduler.create(pod("p").build());
        bed.stepOnly();
        assertThat(bed.books().state().isAssumed("default/p")).isTrue();
        assertThat(bed.scheduler.tasks().waiting()).isEqualTo(1);
        return bed;
    }

    private static void assertClean(Bed bed) {
        assertThat(bed.books().queue().counts().inFlight()).isZero();
        assertThat(bed.engine().queries().underWay()).isZero();
        assertThat(bed.books().state().assumedCount()).isZero();
        assertThat(bed.books().state().recount()).isEmpty();
    }

    private static List<String> reasons(Bed bed, String uid) {
        return bed.scheduler.cluster().events().stream()
                .filter(event -> event.about().uid().equals(uid))
                .map(Recorder.Event::reason)
                .toList();
    }

    @Nested
    @Tag("E-171")
    @Tag("E-71")
    @Tag("E-69")
    final class Deleted {
        @Test
        void placeIsFreeAtOnceAndTheBindingFailsLater() {
            var bed = bindingUnderWay();
            bed.scheduler.cluster().remove(pod("p").build());
            bed.stepOnly();
            assertThat(bed.books().state().podCount()).isZero();
            assertThat(woken).containsExactly("other");

            bed.scheduler.settle();
            assertThat(bed.isQueued("p")).isFalse();
            assertThat(bed.log.sentences())
                    .contains("Failed to bind pod", "Pod doesn't exist in informer cache");
            assertClean(bed);
        }

        @Test
        @Tag("E-107")
        void eventIsWrittenAlthoughThePodIsGone() {
            var bed = bindingUnderWay();
            bed.scheduler.cluster().remove(pod("p").build());
            bed.scheduler.settle();
            assertThat(reasons(bed, "default/p")).containsExactly("FailedScheduling");
        }

        @Test
        @Tag("E-68")
        void placeIsFreeAtOnceWhereThePodIsOnItsWayOut() {
            var bed = bindingUnderWay();
            bed.scheduler.cluster().terminate(pod("p").build(), HandClock.START);
            bed.stepOnly();
            assertThat(bed.books().state().podCount()).isZero();
            assertThat(woken).containsExactly("other");
        }

        @Test
        @Tag("E-134")
        void podThatWaitsForItsPermitIsRejected() {
            Permit permit =
                    permit(
                            "P",
                            pod ->
                                    pod.name().equals("p")
                                            ? new PermitVerdict.Wait(Duration.ofMinutes(1))
                                            : PermitVerdict.PASS);
            var bed = Bed.of(waits, permit);
            bed.scheduler.add(node("a").build());
            bed.run(pod("other").build());
            bed.run(pod("p").build());
            assertThat(bed.handle().waitingPod("default/p")).isNotNull();
            woken.clear();

            bed.scheduler.cluster().remove(pod("p").build());
            bed.scheduler.settle();
            assertThat(bed.handle().waitingPod("default/p")).isNull();
            assertThat(bed.books().state().podCount()).isZero();
            assertThat(woken).contains("other");
            assertThat(bed.notes()).contains("0/1 nodes are available: 1 removed.");
            assertThat(bed.isQueued("p")).isFalse();
            assertClean(bed);
        }

        @Test
        void podOnItsWayOutThatWaitedIsParkedAndNotTriedAgain() {
            var bed = Bed.of(permit("P", pod -> new PermitVerdict.Wait(Duration.ofMinutes(1))));
            bed.scheduler.add(node("a").build());
            bed.run(pod("p").build());
            bed.scheduler.cluster().terminate(pod("p").build(), HandClock.START);
            bed.scheduler.settle();
            assertThat(bed.subQueueOf("p")).isEqualTo("PARKED");
            assertThat(bed.notes()).containsExactly("0/1 nodes are available: 1 removed.");
        }

        @Test
        void podThatWasAllowedJustBeforeGivesItsPlaceBackAtOnce() {
            var bed = Bed.of(permit("P", pod -> new PermitVerdict.Wait(Duration.ofMinutes(1))));
            bed.scheduler.add(node("a").build());
            bed.scheduler.create(pod("p").build());
            bed.stepOnly();
            bed.waitingPod("p").allow("P");
            bed.scheduler.cluster().remove(pod("p").build());
            bed.stepOnly();
            assertThat(bed.books().state().podCount()).isZero();
            bed.scheduler.settle();
            assertClean(bed);
        }
    }

    @Nested
    @Tag("E-171")
    @Tag("E-107")
    final class MadeAnew {
        @Test
        void nothingIsToldAboutTheFirstAndTheSecondIsPlaced() {
            var bed = bindingUnderWay();
            bed.scheduler.cluster().remove(pod("p").build());
            bed.scheduler.create(pod("p").uid("second").build());
            bed.scheduler.settle();
            assertThat(reasons(bed, "default/p")).isEmpty();
            assertThat(reasons(bed, "second")).containsExactly("Scheduled");
            assertThat(bed.nodeOf("p")).isEqualTo("a");
            assertThat(bed.log.sentences())
                    .contains(
                            "Pod was recreated while handling scheduling failure. Skip requeueing"
                                    + " and status updates.");
            assertClean(bed);
        }

        @Test
        @Tag("E-67")
        void deletionThatWasMissedIsMadeUpFor() {
            var bed = bindingUnderWay();
            // A new uid under the old name, without any news of the deletion.
            bed.scheduler.create(pod("p").uid("second").build());
            bed.stepOnly();
            assertThat(bed.books().state().podOf("default/p")).isNull();
            bed.scheduler.settle();
            assertThat(bed.nodeOf("p")).isEqualTo("a");
            assertThat(bed.books().state().podOf("second")).isNotNull();
            assertClean(bed);
        }
    }

    @Test
    @Tag("E-172")
    @Tag("E-68")
    void changeOfAPodUnderWayIsSeenWhenItReturns() {
        var bed = bindingUnderWay();
        bed.scheduler
                .cluster()
                .failNextBind(
                        "default/p",
                        new ClusterException(ClusterException.Kind.UNAVAILABLE, "later"));
        bed.scheduler.create(pod("p").label("new", "yes").build());
        bed.stepOnly();
        assertThat(bed.held("p").labels().value("new")).isNull();
        bed.scheduler.settle();
        assertThat(bed.queued("p").pod().labels().value("new")).isEqualTo("yes");
        assertThat(bed.subQueueOf("p")).isEqualTo("ERROR_BACKOFF");
    }

    @Nested
    @Tag("E-168")
    final class NodeDeleted {
        @Test
        void bindingDecides() {
            var bed = bindingUnderWay();
            bed.scheduler.remove(node("a").build());
            bed.stepOnly();
            assertThat(bed.books().state().isAssumed("default/p")).isTrue();
            bed.scheduler.settle();
            assertThat(bed.nodeOf("p")).isEqualTo("a");
            assertThat(bed.books().state().podCount()).isEqualTo(1);
            assertClean(bed);
        }

        @Test
        void failedBindingLeavesNothingBehind() {
            var bed = bindingUnderWay();
            bed.scheduler.remove(node("a").build());
            bed.scheduler
                    .cluster()
                    .failNextBind(
                            "default/p",
                            new ClusterException(
                                    ClusterException.Kind.NOT_FOUND, "nodes \"a\" not found"));
            bed.scheduler.settle();
            assertThat(bed.books().state().podCount()).isZero();
            assertThat(bed.books().state().nodeCountWithGhosts()).isZero();
            assertThat(bed.messageOf("p"))
                    .isEqualTo("running Bind plugin \"Binder\": nodes \"a\" not found");
        }
    }

    @Nested
    @Tag("E-170")
    final class BoundByAnother {
        @Test
        void booksFollowTheClusterAndNobodyIsWoken() {
            var bed = bindingUnderWay();
            bed.scheduler.add(node("b").build());
            // Another scheduler was quicker.
            bed.scheduler.create(pod("p").onNode("b").build());
            bed.stepOnly();
            assertThat(bed.held("p").nodeName()).isEqualTo("b");
            assertThat(bed.books().state().isAssumed("default/p")).isFalse();
            woken.clear();

            bed.scheduler.settle();
            assertThat(bed.nodeOf("p")).isEqualTo("b");
            assertThat(bed.held("p").nodeName()).isEqualTo("b");
            assertThat(bed.isQueued("p")).isFalse();
            assertThat(woken).isEmpty();
            assertThat(bed.log.sentences())
                    .contains(
                            "ForgetPod failed",
                            "Pod has been assigned to node. Abort adding it back to queue.");
            assertClean(bed);
        }
    }

    @Test
    @Tag("E-169")
    void conflictIsToldAndThePodIsTriedAgainByErrorBackoff() {
        var bed = bindingUnderWay();
        bed.scheduler
                .cluster()
                .failNextBind(
                        "default/p",
                        new ClusterException(ClusterException.Kind.CONFLICT, "object was changed"));
        bed.scheduler.settle();
        assertThat(bed.messageOf("p"))
                .isEqualTo("running Bind plugin \"Binder\": object was changed");
        assertThat(bed.subQueueOf("p")).isEqualTo("ERROR_BACKOFF");
        assertThat(bed.queued("p").consecutiveErrors()).isEqualTo(1);
        bed.pass(3);
        assertThat(bed.nodeOf("p")).isEqualTo("a");
        assertThat(bed.books().state().pods()).extracting(Pod::name).containsExactly("p");
    }

    @Test
    @Tag("E-106")
    void podThatWasRefusedIsNotWokenByItsOwnPlace() {
        var permit = permit("P", pod -> new PermitVerdict.Wait(Duration.ofSeconds(5)));
        var bed = Bed.of(permit);
        bed.scheduler.add(node("a").build());
        bed.run(pod("p").build());
        bed.pass(5);
        assertThat(bed.subQueueOf("p")).isEqualTo("PARKED");
        assertThat(bed.queued("p").attempts()).isEqualTo(1);
    }
}
