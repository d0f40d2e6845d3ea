package io.berth.engine.profile;

import static io.berth.engine.Scripted.filter;
import static io.berth.engine.Scripted.preAndFilter;
import static io.berth.engine.Scripted.score;
import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.handle.Extender.Filtered;
import io.berth.api.model.Pod;
import io.berth.api.verdict.PreFilterVerdict;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import io.berth.engine.Bed;
import io.berth.engine.framework.CycleState;
import io.berth.engine.framework.Rejection;
import io.berth.engine.port.StatusCode;
import io.berth.testkit.InMemoryExtender;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The order of a search, and what the framework offers to plugins and tells about itself.
final class FrameworkTest {
    private final List<String> steps = new ArrayList<>();

    private Bed noted(Verdict onB) {
        var plugin =
                preAndFilter(
                        "Noted",
                        pod -> {
                            steps.add("preFilter");
                            return PreFilterVerdict.PASS;
                        },
                        (pod, node) -> {
                            steps.add("filter " + node.name());
                            return node.name().equals("b") ? onB : Verdict.PASS;
                        });
        var extender =
                InMemoryExtender.named("x")
                        .filtering((pod, nodes) -> {
                            steps.add("extender " + nodes);
                            return Filtered.to(nodes);
                        });
        var bed = Bed.with(List.of(extender), plugin, score("Equal", node -> 0));
        for (var name : List.of("a", "b", "c")) {
            bed.scheduler.add(node(name).build());
        }
        return bed;
    }

    @Test
    @Tag("E-85")
    void preFilterComesFirstThenAllNodesThenTheExtenders() {
        noted(Verdict.PASS).run(pod("p").build());
        assertThat(steps)
                .containsExactly(
                        "preFilter", "filter a", "filter b", "filter c", "extender [a, b, c]");
    }

    @Test
    @Tag("E-85")
    void nominatedNodeThatFitsEndsTheSearch() {
        noted(Verdict.PASS).run(pod("p").with(p -> p.nominatedNodeName("b")).build());
        assertThat(steps).containsExactly("preFilter", "filter b", "extender [b]");
    }

    @Test
    @Tag("E-85")
    void nominatedNodeThatDoesNotFitIsFollowedByTheOthers() {
        noted(Refusal.mayPreempt("full")).run(pod("p").with(p -> p.nominatedNodeName("b")).build());
        assertThat(steps)
                .startsWith("preFilter", "filter b", "filter a")
                .endsWith("filter c", "extender [a, c]");
    }

    @Test
    @Tag("E-123")
    void codesHaveUpstreamsNamesAndOrder() {
        assertThat(Arrays.stream(StatusCode.values()).map(StatusCode::text))
                .containsExactly(
                        "Success",
                        "Error",
                        "Unschedulable",
                        "UnschedulableAndUnresolvable",
                        "Wait",
                        "Skip",
                        "Pending");
    }

    @Test
    @Tag("E-123")
    void refusalsAreTheRejections() {
        var pending = new Refusal(List.of("soon"), Refusal.Remedy.PENDING);
        assertThat(StatusCode.of(Refusal.mayPreempt("x"))).isEqualTo(StatusCode.UNSCHEDULABLE);
        assertThat(StatusCode.of(Refusal.hopeless("x")))
                .isEqualTo(StatusCode.UNSCHEDULABLE_AND_UNRESOLVABLE);
        assertThat(StatusCode.of(pending)).isEqualTo(StatusCode.PENDING);
        assertThat(StatusCode.ofVerdict(Verdict.PASS)).isEqualTo(StatusCode.SUCCESS);
        assertThat(Arrays.stream(StatusCode.values()).filter(StatusCode::isRejection))
                .containsExactly(
                        StatusCode.UNSCHEDULABLE,
                        StatusCode.UNSCHEDULABLE_AND_UNRESOLVABLE,
                        StatusCode.PENDING);
    }

    @Test
    @Tag("E-123")
    void reasonsOfARejectionAreJoinedWithCommas() {
        var refusal = new Refusal(List.of("one", "two"), Refusal.Remedy.NOTHING_HELPS);
        assertThat(new Rejection("P", refusal).message()).isEqualTo("one, two");
    }

    @Test
    @Tag("E-135")
    @Tag("E-136")
    void handleNominatesRunsFiltersAndRemovesPodsInThought() {
        var bed =
                Bed.of(
                        filter(
                                "Alone",
                                (pod, node) ->
                                        node.pods().isEmpty()
                                                ? Verdict.PASS
                                                : Refusal.mayPreempt("taken")));
        bed.scheduler.add(node("a").build());
        bed.run(pod("first").build());
        assertThat(bed.nodeOf("first")).isEqualTo("a");

        var handle = bed.handle();
        var second = pod("second").build();
        bed.run(second);
        assertThat(bed.nodeOf("second")).isEmpty();
        var cycle = new CycleState();
        var a = handle.nodes().all().getFirst();
        assertThat(handle.filterWithNominatedPods(cycle, second, a)).isInstanceOf(Refusal.class);
        try (var dryRun = handle.dryRun(cycle, second)) {
            dryRun.on(a);
            dryRun.remove(a.pods().getFirst());
            assertThat(dryRun.fits()).isTrue();
            dryRun.add(pod("third").build());
            assertThat(dryRun.fits()).isFalse();
        }
        handle.nominations().nominate(second, "a");
        assertThat(handle.nominations().on("a")).extracting(Pod::name).containsExactly("second");
        handle.nominations().remove(second);
        assertThat(handle.nominations().isEmpty()).isTrue();
        assertThat(handle.extenders()).isEmpty();
    }

    @Test
    @Tag("E-140")
    void pluginsAreListedByExtensionPoint() {
        var bed = Bed.of(filter("F", (pod, node) -> Verdict.PASS), score("S", node -> 0));
        var profile = bed.engine().profiles().values().iterator().next();
        assertThat(profile.pluginNames())
                .containsEntry("Filter", List.of("F"))
                .containsEntry("Score", List.of("S"))
                .containsEntry("Bind", List.of("Binder"))
                .containsEntry("QueueSort", List.of("Order"))
                .doesNotContainKey("Permit");
        assertThat(bed.handle().pluginNames()).containsExactly("Order", "F", "S", "Binder");
    }
}
