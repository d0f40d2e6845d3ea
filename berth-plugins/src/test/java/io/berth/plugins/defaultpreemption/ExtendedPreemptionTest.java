package io.berth.plugins.defaultpreemption;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.handle.Extender;
import io.berth.api.handle.Extender.ChosenVictims;
import io.berth.api.handle.Extender.Victims;
import io.berth.api.model.Pod;
import io.berth.api.spec.PodSpec;
import io.berth.engine.framework.ProfileSettings;
import io.berth.plugins.InTree;
import io.berth.testkit.InMemoryExtender;
import io.berth.testkit.TestScheduler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Preemption with services outside that have a say in it.
@Tag("E-149")
final class ExtendedPreemptionTest {
    /// What was asked, by extender: `x: {node: victims}`.
    private final List<String> asked = new ArrayList<>();

    private static TestScheduler scheduler(Extender... extenders) {
        var scheduler =
                TestScheduler.with(
                        InTree.factories(),
                        settings -> settings,
                        ports -> ports.withExtenders(List.of(extenders)),
                        ProfileSettings.of(PodSpec.DEFAULT_SCHEDULER, InTree.defaults()));
        for (var name : List.of("a", "b", "c")) {
            scheduler.add(node(name).cpu("2").build());
            scheduler.create(low(name));
        }
        return scheduler;
    }

    private static Pod low(String node) {
        return pod("low-" + node)
                .cpu("2")
                .priority(1)
                .onNode(node)
                .with(p -> p.phase("Running"))
                .build();
    }

    private static TestScheduler preempt(TestScheduler scheduler) {
        scheduler.create(pod("high").cpu("2").priority(10).build());
        scheduler.settle();
        return scheduler;
    }

    private static String placeOf(TestScheduler scheduler) {
        return scheduler.cluster().pod("default/high").nodeName();
    }

    private InMemoryExtender leaving(String name, String... nodes) {
        return InMemoryExtender.named(name)
                .preempting((pod, candidates) -> {
                    asked.add(name + ": " + candidates.keySet().stream().sorted().toList());
                    return only(candidates, nodes);
                });
    }

    private static Map<String, ChosenVictims> only(
            Map<String, Victims> candidates, String... nodes) {
        var left = new LinkedHashMap<String, ChosenVictims>();
        for (var name : nodes) {
            var victims = Objects.requireNonNull(candidates.get(name));
            left.put(
                    name,
                    new ChosenVictims(
                            victims.pods().stream().map(Pod::uid).toList(), victims.violations()));
        }
        return left;
    }

    private static InMemoryExtender answering(Map<String, ChosenVictims> answer) {
        return InMemoryExtender.named("http://x").preempting((pod, candidates) -> answer);
    }

    @Test
    @Tag("E-151")
    void eachNarrowsWhatTheOnesBeforeItLeft() {
        var scheduler = preempt(scheduler(leaving("x", "b", "c"), leaving("y", "c")));
        assertThat(asked).containsExactly("x: [a, b, c]", "y: [b, c]");
        assertThat(placeOf(scheduler)).isEqualTo("c");
    }

    @Test
    @Tag("E-165")
    void whereNothingIsLeftThereIsNoPreemption() {
        var scheduler = preempt(scheduler(leaving("x"), leaving("y", "a")));
        assertThat(asked).containsOnly("x: [a, b, c]");
        assertThat(scheduler.messageOf("default/high"))
                .endsWith("preemption: no candidate node for preemption");
    }

    @Test
    void extenderMayChooseOtherVictims() {
        var scheduler =
                scheduler(answering(Map.of("b", new ChosenVictims(List.of("default/tiny"), 0))));
        scheduler.create(pod("tiny").priority(1).onNode("b").build());
        preempt(scheduler);
        assertThat(scheduler.cluster().events())
                .filteredOn(event -> event.reason().equals("Preempted"))
                .extracting(event -> event.about().name())
                .containsOnly("tiny");
    }

    @Test
    void thoseWithoutTheVerbOrInterestAreNotAsked() {
        var scheduler =
                preempt(
                        scheduler(
                                InMemoryExtender.named("filter")
                                        .filtering((pod, nodes) -> Extender.Filtered.to(nodes)),
                                leaving("x").interestedIn(pod -> pod.name().equals("other"))));
        assertThat(asked).isEmpty();
        assertThat(placeOf(scheduler)).isNotEmpty();
    }

    @Test
    @Tag("E-148")
    void failureEndsThePreemption() {
        var failing =
                InMemoryExtender.named("x")
                        .preempting((pod, candidates) -> {
                            throw new IllegalStateException("out of order");
                        });
        var scheduler = preempt(scheduler(failing));
        assertThat(scheduler.messageOf("default/high")).endsWith("preemption: out of order");
        assertThat(preempt(scheduler(failing.ignorable())).nodeOf("default/high")).isNotEmpty();
    }

    @Test
    void nodeWithoutVictimsIsAFailure() {
        var nobody = answering(Map.of("a", new ChosenVictims(List.of(), 0)));
        assertThat(preempt(scheduler(nobody)).messageOf("default/high"))
                .endsWith("preemption: expected at least one victim pod on node \"a\"");
    }

    @Test
    void ignorableExtenderMayLeaveANodeWithoutVictims() {
        var left = new LinkedHashMap<String, ChosenVictims>();
        left.put("a", new ChosenVictims(List.of(), 0));
        left.put("b", new ChosenVictims(List.of("default/low-b"), 0));
        assertThat(preempt(scheduler(answering(left).ignorable())).nodeOf("default/high"))
                .isEqualTo("b");
    }

    @Test
    void victimOfAnotherNodeIsAFailure() {
        var wrong = answering(Map.of("a", new ChosenVictims(List.of("default/low-b"), 0)));
        assertThat(preempt(scheduler(wrong)).messageOf("default/high"))
                .endsWith(
                        "preemption: extender: http://x claims to preempt pod (UID:"
                                + " &{default/low-b}) on node: a, but the pod is not found on that"
                                + " node");
    }

    @Test
    void unknownNodeIsAFailure() {
        var wrong = answering(Map.of("ghost", new ChosenVictims(List.of("u"), 0)));
        assertThat(preempt(scheduler(wrong)).messageOf("default/high"))
                .endsWith("preemption: nodeinfo not found for node name \"ghost\"");
    }

    @Test
    void violationsThatTheExtenderReportsDecide() {
        var answer = new LinkedHashMap<String, ChosenVictims>();
        answer.put("a", new ChosenVictims(List.of("default/low-a"), 1));
        answer.put("c", new ChosenVictims(List.of("default/low-c"), 0));
        assertThat(preempt(scheduler(answering(answer))).nodeOf("default/high")).isEqualTo("c");
    }
}
