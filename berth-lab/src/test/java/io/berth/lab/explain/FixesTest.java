package io.berth.lab.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.api.spec.PodSpec;
import io.berth.engine.EngineSettings;
import io.berth.engine.framework.ProfileSettings;
import io.berth.engine.framework.Registry;
import io.berth.engine.port.ClusterImage;
import io.berth.lab.Twin;
import io.berth.lab.explain.ClusterStudy.Context;
import io.berth.plugins.InTree;
import io.berth.testkit.HandClock;
import io.berth.testkit.TestScheduler;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Explanations of random pods in random, troubled clusters.
final class FixesTest {
    private static final int CLUSTERS = 60;
    private static final int PODS = 8;
    private static final ProfileSettings PROFILE =
            ProfileSettings.of(PodSpec.DEFAULT_SCHEDULER, InTree.defaults());
    private static final List<PriorityClass> CLASSES =
            List.of(
                    new PriorityClass("middle", 15, true),
                    new PriorityClass("high", 100, true),
                    new PriorityClass("polite", 12, false));

    static ClusterStudy study(ClusterImage image) {
        return new ClusterStudy(
                EngineSettings.of(List.of(PROFILE)),
                Registry.of(InTree.factories()),
                new HandClock(),
                image,
                new Context(
                        new Source(Source.Kind.DUMP, "test", "", 0, "", ""),
                        CLASSES,
                        Map.of(),
                        List.of()));
    }

    private static List<String> feasible(Pod pod, ClusterImage image) {
        try (var twin =
                Twin.of(
                        EngineSettings.of(List.of(PROFILE)),
                        Registry.of(InTree.factories()),
                        new HandClock(),
                        image)) {
            return twin.ask(queries -> queries.feasible(pod)).orTimeout(1, TimeUnit.MINUTES).join();
        }
    }

    private interface Check {
        void on(RandomTrouble trouble, ClusterImage image, PodExplanation told);
    }

    private static void forUnplaceablePods(Check check) {
        for (long seed = 1; seed <= CLUSTERS; seed++) {
            var trouble = new RandomTrouble(seed);
            for (int i = 0; i < PODS; i++) {
                var pod = trouble.demandingPod();
                var image = trouble.with(pod);
                try (var study = study(image)) {
                    var told = study.explain(pod, Question.USUAL);
                    if (told.choice().isEmpty()) {
                        check.on(trouble, image, told);
                    }
                }
            }
        }
    }

    /// Each on a cluster of its own that never was different.
    @Test
    void everyFixThatIsToldGetsThePodAPlace() {
        var byWho = new TreeMap<String, Integer>();
        int[] pods = {0, 0};
        forUnplaceablePods((trouble, image, told) -> {
            pods[0]++;
            pods[1] += told.fixes().isEmpty() ? 0 : 1;
            for (var fix : told.fixes()) {
                byWho.merge(fix.who().name(), 1, Integer::sum);
                assertThat(feasible(fix.change().pod(), fix.change().in(image)))
                        .as("%s: %s", told.pod().spec(), fix)
                        .hasSize(fix.nodes())
                        .contains(fix.landsOn());
            }
        });
        assertThat(byWho.keySet()).contains("OWNER", "ADMIN", "VICTIMS", "NEW_NODE", "NOBODY");
        assertThat(pods[0]).isGreaterThan(100);
        assertThat(pods[1]).as("of %d pods, with a fix", pods[0]).isGreaterThan(pods[0] / 2);
    }

    /// The event of an attempt of a real engine in the same cluster.
    @Test
    void groupsRecountToTheEventOfAFailedAttempt() {
        forUnplaceablePods((trouble, image, told) -> {
            var scheduler = TestScheduler.with(InTree.factories(), PROFILE);
            for (var kind : Kind.values()) {
                for (ClusterObject object : trouble.image().of(kind)) {
                    scheduler.add(object);
                }
            }
            scheduler.create(told.pod());
            scheduler.settle();
            var message = scheduler.messageOf(told.pod().key());
            assertThat(message).as("%s", told.groups()).startsWith(told.message());
            if (!told.groups().isEmpty()) {
                assertThat(told.groups().stream().mapToInt(Group::count).sum())
                        .isEqualTo(told.counts().nodes());
            }
        });
    }

    @Test
    void whatIsTriedLeavesNoTrace() {
        for (long seed = 1; seed <= 20; seed++) {
            var trouble = new RandomTrouble(seed);
            var pods = new ArrayList<Pod>();
            for (int i = 0; i < PODS; i++) {
                pods.add(trouble.demandingPod());
            }
            try (var study = study(trouble.image())) {
                var before = pods.stream().map(pod -> groups(study, pod)).toList();
                pods.forEach(pod -> study.explain(pod, Question.USUAL));
                assertThat(pods.stream().map(pod -> groups(study, pod)).toList()).isEqualTo(before);
            }
        }
    }

    private static Map<List<String>, Integer> groups(ClusterStudy study, Pod pod) {
        var counts = new java.util.HashMap<List<String>, Integer>();
        study.explain(pod, new Question(List.of(), false, 5, false))
                .groups()
                .forEach(group -> counts.put(group.filters(), group.count()));
        return counts;
    }

    @Test
    void categoriesAreAllMet() {
        var met = new EnumMap<Category, Integer>(Category.class);
        forUnplaceablePods((_, _, told) -> met.merge(told.phase().category(), 1, Integer::sum));
        assertThat(met)
                .containsKeys(
                        Category.WAITING_FOR_ROOM, Category.NO_SUITABLE_NODE, Category.IMPOSSIBLE);
    }
}
