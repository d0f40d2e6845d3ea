package io.berth.bench.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.config.EngineSetup;
import io.berth.config.SchedulerConfiguration;
import io.berth.config.gate.FeatureGates;
import io.berth.config.text.ConfigurationException;
import io.berth.config.text.JsonWriter;
import io.berth.e2e.differential.scenario.About;
import io.berth.engine.port.ClusterImage;
import io.berth.lab.explain.Change;
import io.berth.lab.explain.ClusterStudy;
import io.berth.lab.explain.ClusterStudy.Context;
import io.berth.lab.explain.ExplainException;
import io.berth.lab.explain.Fix;
import io.berth.lab.explain.Group;
import io.berth.lab.explain.PodExplanation;
import io.berth.lab.explain.Question;
import io.berth.lab.explain.Source;
import io.berth.lab.text.ExplanationJson;
import io.berth.testkit.HandClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Pods of the differential suite's generator that no node can take. What is told about each is
/// held against a scheduler at work: the groups against the event of a failed attempt, and every
/// fix, carried out as it is printed, has to get the pod a node.
///
/// `-Dberth.explain.pods=2000` looks at more of them, `-Dberth.explain.seed=1000` at others.
final class RandomPodsTest {
    private static final int PODS_OF_A_CLUSTER = 4;

    private final EngineSetup setup;
    private final Map<String, Integer> fixes = new TreeMap<>();
    private final List<String> exceptions = new ArrayList<>();
    private int unplaceable;

    RandomPodsTest() throws ConfigurationException {
        var gates = FeatureGates.DEFAULT;
        setup =
                EngineSetup.of(
                        SchedulerConfiguration.defaults(gates),
                        gates,
                        List.of(),
                        EngineSetup.MAX_TIME_PARKED);
    }

    private static int wanted() {
        return Integer.getInteger("berth.explain.pods", 60) / About.values().length;
    }

    @ParameterizedTest
    @EnumSource(About.class)
    void whatIsToldIsTrue(About about) {
        for (long seed = Long.getLong("berth.explain.seed", 1); unplaceable < wanted(); seed++) {
            for (int number = 1; number <= PODS_OF_A_CLUSTER; number++) {
                look(new GeneratedCluster(seed, about, number), about + " " + seed + "/" + number);
            }
        }
        System.out.printf(
                "%s: %d pods that no node can take, fixes %s%n", about, unplaceable, fixes);
        assertThat(exceptions).isEmpty();
        assertThat(fixes).isNotEmpty();
    }

    private void look(GeneratedCluster cluster, String name) {
        var image = cluster.image();
        var pod = cluster.pod();
        PodExplanation told;
        try (var study = study(image)) {
            told = study.explain(pod, Question.USUAL);
        } catch (ExplainException broken) {
            // A plugin fails in the same way in an attempt.
            return;
        }
        if (told.choice().isPresent() || !pod.spec().schedulingGates().isEmpty()) {
            return;
        }
        unplaceable++;
        recount(told, new Bound(setup, image, pod), name);
        for (var fix : told.fixes()) {
            fixes.merge(fix.who() + (fix.hasPatch() ? " with patch" : ""), 1, Integer::sum);
            var changed = carriedOut(fix, cluster, image);
            var asked =
                    changed.pods().stream()
                            .filter(other -> other.key().equals(pod.key()))
                            .findFirst()
                            .orElseThrow();
            var run = new Bound(setup, changed, asked);
            if (run.node().isEmpty()) {
                exceptions.add("%s: %s: %s".formatted(name, fix.sentence(), run.message()));
            }
        }
    }

    private void recount(PodExplanation told, Bound run, String name) {
        if (!run.message().startsWith(told.message())) {
            exceptions.add("%s: told %s, event %s".formatted(name, told.message(), run.message()));
        }
        int sum = told.groups().stream().mapToInt(Group::count).sum();
        if (!told.groups().isEmpty() && sum != told.counts().nodes()) {
            exceptions.add("%s: %d nodes in groups".formatted(name, sum));
        }
    }

    /// The cluster after a fix: by its patch where it has one. Victims are left to the scheduler.
    private static ClusterImage carriedOut(Fix fix, GeneratedCluster cluster, ClusterImage image) {
        var change = fix.change();
        if (fix.hasPatch()) {
            var patch = JsonWriter.write(ExplanationJson.patch(fix));
            var patched = cluster.patched(fix.patch().target(), patch);
            var asked =
                    patched.pods().stream()
                            .filter(pod -> pod.key().equals(change.pod().key()))
                            .findFirst()
                            .orElseThrow();
            return new Change(asked, change.nodes(), List.of(), change.more(), List.of())
                    .in(patched);
        }
        return new Change(change.pod(), change.nodes(), List.of(), change.more(), change.objects())
                .in(image);
    }

    private ClusterStudy study(ClusterImage image) {
        return new ClusterStudy(
                setup.settings(),
                setup.registry(),
                new HandClock(),
                image,
                new Context(
                        new Source(Source.Kind.DUMP, "test", "", 0, "", ""),
                        GeneratedCluster.classes(),
                        Map.of(),
                        List.of()));
    }
}
