package io.berth.engine.search;

import static io.berth.engine.Scripted.columnFilter;
import static io.berth.engine.Scripted.filter;
import static io.berth.engine.Scripted.normalized;
import static io.berth.engine.Scripted.permit;
import static io.berth.engine.Scripted.preFilter;
import static io.berth.engine.Scripted.score;
import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.explain.Choice;
import io.berth.api.explain.Choice.Reason;
import io.berth.api.explain.Explanation;
import io.berth.api.explain.FilterAnswer;
import io.berth.api.explain.NodeExplanation;
import io.berth.api.explain.PreFilterAnswer;
import io.berth.api.explain.ScoreAnswer;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Filter;
import io.berth.api.plugin.Score;
import io.berth.api.spec.PodSpec;
import io.berth.api.verdict.PermitVerdict;
import io.berth.api.verdict.PreFilterVerdict;
import io.berth.api.verdict.PreFilterVerdict.OnlyNodes;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import io.berth.engine.Bed;
import io.berth.engine.profile.Profile;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What can be said about a pod and the nodes, without anything coming of it.
final class ExplainTest {
    private static final Refusal TOO_SMALL = Refusal.mayPreempt("too small");
    private static final Refusal TOO_FAR = Refusal.hopeless("too far");

    /// Refuses the nodes with a letter in their name.
    private static Filter refusing(String name, String letter, Refusal refusal) {
        return columnFilter(
                name, (pod, node) -> node.name().contains(letter) ? refusal : Verdict.PASS);
    }

    private static Profile profile(Bed bed) {
        return Objects.requireNonNull(bed.engine().profiles().get(PodSpec.DEFAULT_SCHEDULER));
    }

    private static Explanation explain(Bed bed, Pod pod) {
        return profile(bed).explain(pod);
    }

    private static NodeExplanation on(Explanation told, String node) {
        return told.node(node).orElseThrow();
    }

    private static Bed nodes(Bed bed, String... names) {
        for (var name : names) {
            bed.scheduler.add(node(name).build());
        }
        bed.scheduler.settle();
        return bed;
    }

    @Test
    @Tag("E-91")
    void everyFilterIsAskedAlsoAfterANo() {
        var bed =
                nodes(
                        Bed.of(
                                refusing("Size", "s", TOO_SMALL),
                                filter(
                                        "Distance",
                                        (pod, node) ->
                                                node.name().contains("f")
                                                        ? TOO_FAR
                                                        : Verdict.PASS)),
                        "a",
                        "s",
                        "sf");
        var told = explain(bed, pod("p").build());
        assertThat(on(told, "sf").filters())
                .containsExactly(
                        new FilterAnswer("Size", TOO_SMALL), new FilterAnswer("Distance", TOO_FAR));
        assertThat(on(told, "s").refusals()).containsExactly(new FilterAnswer("Size", TOO_SMALL));
        assertThat(on(told, "a").isFeasible()).isTrue();
        assertThat(told.refusals().get("sf")).isEqualTo(new FilterAnswer("Size", TOO_SMALL));
        assertThat(told.choice()).contains(Choice.unscored("a", Reason.ONLY_ONE));
    }

    @Test
    @Tag("E-100")
    void scoresAreToldRawNormalisedAndWeighted() {
        Score length = score("Length", node -> node.name().length());
        var halves =
                (Score)
                        normalized(
                                "Halves",
                                node -> node.name().length() * 10L,
                                scores -> {
                                    for (int i = 0; i < scores.count(); i++) {
                                        scores.values()[i] /= 2;
                                    }
                                });
        var bed = nodes(Bed.of(length, halves), "a", "bb", "cc");
        var told = explain(bed, pod("p").build());
        var rating = on(told, "bb").rating().orElseThrow();
        assertThat(rating.scores())
                .containsExactly(
                        new ScoreAnswer("Length", 2, 2, 1), new ScoreAnswer("Halves", 20, 10, 1));
        assertThat(rating.total()).isEqualTo(12);
        assertThat(rating.rank()).isOne();
        assertThat(on(told, "a").rating().orElseThrow().rank()).isEqualTo(3);
        assertThat(told.choice()).contains(new Choice("bb", Reason.ORDER, 12, 2));
    }

    @Test
    @Tag("E-86")
    void whatPreFilterSaidAndWhomItLeftOutIsTold() {
        var bed =
                nodes(
                        Bed.of(
                                preFilter("Skips", pod -> PreFilterVerdict.SKIP),
                                preFilter("Narrows", pod -> new OnlyNodes(Set.of("b", "c")))),
                        "a",
                        "b");
        var told = explain(bed, pod("p").build());
        assertThat(told.preFilters())
                .containsExactly(
                        new PreFilterAnswer("Skips", PreFilterVerdict.SKIP),
                        new PreFilterAnswer("Narrows", new OnlyNodes(Set.of("b", "c"))));
        assertThat(on(told, "a").isLeftOut()).isTrue();
        assertThat(on(told, "b").isFeasible()).isTrue();
    }

    @Test
    @Tag("E-86")
    void podThatPreFilterRefusesIsToldWithoutNodes() {
        var bed = nodes(Bed.of(preFilter("Refuses", pod -> TOO_FAR)), "a");
        var told = explain(bed, pod("p").build());
        assertThat(told.preFilters()).containsExactly(new PreFilterAnswer("Refuses", TOO_FAR));
        assertThat(told.nodes()).isEmpty();
        assertThat(told.choice()).isEmpty();
    }

    @Test
    @Tag("E-88")
    void nominationDecidesBeforeScores() {
        var bed = nodes(Bed.of(score("Length", node -> node.name().length())), "a", "bb");
        var nominated = pod("p").with(p -> p.nominatedNodeName("a")).build();
        assertThat(explain(bed, nominated).choice())
                .contains(Choice.unscored("a", Reason.NOMINATED));
    }

    @Nested
    final class ChangesNothing {
        /// A node that leaves and comes back before the next attempt keeps its place in the order.
        /// A look in between took that from it.
        @Test
        @Tag("E-32")
        void lookInBetweenLeavesTheOrder() {
            var bed = nodes(Bed.of(score("Equal", node -> 0)), "a", "b", "c");
            bed.run(pod("first").build());
            var gone = node("a").build();
            bed.scheduler.remove(gone);
            bed.scheduler.settle();
            assertThat(explain(bed, pod("asked").build()).nodes())
                    .extracting(NodeExplanation::name)
                    .containsExactly("b", "c");
            bed.scheduler.add(gone);
            bed.scheduler.settle();
            bed.run(pod("second").build());
            assertThat(bed.books().state().nodes().all())
                    .extracting(io.berth.api.column.NodeView::name)
                    .containsExactly("a", "b", "c");
        }

        /// What is told comes true, where nothing happens in between.
        @ParameterizedTest
        @Tag("E-102")
        @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
        void podGoesWhereItWasSaidTo(long seed) {
            var random = new SplittableRandom(seed);
            var bed =
                    Bed.of(
                            refusing("Size", "s", TOO_SMALL),
                            score("Kind", node -> Math.floorMod(node.name().hashCode(), 3)));
            for (int i = 0; i < 40; i++) {
                if (random.nextInt(3) == 0) {
                    bed.scheduler.add(
                            node((random.nextBoolean() ? "s" : "n") + random.nextInt(30))
                                    .zone("z" + random.nextInt(3))
                                    .build());
                    bed.stepOnly();
                }
                var next = pod("p" + i).build();
                var told = explain(bed, next).choice();
                bed.run(next);
                assertThat(bed.nodeOf("p" + i)).isEqualTo(told.map(Choice::node).orElse(""));
            }
        }

        @Test
        void nobodyIsActivatedAndNoPermitAsked() {
            var bed =
                    nodes(
                            Bed.of(
                                    permit(
                                            "Waits",
                                            pod -> new PermitVerdict.Wait(Duration.ofHours(1)))),
                            "a");
            explain(bed, pod("p").build());
            assertThat(bed.engine().queries().underWay()).isZero();
            assertThat(bed.books().state().pods()).isEmpty();
            assertThat(profile(bed).recheck()).isEqualTo(List.of());
        }
    }
}
