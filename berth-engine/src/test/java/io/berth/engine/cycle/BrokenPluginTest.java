package io.berth.engine.cycle;

import static io.berth.engine.Scripted.bind;
import static io.berth.engine.Scripted.filter;
import static io.berth.engine.Scripted.permit;
import static io.berth.engine.Scripted.postFilter;
import static io.berth.engine.Scripted.preBind;
import static io.berth.engine.Scripted.preFilter;
import static io.berth.engine.Scripted.reserve;
import static io.berth.engine.Scripted.score;
import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.plugin.Plugin;
import io.berth.api.verdict.Refusal;
import io.berth.engine.Bed;
import java.util.ArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Upstream ends the process where a plugin panics. Here the attempt fails and the pod comes back,
/// also where the plugin was compiled against another API or recurses without end.
@Tag("E-141")
final class BrokenPluginTest {
    private static NoSuchMethodError linkage() {
        return new NoSuchMethodError("gone()");
    }

    @SuppressWarnings("InfiniteRecursion") // the point of it
    private static Error deep() {
        return deep();
    }

    static Stream<Arguments> plugins() {
        return Stream.of(
                Arguments.of(
                        preFilter(
                                "P",
                                pod -> {
                                    throw linkage();
                                }),
                        "running PreFilter plugin \"P\": NoSuchMethodError: gone()"),
                Arguments.of(
                        filter(
                                "P",
                                (pod, node) -> {
                                    throw linkage();
                                }),
                        "running \"P\" filter plugin: NoSuchMethodError: gone()"),
                Arguments.of(
                        score(
                                "P",
                                node -> {
                                    throw linkage();
                                }),
                        "running Score plugins: plugin \"P\" failed with: NoSuchMethodError: gone()"),
                Arguments.of(
                        reserve(
                                "P",
                                new ArrayList<>(),
                                pod -> {
                                    throw linkage();
                                }),
                        "running Reserve plugin \"P\": NoSuchMethodError: gone()"),
                Arguments.of(
                        permit(
                                "P",
                                pod -> {
                                    throw linkage();
                                }),
                        "running Permit plugin \"P\": NoSuchMethodError: gone()"),
                Arguments.of(
                        preBind(
                                "P",
                                pod -> {
                                    throw linkage();
                                }),
                        "running PreBind plugin \"P\": NoSuchMethodError: gone()"),
                Arguments.of(
                        bind(
                                "P",
                                pod -> {
                                    throw linkage();
                                }),
                        "running Bind plugin \"P\": NoSuchMethodError: gone()"),
                Arguments.of(
                        preFilter(
                                "P",
                                pod -> {
                                    throw deep();
                                }),
                        "running PreFilter plugin \"P\": StackOverflowError"),
                Arguments.of(
                        filter(
                                "P",
                                (pod, node) -> {
                                    throw deep();
                                }),
                        "running \"P\" filter plugin: StackOverflowError"),
                Arguments.of(
                        permit(
                                "P",
                                pod -> {
                                    throw deep();
                                }),
                        "running Permit plugin \"P\": StackOverflowError"),
                Arguments.of(
                        preBind(
                                "P",
                                pod -> true,
                                pod -> {
                                    throw deep();
                                }),
                        "running PreBind plugin \"P\": StackOverflowError"),
                Arguments.of(
                        bind(
                                "P",
                                pod -> {
                                    throw deep();
                                }),
                        "running Bind plugin \"P\": StackOverflowError"));
    }

    @ParameterizedTest
    @MethodSource("plugins")
    void podComesBack(Plugin plugin, String message) {
        var bed = Bed.of(plugin);
        bed.scheduler.add(node("a").build());
        bed.scheduler.add(node("b").build());
        bed.run(pod("p").build());
        assertThat(bed.messageOf("p")).isEqualTo(message);
        assertThat(bed.reasonOf("p")).isEqualTo("SchedulerError");
        assertThat(bed.subQueueOf("p")).isEqualTo("ERROR_BACKOFF");
        assertThat(bed.books().state().podCount()).isZero();
        assertThat(bed.engine().queries().underWay()).isZero();
        assertThat(bed.books().queue().counts().inFlight()).isZero();
    }

    @Test
    void brokenPostFilterLeavesTheReasonsStanding() {
        var bed =
                Bed.of(
                        filter("No", (pod, node) -> Refusal.mayPreempt("no")),
                        postFilter(
                                "P",
                                refusals -> {
                                    throw linkage();
                                }));
        bed.scheduler.add(node("a").build());
        bed.run(pod("p").build());
        assertThat(bed.messageOf("p"))
                .isEqualTo("0/1 nodes are available: 1 no. NoSuchMethodError: gone()");
        assertThat(bed.subQueueOf("p")).isEqualTo("PARKED");
    }
}
