package io.berth.engine.query;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.label.Labels;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Namespace;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.spec.Volume;
import io.berth.api.verdict.PermitVerdict;
import io.berth.api.verdict.PostFilterVerdict;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import io.berth.engine.Bed;
import io.berth.engine.Scripted;
import io.berth.engine.port.ClusterFeed;
import io.berth.engine.port.ClusterImage;
import io.berth.engine.queue.SubQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class EngineQueriesTest {
    private static final Refusal FULL = Refusal.mayPreempt("full");

    private static EngineQueries queries(Bed bed) {
        return bed.engine().queries();
    }

    /// Has a pod tried while what is written is not seen on the watch yet.
    private static void runUnseen(Bed bed, Pod pod) {
        bed.scheduler.create(pod);
        bed.scheduler.cluster().hold();
        bed.scheduler.settle();
    }

    @Test
    void queueTellsWhereAPodWaitsAndWhy() {
        var bed = Bed.of(Scripted.filter("Room", (pod, node) -> FULL));
        bed.scheduler.add(node("a").build());
        bed.run(pod("p").build());

        var waits = queries(bed).queue().getFirst();
        assertThat(waits.pod().name()).isEqualTo("p");
        assertThat(waits.subQueue()).isEqualTo(SubQueue.PARKED);
        assertThat(waits.refusedBy()).containsExactly("Room");
        assertThat(waits.attempts()).isEqualTo(1);
        assertThat(queries(bed).pending("default/p")).contains(waits);
        assertThat(queries(bed).pending("default/q")).isEmpty();
        assertThat(queries(bed).attemptCount()).isEqualTo(1);
    }

    /// What was answered stays what it was while the engine goes on.
    @Test
    void answersDoNotChangeAfterwards() {
        var bed = Bed.of(Scripted.filter("Room", (pod, node) -> Verdict.PASS));
        bed.scheduler.add(node("a").cpu("4").build());
        bed.run(pod("p").cpu("1").build());
        var nodes = queries(bed).nodes();
        var image = queries(bed).image();

        bed.run(pod("q").cpu("1").build());

        assertThat(nodes.getFirst().pods()).extracting(Pod::name).containsExactly("p");
        assertThat(nodes.getFirst().requested().cpuMillis()).isEqualTo(1000);
        assertThat(image.pods()).extracting(Pod::name).containsExactly("p");
    }

    @Test
    void podsThatWaitForAPermitAreTold() {
        var bed =
                Bed.of(
                        Scripted.permit(
                                "Door", pod -> new PermitVerdict.Wait(Duration.ofMinutes(1))));
        bed.scheduler.add(node("a").build());
        bed.run(pod("p").build());

        assertThat(queries(bed).waiting())
                .extracting(wait -> wait.pod().nodeName(), PermitWait::pendingFor)
                .containsExactly(org.assertj.core.groups.Tuple.tuple("a", List.of("Door")));
        assertThat(queries(bed).underWay()).isEqualTo(1);
        assertThat(queries(bed).writesUnderWay()).isZero();
    }

    @Test
    void nodesAreToldInTheOrderInWhichTheyAreVisited() {
        var bed = Bed.of();
        bed.scheduler.add(node("a1").zone("a").build());
        bed.scheduler.add(node("a2").zone("a").build());
        bed.scheduler.add(node("b1").zone("b").build());
        bed.run(pod("p").build());

        assertThat(queries(bed).nodes())
                .extracting(state -> state.node().name())
                .containsExactly("a1", "b1", "a2");
        assertThat(queries(bed).image().nodes())
                .extracting(Node::name)
                .containsExactly("a1", "b1", "a2");
    }

    @Test
    void imageHasAssumedPodsOnTheirNodes() {
        var bed = Bed.of();
        bed.scheduler.add(node("a").build());
        runUnseen(bed, pod("p").build());

        var image = queries(bed).image();
        assertThat(image.pods()).extracting(Pod::nodeName).containsExactly("a");
        assertThat(queries(bed).pods()).extracting(Pod::nodeName).containsExactly("");
    }

    @Test
    void imageHasNominationsThatTheStatusDoesNotKnowYet() {
        var bed =
                Bed.of(
                        Scripted.filter("Room", (pod, node) -> FULL),
                        Scripted.postFilter(
                                "Helper", refusals -> new PostFilterVerdict.Nominated("a")));
        bed.scheduler.add(node("a").build());
        runUnseen(bed, pod("p").uid("p").build());

        assertThat(queries(bed).nominations().get("a")).extracting(Pod::name).containsExactly("p");
        assertThat(queries(bed).nominationOf("p")).contains("a");
        assertThat(queries(bed).image().pods())
                .extracting(Pod::nominatedNodeName)
                .containsExactly("a");
        assertThat(queries(bed).pods()).extracting(Pod::nominatedNodeName).containsExactly("");
    }

    /// Other schedulers' pods, pods on a node that is gone, and objects that are no pods. Plugins
    /// may have volumes in mind for it, which no image tells of.
    @Test
    void volumesMayBePromisedWhileABindingOfAPodWithAClaimIsUnderWay() {
        var bed = Bed.of(Scripted.filter("Room", (pod, node) -> Verdict.PASS));
        bed.scheduler.add(node("a").build());
        runUnseen(bed, pod("p").build());
        assertThat(queries(bed).hasPromises()).isFalse();
        bed.scheduler.cluster().release();
        bed.scheduler.settle();
        var claim = new Volume("data", new Volume.Claim("data", false));
        runUnseen(bed, pod("q").uid("q").volume(claim).build());
        assertThat(queries(bed).isAssumed("q")).isTrue();
        assertThat(queries(bed).hasPromises()).isTrue();
        bed.scheduler.cluster().release();
        bed.scheduler.settle();
        assertThat(queries(bed).hasPromises()).isFalse();
    }

    @Test
    void podThatWaitsForAPermitIsFoundByItsUid() {
        var bed =
                Bed.of(
                        Scripted.permit(
                                "Waits", pod -> new PermitVerdict.Wait(Duration.ofHours(1))));
        bed.scheduler.add(node("a").build());
        bed.run(pod("p").uid("p").build());
        assertThat(queries(bed).waiting("p"))
                .hasValueSatisfying(wait -> assertThat(wait.pendingFor()).containsExactly("Waits"));
        assertThat(queries(bed).waiting("another")).isEmpty();
    }

    @Test
    void imageHasEverythingThatWasSeen() {
        var bed = Bed.of();
        bed.scheduler.add(node("a").build());
        bed.scheduler.add(new Namespace("red", Labels.EMPTY));
        bed.scheduler.create(pod("theirs").scheduler("other").build());
        bed.scheduler.create(pod("ghostly").onNode("gone").build());
        bed.scheduler.settle();

        var image = queries(bed).image();
        assertThat(image.pods())
                .extracting(Pod::name)
                .containsExactlyInAnyOrder("theirs", "ghostly");
        assertThat(image.of(Kind.NAMESPACE)).extracting(ClusterObject::name).containsExactly("red");
        assertThat(image.size()).isEqualTo(4);
    }

    @Test
    void imageIsShownLikeFirstListsWithPodsLast() {
        var shown = new ArrayList<String>();
        var image = ClusterImage.of(List.<ClusterObject>of(pod("p").build(), node("a").build()));
        image.fill(
                new ClusterFeed() {
                    @Override
                    public void seen(ClusterObject object) {
                        shown.add(object.name());
                    }

                    @Override
                    public void gone(Kind kind, String namespace, String name) {}

                    @Override
                    public void synced(Kind kind) {
                        shown.add(kind.plural());
                    }
                });
        assertThat(shown).contains("a", "nodes").endsWith("p", "pods");
        assertThat(shown).hasSize(2 + Kind.values().length);
    }
}
