package io.berth.engine.search;

import static io.berth.engine.Scripted.normalized;
import static io.berth.engine.Scripted.preAndScore;
import static io.berth.engine.Scripted.preScore;
import static io.berth.engine.Scripted.score;
import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.column.NodeView;
import io.berth.api.plugin.EnabledPlugin;
import io.berth.api.plugin.Normalize;
import io.berth.api.plugin.Plugin;
import io.berth.engine.Bed;
import io.berth.engine.framework.Point;
import io.berth.engine.framework.ProfileSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ScoringTest {
    private static Bed threeNodes(Bed bed) {
        for (var name : List.of("a", "b", "c")) {
            bed.scheduler.add(node(name).build());
        }
        return bed;
    }

    private static ToLongFunction<NodeView> rating(Map<String, Long> ratings) {
        return node -> ratings.getOrDefault(node.name(), 0L);
    }

    private static UnaryOperator<ProfileSettings> weights(String plugin, int weight) {
        return settings -> {
            var points = new HashMap<>(settings.points());
            points.put(
                    Point.SCORE,
                    new ProfileSettings.PointPlugins(
                            List.of(new EnabledPlugin(plugin, weight)), List.of()));
            return new ProfileSettings(
                    settings.schedulerName(),
                    settings.multiPoint(),
                    points,
                    settings.arguments(),
                    settings.percentageOfNodesToScore());
        };
    }

    @Nested
    @Tag("E-99")
    final class Preparing {
        @Test
        void preparationSeesTheFeasibleNodes() {
            var seen = new ArrayList<String>();
            var bed =
                    threeNodes(
                            Bed.of(
                                    io.berth.engine.Scripted.filter(
                                            "NotB",
                                            (pod, node) ->
                                                    node.name().equals("b")
                                                            ? io.berth.api.verdict.Refusal
                                                                    .mayPreempt("no")
                                                            : io.berth.api.verdict.Verdict.PASS),
                                    preScore(
                                            "Prepare",
                                            nodes -> {
                                                nodes.forEach(node -> seen.add(node.name()));
                                                return true;
                                            }),
                                    score("Any", node -> 1)));
            bed.run(pod("p").build());
            assertThat(seen).containsExactly("a", "c");
        }

        @Test
        @Tag("G-3")
        void scoreOfAPluginThatSkipsIsNotAsked() {
            var bed =
                    threeNodes(
                            Bed.of(
                                    preAndScore(
                                            "Skips",
                                            nodes -> false,
                                            node -> {
                                                throw new AssertionError("must not be asked");
                                            }),
                                    score("Decides", rating(Map.of("c", 1L)))));
            bed.run(pod("p").build());
            assertThat(bed.nodeOf("p")).isEqualTo("c");
        }

        @Test
        void brokenPreparationFailsTheAttempt() {
            var bed =
                    threeNodes(
                            Bed.of(
                                    preAndScore(
                                            "Broken",
                                            nodes -> {
                                                throw new IllegalStateException("boom");
                                            },
                                            node -> 0)));
            bed.run(pod("p").build());
            assertThat(bed.messageOf("p")).isEqualTo("running PreScore plugin \"Broken\": boom");
            assertThat(bed.subQueueOf("p")).isEqualTo("ERROR_BACKOFF");
        }
    }

    @Nested
    @Tag("E-100")
    @Tag("G-2")
    final class Adding {
        @Test
        void totalsAreWeightedSums() {
            // a: 3*10 + 1 = 31, b: 3*0 + 40 = 40, c: 3*13 + 2 = 41
            var heavy = score("Heavy", rating(Map.of("a", 10L, "c", 13L)));
            var light = score("Light", rating(Map.of("a", 1L, "b", 40L, "c", 2L)));
            var bed = threeNodes(Bed.of(weights("Heavy", 3), heavy, light));
            bed.run(pod("p").build());
            assertThat(bed.nodeOf("p")).isEqualTo("c");
        }

        @Test
        @Tag("E-127")
        void pluginWithoutWeightCountsOnce() {
            var one = score("One", rating(Map.of("a", 10L)));
            var two = score("Two", rating(Map.of("b", 11L)));
            var bed = threeNodes(Bed.of(one, two));
            bed.run(pod("p").build());
            assertThat(bed.nodeOf("p")).isEqualTo("b");
        }

        @Test
        void normalisingComesBeforeWeighing() {
            Plugin raw =
                    normalized(
                            "Raw",
                            rating(Map.of("a", 5000L, "b", 10_000L)),
                            scores -> Normalize.proportionally(scores, true));
            var bed =
                    threeNodes(
                            Bed.of(weights("Raw", 2), raw, score("B", rating(Map.of("b", 99L)))));
            bed.run(pod("p").build());
            // a: 2*50 = 100, b: 2*0 + 99 = 99, c: 2*100 = 200
            assertThat(bed.nodeOf("p")).isEqualTo("c");
        }

        @Test
        void negativeRawScoresAreFineWhereNormalisingMendsThem() {
            Plugin raw =
                    normalized(
                            "Raw",
                            node -> node.name().equals("b") ? -5 : -10,
                            scores -> {
                                for (int i = 0; i < scores.count(); i++) {
                                    scores.values()[i] += 10;
                                }
                            });
            var bed = threeNodes(Bed.of(raw));
            bed.run(pod("p").build());
            assertThat(bed.nodeOf("p")).isEqualTo("b");
        }
    }

    @Nested
    @Tag("E-179")
    final class Telling {
        private List<String> scoreLines(Bed bed) {
            bed.run(pod("p").build());
            return bed.log.lines().stream().filter(line -> line.startsWith("I10 ")).toList();
        }

        @Test
        void weightedScoresOfEachPluginThenTheSums() {
            var heavy = score("Heavy", rating(Map.of("a", 10L, "c", 13L)));
            var light = score("Light", rating(Map.of("b", 40L)));
            var bed = threeNodes(Bed.of(weights("Heavy", 3), heavy, light));

            assertThat(scoreLines(bed))
                    .containsExactly(
                            "I10 Plugin scored node for pod [pod, default/p, plugin, Heavy, node, a,"
                                    + " score, 30]",
                            "I10 Plugin scored node for pod [pod, default/p, plugin, Light, node, a,"
                                    + " score, 0]",
                            "I10 Plugin scored node for pod [pod, default/p, plugin, Heavy, node, b,"
                                    + " score, 0]",
                            "I10 Plugin scored node for pod [pod, default/p, plugin, Light, node, b,"
                                    + " score, 40]",
                            "I10 Plugin scored node for pod [pod, default/p, plugin, Heavy, node, c,"
                                    + " score, 39]",
                            "I10 Plugin scored node for pod [pod, default/p, plugin, Light, node, c,"
                                    + " score, 0]",
                            "I10 Calculated node's final score for pod [pod, default/p, node, a,"
                                    + " score, 30]",
                            "I10 Calculated node's final score for pod [pod, default/p, node, b,"
                                    + " score, 40]",
                            "I10 Calculated node's final score for pod [pod, default/p, node, c,"
                                    + " score, 39]");
        }

        @Test
        void normalisedScoresAreToldAsTheyCount() {
            Plugin raw =
                    normalized(
                            "Raw",
                            rating(Map.of("a", 5000L, "b", 10_000L)),
                            scores -> Normalize.proportionally(scores, false));

            assertThat(scoreLines(threeNodes(Bed.of(raw))))
                    .contains(
                            "I10 Plugin scored node for pod [pod, default/p, plugin, Raw, node, a,"
                                    + " score, 50]",
                            "I10 Plugin scored node for pod [pod, default/p, plugin, Raw, node, b,"
                                    + " score, 100]");
        }

        @Test
        void pluginThatSkipsSaysNothing() {
            var skips = preAndScore("Skips", nodes -> false, node -> 1);

            assertThat(scoreLines(threeNodes(Bed.of(skips, score("Other", node -> 1)))))
                    .noneMatch(line -> line.contains("plugin, Skips"))
                    .anyMatch(line -> line.contains("plugin, Other"));
        }

        @Test
        void onlyNodeIsNotScored() {
            var bed = Bed.of(score("Any", node -> 1));
            bed.scheduler.add(node("a").build());

            assertThat(scoreLines(bed)).isEmpty();
        }
    }

    @Nested
    @Tag("E-100")
    @Tag("E-167a")
    final class Failing {
        private void assertFailure(Plugin plugin, String message) {
            var bed = threeNodes(Bed.of(plugin));
            bed.run(pod("p").build());
            assertThat(bed.messageOf("p")).isEqualTo(message);
            assertThat(bed.reasonOf("p")).isEqualTo("SchedulerError");
            assertThat(bed.subQueueOf("p")).isEqualTo("ERROR_BACKOFF");
            assertThat(bed.queued("p").unschedulablePlugins()).isEmpty();
        }

        @Test
        void brokenScore() {
            assertFailure(
                    score(
                            "S",
                            node -> {
                                throw new IllegalStateException("boom");
                            }),
                    "running Score plugins: plugin \"S\" failed with: boom");
        }

        @Test
        void brokenNormalising() {
            assertFailure(
                    normalized(
                            "S",
                            node -> 1,
                            scores -> {
                                throw new IllegalStateException("boom");
                            }),
                    "running Normalize on Score plugins: plugin \"S\" failed with: boom");
        }

        @ParameterizedTest
        @ValueSource(longs = {-1, 101, Long.MAX_VALUE, Long.MIN_VALUE})
        @Tag("G-2")
        void scoreOutOfRange(long value) {
            assertFailure(
                    score("S", node -> value),
                    "applying score defaultWeights on Score plugins: plugin \"S\" returns an"
                            + " invalid score "
                            + value
                            + ", it should in the range of [0, 100] after normalizing");
        }

        @ParameterizedTest
        @ValueSource(longs = {0, 100})
        void boundsAreInRange(long value) {
            var bed = threeNodes(Bed.of(score("S", node -> value)));
            bed.run(pod("p").build());
            assertThat(bed.nodeOf("p")).isEqualTo("a");
        }
    }
}
