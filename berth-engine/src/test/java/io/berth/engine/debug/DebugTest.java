package io.berth.engine.debug;

import static io.berth.engine.Scripted.filter;
import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.column.NodeView.ImageState;
import io.berth.api.model.Kind;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import io.berth.engine.Bed;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What an operator gets in the log on demand.
final class DebugTest {
    private static Bed bed() {
        var bed =
                Bed.of(
                        filter(
                                "NotYet",
                                (pod, node) ->
                                        pod.name().equals("waits")
                                                ? Refusal.hopeless("not yet")
                                                : Verdict.PASS));
        bed.scheduler.add(node("a").cpu("2").build());
        bed.scheduler.add(node("b").cpu("1").build());
        bed.run(pod("on-a").onNode("a").cpu("500m").with(p -> p.phase("Running")).build());
        return bed;
    }

    @Test
    @Tag("E-177")
    @Tag("P-312")
    void nodesAreDumpedWithTheirPods() {
        var bed = bed();
        bed.log.clear();
        bed.engine().debug();
        bed.stepOnly();
        var dump = bed.log.detail("Dump of cached NodeInfo");
        assertThat(dump)
                .contains("Node name: a\nDeleted: false\nRequested Resources: ")
                .contains("\nAllocatable Resources:")
                .contains(
                        "Scheduled Pods(number: 1):\nname: on-a, namespace: default, uid:"
                                + " default/on-a, phase: Running, nominated node: ")
                .contains("\n\nNode name: b\n")
                .contains("Scheduled Pods(number: 0):")
                .doesNotContain("Nominated Pods");
    }

    @Test
    @Tag("E-177")
    @Tag("E-62")
    void queueIsDumpedWithItsSummary() {
        var bed = bed();
        bed.run(pod("waits").build());
        bed.log.clear();
        bed.engine().debug();
        bed.stepOnly();
        assertThat(bed.log.detail("Dump of scheduling queue"))
                .contains("activeQ:0; backoffQ:0; unschedulablePods:1")
                .contains(
                        "name: waits, namespace: default, uid: default/waits, phase: Pending, nominated"
                                + " node: ");
    }

    /// How many nodes have an image is looked up anew for a node that has changed when the next
    /// attempt begins. A dump in between is no attempt.
    @Test
    @Tag("E-18")
    @Tag("E-177")
    void dumpChangesNothingForTheNextAttempt() {
        var bed = bed();
        bed.scheduler.add(node("with-1").image("app:v1", 100).build());
        bed.run(pod("first").build());
        bed.scheduler.add(pod("changes").onNode("with-1").build());
        bed.engine().debug();
        bed.stepOnly();
        bed.scheduler.add(node("with-2").image("app:v1", 100).build());
        bed.run(pod("second").build());

        assertThat(bed.books().state().nodes().all())
                .filteredOn(node -> node.name().equals("with-1"))
                .singleElement()
                .satisfies(node ->
                        assertThat(node.images()).containsEntry("app:v1", new ImageState(100, 2)));
    }

    /// A node that pods name but that was never seen, and one that went before its pods.
    private static Bed bedWithGhosts() {
        var bed = bed();
        bed.run(pod("on-c").onNode("c").cpu("300m").build());
        bed.engine().gone(Kind.NODE, "", "a");
        bed.stepOnly();
        bed.log.clear();
        return bed;
    }

    @Test
    @Tag("E-176")
    @Tag("E-26")
    void nodesThatOnlyPodsNameAreRedundant() {
        var bed = bedWithGhosts();
        bed.engine().debug();
        bed.stepOnly();
        assertThat(bed.log.detail("Cache mismatch"))
                .isEqualTo("missedNodes=[] redundantNodes=[a, c]");
    }

    @Test
    @Tag("E-177")
    @Tag("E-26")
    void nodesThatOnlyPodsNameAreDumpedAsDeleted() {
        var bed = bedWithGhosts();
        bed.engine().debug();
        bed.stepOnly();
        assertThat(bed.log.detail("Dump of cached NodeInfo"))
                .startsWith("nodes=Node name: b\nDeleted: false\n")
                .contains("\n\nNode name: a\nDeleted: true\nRequested Resources: {cpu: 500m,")
                .contains(
                        "\n\nNode name: c\nDeleted: true\nRequested Resources: {cpu: 300m, memory:"
                                + " 0, ephemeral-storage: 0, pods: 0, scalars: {}}\nAllocatable"
                                + " Resources:{cpu: 0m, memory: 0, ephemeral-storage: 0, pods: 0,"
                                + " scalars: {}}\nScheduled Pods(number: 1):\nname: on-c,");
    }

    @Test
    @Tag("E-175")
    void booksAreComparedThenDumpedAsOftenAsAskedFor() {
        var bed = bed();
        bed.log.clear();
        bed.engine().debug();
        bed.stepOnly();
        bed.engine().debug();
        bed.stepOnly();
        var once =
                List.of(
                        "Cache comparer started",
                        "Cache comparer finished",
                        "Dump of cached NodeInfo",
                        "Dump of scheduling queue");
        assertThat(bed.log.sentences())
                .filteredOn(once::contains)
                .containsExactlyElementsOf(Stream.of(once, once).flatMap(List::stream).toList());
    }

    @Test
    @Tag("E-176")
    void booksThatAgreeAreComparedInSilence() {
        var bed = bed();
        bed.log.clear();
        bed.engine().debug();
        bed.stepOnly();
        assertThat(bed.log.sentences())
                .containsSubsequence("Cache comparer started", "Cache comparer finished")
                .doesNotContain("Cache mismatch");
    }

    /// A pod that is being tried is in neither of the books, as upstream has it too.
    @Test
    @Tag("E-176")
    @Tag("P-311")
    void podInFlightShowsAsMissed() {
        var bed = bed();
        bed.scheduler.create(pod("new").build());
        bed.log.clear();
        // Forgotten, while its binding is still under way.
        bed.stepOnly();
        bed.books().state().forgetPod(bed.held("new"));
        bed.engine().debug();
        bed.stepOnly();
        assertThat(bed.log.detail("Cache mismatch"))
                .isEqualTo("missedPods=[default/new] redundantPods=[]");
    }
}
