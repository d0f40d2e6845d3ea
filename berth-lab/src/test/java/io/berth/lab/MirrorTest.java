package io.berth.lab;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.label.Labels;
import io.berth.api.model.Namespace;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.engine.EngineSettings;
import io.berth.engine.framework.Registry;
import io.berth.engine.query.Difference.Mark;
import io.berth.engine.query.EngineQueries;
import io.berth.lab.explain.ClusterStudy;
import io.berth.lab.explain.ClusterStudy.Context;
import io.berth.lab.explain.Pools;
import io.berth.lab.explain.Question;
import io.berth.lab.explain.Source;
import io.berth.plugins.InTree;
import io.berth.testkit.HandClock;
import io.berth.testkit.TestScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MirrorTest {
    private static final EngineSettings SETTINGS =
            ClusterStudy.ofSome(EngineSettings.of(List.of(RandomCluster.PROFILE)));
    private static final int ROUNDS = 25;

    private static Mirror mirror(EngineQueries engine) {
        return Mirror.of(
                SETTINGS,
                Registry.of(InTree.factories()),
                new HandClock(),
                engine.difference(null));
    }

    /// The mirror, or another where nodes would be visited in another order.
    private static Mirror upToDate(Mirror mirror, EngineQueries engine) {
        if (mirror.follow(engine.difference(mirror.mark()))) {
            return mirror;
        }
        mirror.close();
        return mirror(engine);
    }

    private static <T> T ask(Mirror mirror, Function<EngineQueries, T> question) {
        return mirror.twin().ask(question).orTimeout(1, TimeUnit.MINUTES).join();
    }

    /// Nodes, pods and nominations come and go, pods are placed in thought, and in between somebody
    /// has changes tried: the mirror has every node and pod where the engine has it, in its order,
    /// and judges as it does.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void mirrorJudgesAsItsEngineDoesWhateverHappens(long seed) {
        var cluster = new RandomCluster(seed);
        var engine = cluster.scheduler.engine().queries();
        var mirror = mirror(engine);
        try {
            for (int round = 0; round < ROUNDS; round++) {
                var name = "seed %d, round %d".formatted(seed, round);
                cluster.change();
                mirror = upToDate(mirror, engine);
                assertThat(ask(mirror, EngineQueries::nodes))
                        .as(name)
                        .containsExactlyInAnyOrderElementsOf(engine.nodes());
                assertThat(ask(mirror, EngineQueries::recount)).as(name).isEmpty();
                for (int i = 0; i < 3; i++) {
                    var probe = cluster.randomPod();
                    var expected = engine.explain(probe).orElseThrow();
                    var told = ask(mirror, twin -> twin.explain(probe)).orElseThrow();
                    assertThat(told.preFilters()).as(name).isEqualTo(expected.preFilters());
                    assertThat(told.nodes())
                            .as(name)
                            .containsExactlyInAnyOrderElementsOf(expected.nodes());
                }
                tryMuch(mirror, engine, cluster);
            }
        } finally {
            mirror.close();
        }
    }

    /// For a pod that needs room, and one that has a node.
    private static void tryMuch(Mirror mirror, EngineQueries engine, RandomCluster cluster) {
        var study = new ClusterStudy(mirror, new Pools(), Context.of(source()));
        var pods = new ArrayList<>(List.of(cluster.randomPod()));
        engine.nodes().stream()
                .flatMap(node -> node.pods().stream())
                .skip(pods.size())
                .limit(1)
                .forEach(pods::add);
        pods.add(pod("much").uid("much").cpu("8").priority(100).build());
        for (var pod : pods) {
            study.explain(pod, Question.USUAL);
        }
        for (var state : engine.nodes()) {
            List<Pod> kept = ask(mirror, twin -> twin.podsOn(state.node().name()));
            assertThat(kept).isEqualTo(state.pods());
        }
    }

    private static Source source() {
        return new Source(Source.Kind.SCHEDULER, "test", "", 0, "", "");
    }

    @Test
    void onlyWhatHasChangedIsTold() {
        var scheduler = TestScheduler.with(InTree.factories(), RandomCluster.PROFILE);
        for (int i = 0; i < 10; i++) {
            scheduler.add(node("n" + i).cpu("4").build());
        }
        scheduler.settle();
        var engine = scheduler.engine().queries();
        var mark = engine.difference(null).mark();
        assertThat(changed(engine, mark)).isEmpty();
        scheduler.create(pod("p").uid("p").cpu("1").build());
        scheduler.settle();
        assertThat(changed(engine, mark)).containsExactly(scheduler.nodeOf("default/p"));
    }

    private static List<String> changed(EngineQueries engine, @Nullable Mark since) {
        var difference = engine.difference(since);
        assertThat(difference.isWhole()).isFalse();
        return difference.places().stream().map(place -> place.name()).toList();
    }

    private static TestScheduler withNodes(String... names) {
        var scheduler = TestScheduler.with(InTree.factories(), RandomCluster.PROFILE);
        for (var name : names) {
            scheduler.add(node(name).cpu("4").build());
        }
        scheduler.settle();
        return scheduler;
    }

    /// Nodes say that they are well as soon as they have come, in any order.
    @Test
    void newNodesAreVisitedInTheOrderInWhichTheyCame() {
        var scheduler = withNodes("a");
        var engine = scheduler.engine().queries();
        try (var mirror = mirror(engine)) {
            for (var name : List.of("b", "c", "d")) {
                scheduler.add(node(name).cpu("4").build());
            }
            scheduler.add(node("b").cpu("5").build());
            scheduler.settle();
            assertThat(mirror.follow(engine.difference(mirror.mark()))).isTrue();
            assertThat(ask(mirror, EngineQueries::nodeOrder)).containsExactly("a", "b", "c", "d");
        }
    }

    /// An engine leaves a node where it is whose zone becomes known later; a twin that hears of it
    /// does not, and stays out of order until it is made anew.
    @Test
    void mirrorOutOfOrderStaysSo() {
        var scheduler = withNodes("a", "b", "c");
        var engine = scheduler.engine().queries();
        scheduler.create(pod("p").uid("p").build());
        scheduler.settle();
        try (var mirror = mirror(engine)) {
            scheduler.add(node("a").cpu("4").zone("z").build());
            scheduler.settle();
            assertThat(engine.nodeOrder()).containsExactly("a", "b", "c");
            assertThat(mirror.follow(engine.difference(mirror.mark()))).isFalse();
            assertThat(mirror.follow(engine.difference(mirror.mark()))).isFalse();
        }
    }

    /// Where that node is not the first, no new twin can have the engine's order either.
    @Test
    void mirrorThatCannotBeInOrderIsNotMadeAnewBeforeNodesComeOrGo() {
        var scheduler = withNodes("a", "b", "c");
        var engine = scheduler.engine().queries();
        scheduler.create(pod("p").uid("p").build());
        scheduler.settle();
        scheduler.add(node("c").cpu("4").zone("z").build());
        scheduler.settle();
        assertThat(engine.nodeOrder()).containsExactly("a", "b", "c");
        try (var mirror = mirror(engine)) {
            assertThat(ask(mirror, EngineQueries::nodeOrder)).containsExactly("a", "c", "b");
            scheduler.add(node("b").cpu("5").build());
            scheduler.settle();
            assertThat(mirror.follow(engine.difference(mirror.mark()))).isTrue();
            scheduler.add(node("d").cpu("5").build());
            scheduler.create(pod("q").uid("q").build());
            scheduler.settle();
            assertThat(mirror.follow(engine.difference(mirror.mark()))).isTrue();
            assertThat(ask(mirror, EngineQueries::nodeOrder)).isEqualTo(engine.nodeOrder());
        }
    }

    /// What a kubelet tells every minute is no reason to list all nodes.
    @Test
    void nodesAreListedAnewWhereTheyComeOrGoAlone() {
        var scheduler = withNodes("a", "b");
        var engine = scheduler.engine().queries();
        try (var mirror = mirror(engine)) {
            long version = mirror.nodesVersion();
            scheduler.add(node("b").cpu("4").with(b -> b.resourceVersion("7")).build());
            scheduler.settle();
            var difference = engine.difference(mirror.mark());
            assertThat(difference.places()).hasSize(1);
            assertThat(difference.order()).isEmpty();
            assertThat(mirror.follow(difference)).isTrue();
            assertThat(mirror.nodesVersion()).isEqualTo(version);
            assertThat(mirror.nodesByName().get("b"))
                    .isNotNull()
                    .extracting(Node::resourceVersion)
                    .isEqualTo("7");
        }
    }

    @Test
    void twinThatHangsIsNotWaitedForForEver() throws InterruptedException {
        var engine = withNodes("a").engine().queries();
        var mayEnd = new CountDownLatch(1);
        try (var mirror =
                Mirror.of(
                        SETTINGS,
                        Registry.of(InTree.factories()),
                        new HandClock(),
                        engine.difference(null),
                        Duration.ofMillis(500))) {
            var hanging =
                    mirror.twin()
                            .ask(_ -> {
                                try {
                                    return mayEnd.await(1, TimeUnit.MINUTES);
                                } catch (InterruptedException stop) {
                                    throw new IllegalStateException(stop);
                                }
                            });
            var difference = engine.difference(mirror.mark());
            assertThatThrownBy(() -> mirror.follow(difference)).hasMessageContaining("no answer");
            mayEnd.countDown();
            assertThat(hanging.orTimeout(1, TimeUnit.MINUTES).join()).isTrue();
        }
    }

    @Test
    void markOfAnotherEngineIsOfNoUse() {
        var one = TestScheduler.with(InTree.factories(), RandomCluster.PROFILE);
        var other = TestScheduler.with(InTree.factories(), RandomCluster.PROFILE);
        var mark = one.engine().queries().difference(null).mark();
        assertThat(other.engine().queries().difference(mark).isWhole()).isTrue();
    }

    /// More objects than an engine remembers of one by one.
    @Test
    void whoLookedTooLongAgoIsToldEverything() {
        var scheduler = TestScheduler.with(InTree.factories(), RandomCluster.PROFILE);
        var engine = scheduler.engine().queries();
        var mark = engine.difference(null).mark();
        for (int i = 0; i <= 5000; i++) {
            scheduler.add(new Namespace("n" + i, Labels.EMPTY));
        }
        scheduler.settle();
        assertThat(engine.difference(mark).isWhole()).isTrue();
        assertThat(engine.difference(mark).objects()).hasSize(5001);
    }
}
