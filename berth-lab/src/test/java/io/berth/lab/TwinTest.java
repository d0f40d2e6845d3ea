package io.berth.lab;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.explain.Explanation;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Pod;
import io.berth.engine.EngineSettings;
import io.berth.engine.framework.Registry;
import io.berth.engine.journal.RingJournal;
import io.berth.engine.port.ClusterImage;
import io.berth.engine.port.FanOut;
import io.berth.engine.query.EngineQueries;
import io.berth.engine.query.PendingPod;
import io.berth.plugins.InTree;
import io.berth.testkit.HandClock;
import io.berth.testkit.TestScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TwinTest {
    private static Twin twin(ClusterImage image) {
        return Twin.of(
                EngineSettings.of(List.of(RandomCluster.PROFILE)),
                Registry.of(InTree.factories()),
                new HandClock(),
                image);
    }

    private static <T> T ask(Twin twin, Function<EngineQueries, T> question) {
        return get(twin.ask(question));
    }

    private static Explanation explain(Twin twin, Pod pod) {
        return get(twin.ask(asked -> asked.explain(pod))).orElseThrow();
    }

    private static <T> T get(CompletableFuture<T> answer) {
        return answer.orTimeout(1, TimeUnit.MINUTES).join();
    }

    /// Verdicts and scores of the engine itself and of its twin, in a cluster with bound, assumed,
    /// nominated, parked and left-over pods.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
    void twinJudgesAsTheEngineDoesWhoseImageItHas(long seed) {
        var cluster = new RandomCluster(seed);
        var original = cluster.scheduler.engine().queries();
        var probes = new ArrayList<Pod>(original.queue().stream().map(PendingPod::pod).toList());
        for (int i = 0; i < 30; i++) {
            probes.add(cluster.randomPod());
        }

        try (var twin = twin(original.image())) {
            for (var probe : probes) {
                var expected = original.explain(probe).orElseThrow();
                var told = explain(twin, probe);
                assertThat(told.preFilters()).isEqualTo(expected.preFilters());
                assertThat(told.nodes())
                        .as("seed %d, %s", seed, probe)
                        .containsExactlyInAnyOrderElementsOf(expected.nodes());
            }
            assertThat(ask(twin, EngineQueries::nodes)).isEqualTo(original.nodes());
            assertThat(ask(twin, EngineQueries::nominations).keySet())
                    .isEqualTo(original.nominations().keySet());
            assertThat(ask(twin, EngineQueries::recount)).isEmpty();
        }
    }

    /// The generator makes what the test above speaks of.
    @Test
    void randomClustersHaveAssumedNominatedAndParkedPods() {
        int assumed = 0;
        int nominated = 0;
        int parked = 0;
        for (long seed = 1; seed <= 16; seed++) {
            var asked = new RandomCluster(seed).scheduler.engine().queries();
            assumed += (int) asked.pods().stream().filter(p -> asked.isAssumed(p.uid())).count();
            nominated += asked.nominations().size();
            parked += asked.counts().unschedulable();
        }
        assertThat(assumed).isPositive();
        assertThat(nominated).isPositive();
        assertThat(parked).isPositive();
    }

    @Test
    void twinPlacesNothing() {
        var objects = List.<ClusterObject>of(node("a").build(), pod("p").uid("p").cpu("1").build());
        try (var twin = twin(ClusterImage.of(objects))) {
            assertThat(ask(twin, EngineQueries::isReady)).isTrue();
            assertThat(ask(twin, EngineQueries::attemptCount)).isZero();
            assertThat(ask(twin, EngineQueries::queue)).hasSize(1);
        }
    }

    @Test
    void twinFollowsWhatItIsTold() {
        try (var twin = twin(ClusterImage.of(List.of()))) {
            twin.feed().seen(node("a").cpu("1").build());
            var pod = pod("p").uid("p").cpu("4").build();
            assertThat(explain(twin, pod).refusals()).containsOnlyKeys("a");
        }
    }

    /// An engine with a journal, and its twin that was filled from nothing else.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void twinOfAJournalIsAsTheEngineWasThatWroteIt(long seed) {
        var journal = new RingJournal(100_000);
        var cluster = new RandomCluster(seed, ports -> ports.withJournal(journal));
        var original = cluster.scheduler.engine().queries();
        var settings = EngineSettings.of(List.of(RandomCluster.PROFILE)).awaiting(Set.of());

        try (var twin =
                Twin.of(settings, Registry.of(InTree.factories()), journal.entries(), List.of())) {
            assertThat(ask(twin, EngineQueries::nodes)).isEqualTo(original.nodes());
            assertThat(ask(twin, EngineQueries::queue)).isEqualTo(original.queue());
            assertThat(ask(twin, EngineQueries::nominations)).isEqualTo(original.nominations());
            var probe = cluster.randomPod();
            assertThat(explain(twin, probe)).isEqualTo(original.explain(probe).orElseThrow());
            twin.feed().seen(node("late").build());
            boolean isThere = ask(twin, asked -> asked.node("late") != null);
            assertThat(isThere).isTrue();
        }
    }

    @Test
    void twinGoesOnKnowingWhatTheEngineKnows() {
        var settings = EngineSettings.of(List.of(RandomCluster.PROFILE)).awaiting(Set.of());
        var scheduler = TestScheduler.with(InTree.factories(), RandomCluster.PROFILE);
        var feed = new FanOut(scheduler.engine());
        feed.seen(node("early").build());
        scheduler.settle();
        // The original is asked for its image on its own thread, which is this one.
        var made =
                CompletableFuture.supplyAsync(() ->
                        Twin.following(
                                settings,
                                Registry.of(InTree.factories()),
                                new HandClock(),
                                scheduler.engine(),
                                feed));
        while (!made.isDone()) {
            scheduler.settle();
            Thread.onSpinWait();
        }
        try (var twin = get(made)) {
            feed.seen(node("late").build());
            assertThat(ask(twin, EngineQueries::nodes))
                    .extracting(state -> state.node().name())
                    .containsExactly("early", "late");
        }
        feed.seen(node("later").build());
        scheduler.settle();
        assertThat(scheduler.engine().queries().nodes()).hasSize(3);
    }
}
