package io.berth.plugins.tainttoleration;

import static io.berth.plugins.Samples.hint;
import static io.berth.plugins.Samples.node;
import static io.berth.plugins.Samples.pod;
import static io.berth.plugins.Samples.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration.Hint;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.spec.Taint;
import io.berth.api.spec.Toleration;
import io.berth.api.verdict.Verdict;
import io.berth.plugins.Agreement;
import io.berth.plugins.PluginRun;
import io.berth.plugins.TestCluster;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaintTolerationTest {
    private final TaintToleration plugin = new TaintToleration(new Tolerations(false));

    private static Pod tolerating(String key, String operator, String value, String effect) {
        return pod("p", spec().toleration(new Toleration(key, operator, value, effect)));
    }

    private Verdict verdict(Taint taint, Pod pod) {
        var cluster = new TestCluster().add(node("a").taint(taint).build());
        return PluginRun.of(cluster, plugin, pod).filter("a");
    }

    @Test
    @Tag("TT-1")
    void tolerationForAnyEffectIsEnough() {
        var taint = new Taint("k", "v", Taint.NO_SCHEDULE);
        assertThat(verdict(taint, tolerating("k", "Exists", "", ""))).isEqualTo(Verdict.PASS);
        assertThat(verdict(taint, tolerating("k", "", "w", "")))
                .isEqualTo(TaintToleration.UNTOLERATED);
    }

    /// Comparisons are a feature of their own, which is off unless asked for.
    @Nested
    @Tag("H-10")
    final class Comparing {
        private static final ClusterEvent CHANGED =
                ClusterEvent.of(ClusterEvent.NODE, Action.UPDATE_NODE_TAINT);

        private final TaintToleration comparing = new TaintToleration(new Tolerations(true));

        @Test
        void toleratesNothingWhereTheFeatureIsOff() {
            var taint = new Taint("gen", "7", Taint.NO_SCHEDULE);
            assertThat(verdict(taint, tolerating("gen", "Gt", "5", "")))
                    .isEqualTo(TaintToleration.UNTOLERATED);
        }

        @ParameterizedTest
        @CsvSource({
            "7, Gt, 5, true",
            "5, Gt, 5, false",
            "4, Gt, 5, false",
            "4, Lt, 5, true",
            "5, Lt, 5, false",
            "-6, Lt, -5, true",
            "10, Gt, 9, true",
            "0, Gt, -1, true",
            "9223372036854775807, Gt, 9223372036854775806, true",
            // What a person would not write, or what 64 bits do not hold, is no number.
            "07, Gt, 5, false",
            "+7, Gt, 5, false",
            "-0, Gt, -1, false",
            "7, Gt, 05, false",
            "'', Lt, 5, false",
            "7, Gt, '', false",
            "seven, Gt, 5, false",
            "9223372036854775808, Gt, 5, false"
        })
        void looksAtNumbers(String taint, String operator, String own, boolean isTolerated) {
            var cluster =
                    new TestCluster()
                            .add(
                                    node("a")
                                            .taint(new Taint("gen", taint, Taint.NO_SCHEDULE))
                                            .build());
            var run = PluginRun.of(cluster, comparing, tolerating("gen", operator, own, ""));
            assertThat(run.filter("a"))
                    .isEqualTo(isTolerated ? Verdict.PASS : TaintToleration.UNTOLERATED);
        }

        @Test
        @Tag("TT-3")
        void countsInScores() {
            var cluster =
                    new TestCluster()
                            .add(
                                    node("old").taint(discouraging("3")).build(),
                                    node("new").taint(discouraging("7")).build());
            var pod = tolerating("gen", "Gt", "5", "");
            assertThat(PluginRun.of(cluster, comparing, pod).rawScores())
                    .isEqualTo(Map.of("old", 1L, "new", 0L));
            assertThat(PluginRun.of(cluster, plugin, pod).rawScores())
                    .isEqualTo(Map.of("old", 1L, "new", 1L));
        }

        private static Taint discouraging(String value) {
            return new Taint("gen", value, Taint.PREFER_NO_SCHEDULE);
        }

        @Test
        void nodeThatComesToCompareWakesThePod() {
            var pod = tolerating("gen", "Gt", "5", "");
            var low = node("a").taint(new Taint("gen", "5", Taint.NO_SCHEDULE)).build();
            var high = node("a").taint(new Taint("gen", "6", Taint.NO_SCHEDULE)).build();
            for (var each : List.of(comparing, plugin)) {
                assertThat(hint(each, CHANGED, pod, low, high))
                        .isEqualTo(each.equals(comparing) ? Hint.QUEUE : Hint.SKIP);
            }
        }
    }

    @Test
    @Tag("TT-1")
    void preferredTaintKeepsNobodyAway() {
        var taint = new Taint("k", "v", Taint.PREFER_NO_SCHEDULE);
        assertThat(verdict(taint, pod("p").build())).isEqualTo(Verdict.PASS);
    }

    @Test
    @Tag("TT-3")
    @Tag("TT-4")
    void fewestUntoleratedTaintsWin() {
        var cluster = new TestCluster();
        for (int i = 0; i < 4; i++) {
            var node = node("n" + i);
            for (int t = 0; t < i; t++) {
                node.taint(new Taint("t" + t, "", Taint.PREFER_NO_SCHEDULE));
            }
            cluster.add(node.build());
        }
        var run = PluginRun.of(cluster, plugin, pod("p").build());
        assertThat(run.rawScores()).isEqualTo(Map.of("n0", 0L, "n1", 1L, "n2", 2L, "n3", 3L));
        assertThat(run.scores()).isEqualTo(Map.of("n0", 100L, "n1", 67L, "n2", 34L, "n3", 0L));
    }

    @Test
    @Tag("TT-4")
    void nodesWithoutTaintsAllGetHundred() {
        var cluster = new TestCluster().add(node("a").build(), node("b").build());
        assertThat(PluginRun.of(cluster, plugin, pod("p").build()).scores())
                .isEqualTo(Map.of("a", 100L, "b", 100L));
    }

    @Test
    @Tag("TT-3")
    void onlyTaintsThatAreMereWishesCount() {
        var cluster =
                new TestCluster()
                        .add(
                                node("a")
                                        .taint(new Taint("k", "", Taint.NO_EXECUTE))
                                        .taint(new Taint("l", "", Taint.PREFER_NO_SCHEDULE))
                                        .taint(new Taint("m", "", Taint.PREFER_NO_SCHEDULE))
                                        .build());
        var pod = tolerating("m", "Exists", "", "");
        assertThat(PluginRun.of(cluster, plugin, pod).rawScores()).isEqualTo(Map.of("a", 1L));
    }

    @Test
    @Tag("TT-2")
    void tolerationForAnotherEffectDoesNotCountInScore() {
        var cluster =
                new TestCluster()
                        .add(node("a").taint(new Taint("k", "v", "PreferNoSchedule")).build());
        var pod = tolerating("k", "Equal", "v", "NoSchedule");
        assertThat(PluginRun.of(cluster, plugin, pod).rawScores()).isEqualTo(Map.of("a", 1L));
    }

    @Nested
    @Tag("TT-6")
    class Hints {
        private final ClusterEvent added = ClusterEvent.of(ClusterEvent.NODE, Action.ADD);
        private final ClusterEvent changed =
                ClusterEvent.of(ClusterEvent.NODE, Action.UPDATE_NODE_TAINT);
        private final Node clean = node("a").build();
        private final Node tainted = node("a").taint(new Taint("k", "", Taint.NO_EXECUTE)).build();
        private final Pod waiting = pod("p").build();

        @Test
        void nodeWithoutTheTaintWakes() {
            assertThat(hint(plugin, added, waiting, null, clean)).isEqualTo(Hint.QUEUE);
            assertThat(hint(plugin, changed, waiting, tainted, clean)).isEqualTo(Hint.QUEUE);
        }

        @Test
        void nodeThatIsOrWasNoBetterDoesNotWake() {
            assertThat(hint(plugin, added, waiting, null, tainted)).isEqualTo(Hint.SKIP);
            assertThat(hint(plugin, changed, waiting, clean, clean)).isEqualTo(Hint.SKIP);
            assertThat(hint(plugin, changed, waiting, clean, tainted)).isEqualTo(Hint.SKIP);
        }

        @Test
        void ownNewTolerationWakesAndAnothersDoesNot() {
            var event =
                    ClusterEvent.of(ClusterEvent.UNSCHEDULABLE_POD, Action.UPDATE_POD_TOLERATION);
            var other = pod("q").build();
            assertThat(hint(plugin, event, waiting, waiting, waiting)).isEqualTo(Hint.QUEUE);
            assertThat(hint(plugin, event, waiting, other, other)).isEqualTo(Hint.SKIP);
        }
    }

    @Test
    void columnsAgreeWithPlainReading() {
        Agreement.check(
                3000,
                random -> {
                    var pod = random.pod();
                    var run = PluginRun.of(random.cluster, plugin, pod);
                    var verdicts = new LinkedHashMap<String, Verdict>();
                    var scores = new LinkedHashMap<String, Long>();
                    for (var view : random.cluster.nodes().all()) {
                        verdicts.put(view.name(), plainVerdict(pod, view.node()));
                        scores.put(view.name(), plainScore(pod, view.node()));
                    }
                    assertThat(run.filter()).isEqualTo(verdicts);
                    assertThat(run.rawScores()).isEqualTo(scores);
                });
    }

    private static Verdict plainVerdict(Pod pod, Node node) {
        for (var taint : node.taints()) {
            if (!taint.effect().equals("PreferNoSchedule")
                    && pod.spec().tolerations().stream().noneMatch(t -> t.tolerates(taint))) {
                return TaintToleration.UNTOLERATED;
            }
        }
        return Verdict.PASS;
    }

    private static long plainScore(Pod pod, Node node) {
        return node.taints().stream()
                .filter(taint -> taint.effect().equals("PreferNoSchedule"))
                .filter(taint ->
                        pod.spec().tolerations().stream()
                                .filter(t ->
                                        t.effect().isEmpty()
                                                || t.effect().equals("PreferNoSchedule"))
                                .noneMatch(t -> t.tolerates(taint)))
                .count();
    }
}
