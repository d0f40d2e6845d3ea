package io.berth.engine.cycle;

import static io.berth.engine.Scripted.filter;
import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.verdict.PostFilterVerdict.Nothing;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import io.berth.api.write.Write;
import io.berth.engine.Bed;
import io.berth.engine.Scripted;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Sentences that operators search for.
@Tag("E-179")
final class LogLinesTest {
    @Test
    void placedPodIsFollowedFromItsAdditionToItsBinding() {
        var bed = Bed.of();
        bed.scheduler.add(node("a").build());
        bed.run(pod("p").build());
        assertThat(bed.log.sentences())
                .containsSubsequence(
                        "Add event for node",
                        "Add event for unscheduled pod",
                        "Attempting to schedule pod",
                        "Attempting to bind pod to node",
                        "Successfully bound pod to node");
        assertThat(bed.log.detail("Successfully bound pod to node"))
                .isEqualTo("pod=default/p node=a evaluatedNodes=1 feasibleNodes=1");
    }

    @Test
    void podThatFitsNowhereIsTold() {
        var bed = Bed.of(filter("Never", (pod, node) -> Refusal.hopeless("never")));
        bed.scheduler.add(node("a").build());
        bed.run(pod("p").build());
        assertThat(bed.log.detail("Unable to schedule pod; no fit; waiting"))
                .isEqualTo("pod=default/p err=0/1 nodes are available: 1 never.");
    }

    @Test
    void whatPostFilterCameToIsTold() {
        var bed =
                Bed.of(
                        filter("Never", (pod, node) -> Refusal.hopeless("never")),
                        Scripted.postFilter("Helper", _ -> Nothing.keeping("no help")));
        bed.scheduler.add(node("a").build());
        bed.run(pod("p").build());
        assertThat(bed.log.lines())
                .contains(
                        "I5 Status after running PostFilter plugins for pod [pod, default/p, status, no"
                                + " help]");
    }

    @Test
    void brokenPostFilterIsAnErrorInTheLog() {
        var bed =
                Bed.of(
                        filter("Never", (pod, node) -> Refusal.hopeless("never")),
                        Scripted.postFilter(
                                "Helper",
                                _ -> {
                                    throw new IllegalStateException("boom");
                                }));
        bed.scheduler.add(node("a").build());
        bed.run(pod("p").build());
        String sentence = "Status after running PostFilter plugins for pod";
        assertThat(bed.log.detail(sentence)).startsWith("pod=default/p status=").contains("boom");
        assertThat(bed.log.lines())
                .noneMatch(line -> line.startsWith("I") && line.contains(sentence));
    }

    @Test
    void emptyClusterIsTold() {
        var bed = Bed.of();
        bed.run(pod("p").build());
        assertThat(bed.log.sentences())
                .contains(
                        "Unable to schedule pod; no nodes are registered to the cluster; waiting");
    }

    @Test
    void brokenAttemptIsTold() {
        var bed =
                Bed.of(
                        filter(
                                "Broken",
                                (pod, node) -> {
                                    throw new IllegalStateException("boom");
                                }));
        bed.scheduler.add(node("a").build());
        bed.run(pod("p").build());
        assertThat(bed.log.sentences())
                .containsSubsequence(
                        "Error selecting node for pod", "Error scheduling pod; retrying");
    }

    @Test
    void failedBindingIsTold() {
        var bed =
                Bed.of(
                        Scripted.bind(
                                "No",
                                pod -> {
                                    throw new IllegalStateException("no");
                                }));
        bed.scheduler.add(node("a").build());
        bed.run(pod("p").build());
        assertThat(bed.log.sentences()).contains("Failed to bind pod");
    }

    @Test
    void deletedPodIsSkipped() {
        var bed = Bed.of(filter("Any", (pod, node) -> Verdict.PASS));
        bed.run(pod("p").build().toBuilder().deletedAt(java.time.Instant.ofEpochSecond(1)).build());
        assertThat(bed.log.sentences()).contains("Skip schedule deleting pod");
    }

    @Test
    void changesOfTheClusterAreTold() {
        var bed = Bed.of();
        var node = node("a").build();
        bed.scheduler.add(node);
        bed.run(pod("p").onNode("a").build());
        bed.scheduler.add(node.toBuilder().unschedulable(true).build());
        bed.scheduler.cluster().send(new Write.Delete(bed.held("p")));
        bed.scheduler.remove(node);
        bed.scheduler.settle();
        assertThat(bed.log.sentences())
                .containsAll(
                        List.of(
                                "Add event for scheduled pod",
                                "Update event for node",
                                "Delete event for scheduled pod",
                                "Delete event for node"));
    }
}
