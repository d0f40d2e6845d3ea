package io.berth.lab.shadow;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.api.spec.PodSpec;
import io.berth.engine.EngineSettings;
import io.berth.engine.framework.ProfileSettings;
import io.berth.engine.framework.Registry;
import io.berth.lab.text.Ink;
import io.berth.lab.text.ShadowText;
import io.berth.plugins.InTree;
import io.berth.testkit.TestScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Decisions told to a shadow by hand. It holds news back until it is closed, so that it knows all
/// that comes next.
final class ShadowTest {
    private static final ProfileSettings PROFILE =
            ProfileSettings.of(PodSpec.DEFAULT_SCHEDULER, InTree.defaults());

    private static Shadow shadow(EngineSettings settings) {
        var shadow =
                new Shadow(
                        new Shadow.Settings(
                                settings,
                                Registry.of(InTree.factories()),
                                Set.of(Kind.POD, Kind.NODE),
                                Duration.ofMinutes(10),
                                Duration.ofMinutes(10)),
                        ShadowObserver.NONE);
        return shadow;
    }

    private static Shadow shadow() {
        return shadow(EngineSettings.of(List.of(PROFILE)));
    }

    private static void begin(Shadow shadow) {
        shadow.synced(Kind.NODE);
        shadow.synced(Kind.POD);
    }

    private static Pod waiting(String name, String cpu) {
        return pod(name).uid(name).cpu(cpu).build();
    }

    private static void bind(Shadow shadow, Pod pod, String node) {
        shadow.seen(pod.onNode(node));
    }

    private static void decide(Shadow shadow, Pod pod, String node) {
        shadow.seen(pod);
        bind(shadow, pod, node);
    }

    private static ShadowReport end(Shadow shadow) {
        shadow.close();
        return shadow.report();
    }

    @Test
    void nodeWithTheBestScoreIsBest() {
        var shadow = shadow();
        shadow.seen(node("a").cpu("4").build());
        shadow.seen(node("b").cpu("4").build());
        shadow.seen(pod("old").uid("old").cpu("2").onNode("a").build());
        begin(shadow);
        decide(shadow, waiting("p", "1"), "b");

        var report = end(shadow);
        assertThat(report.count(Result.BEST)).isEqualTo(1);
        assertThat(report.judged()).isEqualTo(1);
        assertThat(report.leftOut()).isZero();
        assertThat(report.nodes()).isEqualTo(2);
        assertThat(report.pods()).isEqualTo(2);
    }

    @Test
    void worseNodeIsToldWithThePluginThatMadeTheDifference() {
        var shadow = shadow();
        shadow.seen(node("a").cpu("4").build());
        shadow.seen(node("b").cpu("4").taint("slow", "", "PreferNoSchedule").build());
        begin(shadow);
        decide(shadow, waiting("p", "1"), "b");

        var report = end(shadow);
        assertThat(report.count(Result.WORSE)).isEqualTo(1);
        assertThat(report.unexplained()).isEqualTo(1);
        var finding = report.worst().getFirst();
        assertThat(finding.plugin()).isEqualTo("TaintToleration");
        assertThat(finding.standing().bestNode()).isEqualTo("a");
        assertThat(finding.sentence()).isEqualTo("TaintToleration gives a 300 points more");
        assertThat(report.regretMost()).isEqualTo(300);
        assertThat(report.plugins()).containsExactly(Map.entry("TaintToleration", 1L));
    }

    @Test
    void nodeThatAFilterRefusesIsRefused() {
        var shadow = shadow();
        shadow.seen(node("a").cpu("1").build());
        shadow.seen(node("b").cpu("4").build());
        begin(shadow);
        decide(shadow, waiting("p", "2"), "a");

        var report = end(shadow);
        assertThat(report.count(Result.REFUSED)).isEqualTo(1);
        assertThat(report.worst().getFirst().sentence())
                .isEqualTo("NodeResourcesFit: Insufficient cpu");
    }

    @Test
    void nodeThatIsNotThereIsRefused() {
        var shadow = shadow();
        shadow.seen(node("a").build());
        begin(shadow);
        decide(shadow, waiting("p", "1"), "gone");

        var report = end(shadow);
        assertThat(report.count(Result.REFUSED)).isEqualTo(1);
        assertThat(report.worst().getFirst().sentence())
                .isEqualTo("the node was not among those to look at");
    }

    /// The first pod went to a and the second to b, but the second one's binding was quicker: on
    /// the state before it, a would have been as good, and b is not worse. The third shows it.
    @Test
    void bindingsThatOvertakeEachOtherExplainADifference() {
        var shadow = shadow();
        shadow.seen(node("a").cpu("8").build());
        shadow.seen(node("b").cpu("6").build());
        begin(shadow);
        var first = waiting("first", "3");
        var second = waiting("second", "1");
        shadow.seen(first);
        shadow.seen(second);
        // Empty, a is better for either; with the first on it, b is.
        bind(shadow, second, "b");
        bind(shadow, first, "a");

        var report = end(shadow);
        assertThat(report.count(Result.UNDER_WAY)).isEqualTo(1);
        assertThat(report.count(Result.BEST)).isEqualTo(1);
        assertThat(report.unexplained()).isZero();
        assertThat(report.explained()).isEqualTo(1);
    }

    /// The pod was placed while another still took the room on the better node.
    @Test
    void podThatLeftMeanwhileExplainsADifference() {
        var shadow = shadow();
        shadow.seen(node("a").cpu("4").build());
        shadow.seen(node("b").cpu("3").build());
        var old = pod("old").uid("old").cpu("3").onNode("a").build();
        shadow.seen(old);
        begin(shadow);
        var pod = waiting("p", "2");
        shadow.seen(pod);
        shadow.gone(Kind.POD, old.namespace(), old.name());
        bind(shadow, pod, "b");

        var report = end(shadow);
        assertThat(report.count(Result.UNDER_WAY)).isEqualTo(1);
    }

    @Test
    void differenceThatOrderDoesNotExplainStaysUnexplained() {
        var shadow = shadow();
        shadow.seen(node("a").cpu("8").build());
        shadow.seen(node("b").cpu("6").build());
        begin(shadow);
        var first = waiting("first", "100m");
        var second = waiting("second", "1");
        shadow.seen(second);
        shadow.seen(first);
        bind(shadow, second, "b");
        bind(shadow, first, "a");

        var report = end(shadow);
        assertThat(report.count(Result.WORSE)).isEqualTo(1);
        assertThat(report.count(Result.BEST)).isEqualTo(1);
    }

    @Test
    void samplingExplainsADifferenceWhereThereAreMoreNodesThanItLooksAt() {
        assertThat(worseAmong(300, OptionalInt.empty())).isEqualTo(Result.SAMPLED);
        assertThat(worseAmong(300, OptionalInt.of(100))).isEqualTo(Result.WORSE);
        assertThat(worseAmong(50, OptionalInt.empty())).isEqualTo(Result.WORSE);
    }

    private static Result worseAmong(int nodes, OptionalInt percentage) {
        var shadow =
                shadow(
                        EngineSettings.of(List.of(PROFILE))
                                .withPercentageOfNodesToScore(percentage));
        for (int i = 1; i < nodes; i++) {
            shadow.seen(node("n" + i).cpu("8").build());
        }
        shadow.seen(node("full").cpu("8").build());
        shadow.seen(pod("old").uid("old").cpu("6").onNode("full").build());
        begin(shadow);
        decide(shadow, waiting("p", "1"), "full");
        return end(shadow).worst().getFirst().result();
    }

    @Test
    void whatCannotBeJudgedIsCountedByTheReason() {
        var shadow = shadow();
        shadow.seen(node("a").build());
        shadow.seen(pod("before").uid("before").onNode("a").build());
        begin(shadow);
        shadow.seen(pod("static").uid("static").onNode("a").build());
        decide(shadow, pod("other").uid("other").scheduler("mine").build(), "a");

        var report = end(shadow);
        assertThat(report.judged()).isZero();
        assertThat(report.count(Omission.UNSEEN)).isEqualTo(1);
        assertThat(report.count(Omission.FOREIGN)).isEqualTo(1);
        assertThat(report.leftOut()).isEqualTo(2);
    }

    @Test
    void podThatIsMadeAnewIsAnotherOne() {
        var shadow = shadow();
        shadow.seen(node("a").build());
        begin(shadow);
        shadow.seen(pod("p").uid("1").build());
        shadow.seen(pod("p").uid("2").onNode("a").build());

        var report = end(shadow);
        assertThat(report.count(Omission.UNSEEN)).isEqualTo(1);
    }

    @Test
    void changesOfABoundPodAreNoDecisions() {
        var shadow = shadow();
        shadow.seen(node("a").build());
        begin(shadow);
        var pod = waiting("p", "1");
        decide(shadow, pod, "a");
        shadow.seen(pod.onNode("a").toBuilder().phase("Running").build());

        assertThat(end(shadow).judged()).isEqualTo(1);
    }

    @Test
    void onlyTheWorstAreKept() {
        var shadow = shadow();
        shadow.seen(node("a").cpu("900").pods(900).build());
        shadow.seen(node("b").cpu("900").pods(900).taint("slow", "", "PreferNoSchedule").build());
        begin(shadow);
        for (int i = 0; i < 50; i++) {
            decide(shadow, waiting("p" + i, "1"), "b");
        }

        var report = end(shadow);
        assertThat(report.count(Result.WORSE)).isEqualTo(50);
        assertThat(report.worst()).hasSize(ShadowReport.MOST_WORST);
    }

    /// What the engine itself decides is best to its shadow, whatever the pods wish for.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void whatTheEngineDecidesIsBestToItsShadow(long seed) {
        var random = new Random(seed);
        var scheduler =
                TestScheduler.with(
                        InTree.factories(), settings -> settings, ports -> ports, PROFILE);
        var shadow = shadow();
        for (int i = 0; i < 3 + random.nextInt(8); i++) {
            var node =
                    node("n" + i)
                            .cpu(random.nextBoolean() ? "4" : "8")
                            .zone("z" + random.nextInt(3))
                            .build();
            scheduler.add(node);
            shadow.seen(node);
        }
        begin(shadow);
        int placed = 0;
        for (int i = 0; i < 30; i++) {
            var wish =
                    pod("p" + i)
                            .uid("u" + i)
                            .label("app", "web")
                            .cpu((1 + random.nextInt(20)) + "00m");
            switch (random.nextInt(3)) {
                case 0 -> wish.prefersAway(10, "topology.kubernetes.io/zone", "app", "web");
                case 1 -> wish.prefersNear(10, "topology.kubernetes.io/zone", "app", "web");
                default -> {}
            }
            var pod = wish.build();
            scheduler.create(pod);
            scheduler.settle();
            var node = scheduler.cluster().pod(pod.key()).nodeName();
            shadow.seen(pod);
            if (!node.isEmpty()) {
                placed++;
                bind(shadow, pod, node);
            }
        }

        var report = end(shadow);
        assertThat(placed).isPositive();
        assertThat(report.worst()).as("seed %d", seed).isEmpty();
        assertThat(report.count(Result.BEST)).isEqualTo(placed);
    }

    @Test
    void reportIsToldInEveryForm() {
        var shadow = shadow();
        shadow.seen(node("a").cpu("4").build());
        shadow.seen(node("b").cpu("4").taint("slow", "", "PreferNoSchedule").build());
        begin(shadow);
        decide(shadow, waiting("good", "1"), "a");
        decide(shadow, waiting("bad", "1"), "b");

        var report = end(shadow);
        assertThat(ShadowText.sentence(report))
                .isEqualTo("1 of 2 decisions within the best set (50.00 %); 0 explained, 1 not.");
        assertThat(ShadowText.line(report))
                .startsWith(
                        "2 judged · 1 best (50.00 %) · 0 under way · 0 sampled · 1 worse · 0 refused · ");
        assertThat(ShadowText.text(report, "X", List.of("n"), 80, Ink.PLAIN))
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80))
                .anyMatch(line -> line.startsWith("default/bad"))
                .contains("uncertain: n");
        assertThat(ShadowText.markdown(report, "X", List.of()))
                .contains("# Shadow report")
                .anyMatch(line -> line.startsWith("| default/bad | b | "));
    }
}
