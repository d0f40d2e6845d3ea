package io.berth.plugins;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static java.util.Objects.requireNonNull;

import io.berth.api.handle.Extender;
import io.berth.api.label.LabelSelector;
import io.berth.api.label.Labels;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.spec.PodSpec;
import io.berth.api.spec.Taint;
import io.berth.engine.framework.ProfileSettings;
import io.berth.testkit.InMemoryExtender;
import io.berth.testkit.Pods;
import io.berth.testkit.TestScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Decisions by groups of nodes are those of the plain passes, whatever other pods have to say.
@Tag("E-102")
final class GroupedNodesTest {
    private static final String ZONE = Node.ZONE_LABEL;
    private static final String HOST = Node.HOSTNAME_LABEL;
    private static final String OTHER = "other-scheduler";
    private static final String FEWER = "scheduler-of-fewer";
    private static final int NODES = 150;
    private static final int RUNS = 24;
    private static final int RUN_LENGTH = 25;

    private TwoSchedulers schedulers = schedulers(List.of());
    private final TreeMap<String, Node> nodes = new TreeMap<>();
    private final List<String> bound = new ArrayList<>();

    /// The node that has another one's host name now, and the labels that it had before.
    private @Nullable String sharing;

    private Labels before = Labels.EMPTY;

    private boolean isNominated;

    private static TwoSchedulers schedulers(List<Extender> extenders) {
        return new TwoSchedulers(
                extenders,
                enabled ->
                        new ProfileSettings[] {
                            ProfileSettings.of(PodSpec.DEFAULT_SCHEDULER, enabled),
                            ProfileSettings.of(OTHER, enabled),
                            ProfileSettings.of(FEWER, enabled).withPercentageOfNodesToScore(70)
                        });
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void decisionsAreThoseOfThePlainPasses(long seed) {
        live(new SplittableRandom(seed));
        schedulers.assertGrouped(4);
    }

    @Test
    void soTheyAreWhereAnExtenderTakesNodesAway() {
        var odd =
                InMemoryExtender.named("odd")
                        .interestedIn(pod -> pod.name().hashCode() % 2 == 0)
                        .filtering((pod, names) ->
                                new Extender.Filtered(
                                        names.stream()
                                                .filter(name -> name.hashCode() % 2 != 0)
                                                .toList(),
                                        Map.of(),
                                        Map.of()));
        schedulers = schedulers(List.of(odd));
        live(new SplittableRandom(7));
    }

    private void live(SplittableRandom random) {
        for (int i = 0; i < NODES; i++) {
            change(drawn("node-" + i, random));
        }
        for (int run = 0; run < RUNS; run++) {
            var template = template(random);
            for (int i = 0; i < RUN_LENGTH; i++) {
                disturb(random);
                place(template.make("p" + run + "-" + i, random), random);
            }
        }
    }

    private void place(Pod pod, SplittableRandom random) {
        if (schedulers.place(pod).isEmpty()) {
            schedulers.remove(pod.key());
        } else if (random.nextInt(3) == 0) {
            bound.add(pod.key());
        }
    }

    /// Now and then, since what is kept by groups is kept as long as little happens.
    private void disturb(SplittableRandom random) {
        switch (random.nextInt(40)) {
            case 0 -> change(drawn("node-" + random.nextInt(NODES), random));
            case 1 -> relabel(ZONE, "zone-" + random.nextInt(4), random);
            case 2 -> shareAHostname(random);
            case 3 -> {
                if (!bound.isEmpty()) {
                    schedulers.remove(bound.remove(random.nextInt(bound.size())));
                }
            }
            case 4 -> {
                if (!bound.isEmpty()) {
                    relabelPod(bound.get(random.nextInt(bound.size())), random);
                }
            }
            case 5 -> comeAndGo("node-" + random.nextInt(NODES), random);
            case 6 -> nominate(random);
            default -> {}
        }
        // Both stand in the way of groups, so neither lasts.
        if (sharing != null && random.nextInt(6) == 0) {
            change(requireNonNull(nodes.get(sharing)).toBuilder().labels(before).build());
            sharing = null;
        }
        if (isNominated && random.nextInt(6) == 0) {
            isNominated = false;
            schedulers.remove("default/waiting");
        }
    }

    private void change(Node node) {
        nodes.put(node.name(), node);
        schedulers.each(scheduler -> scheduler.add(node));
    }

    private void comeAndGo(String name, SplittableRandom random) {
        var node = requireNonNull(nodes.get(name));
        schedulers.each(scheduler -> scheduler.remove(node));
        if (random.nextBoolean()) {
            schedulers.each(TestScheduler::settle);
        }
        change(node);
    }

    private void relabel(String key, String value, SplittableRandom random) {
        var node = requireNonNull(nodes.get("node-" + random.nextInt(NODES)));
        var labels = node.labels().without(key);
        change(
                node.toBuilder()
                        .labels(random.nextInt(4) == 0 ? labels : labels.with(key, value))
                        .build());
    }

    private void shareAHostname(SplittableRandom random) {
        if (sharing == null) {
            sharing = "node-" + random.nextInt(NODES);
            var node = requireNonNull(nodes.get(sharing));
            before = node.labels();
            var labels = before.with(HOST, "node-" + random.nextInt(NODES));
            change(node.toBuilder().labels(labels).build());
        }
    }

    private void relabelPod(String key, SplittableRandom random) {
        var labels = Labels.of("app", "a" + random.nextInt(3));
        schedulers.each(scheduler ->
                scheduler.create(scheduler.cluster().pod(key).toBuilder().labels(labels).build()));
    }

    /// A pod that is too large for its node, which it is promised all the same.
    private void nominate(SplittableRandom random) {
        var waiting =
                pod("waiting")
                        .cpu("900")
                        .priority(1000)
                        .label("app", "a" + random.nextInt(3))
                        .with(p -> p.nominatedNodeName("node-" + random.nextInt(NODES)))
                        .build();
        if (!isNominated) {
            isNominated = true;
            schedulers.each(scheduler -> scheduler.create(waiting));
        }
    }

    private static Node drawn(String name, SplittableRandom random) {
        var node = node(name).cpu("" + random.nextInt(4, 7)).memory("32Gi").pods(110);
        if (random.nextInt(15) > 0) {
            node.zone("zone-" + random.nextInt(4));
        }
        if (random.nextInt(40) == 0) {
            node.taint("some", "taint", Taint.NO_SCHEDULE);
        }
        return node.label("disk", random.nextBoolean() ? "ssd" : "hdd").build();
    }

    private interface Template {
        Pod make(String name, SplittableRandom random);
    }

    private static Template template(SplittableRandom random) {
        var app = "a" + random.nextInt(3);
        var selector = LabelSelector.matching("app", app);
        int sort = random.nextInt(12);
        var scheduler =
                switch (random.nextInt(6)) {
                    case 0 -> OTHER;
                    case 1 -> FEWER;
                    default -> PodSpec.DEFAULT_SCHEDULER;
                };
        boolean isInTwoNamespaces = random.nextInt(5) == 0;
        return (name, chance) -> {
            var namespace = isInTwoNamespaces && chance.nextBoolean() ? "second" : "default";
            Pods made =
                    pod(namespace, name)
                            .cpu("100m")
                            .memory("100Mi")
                            .label("app", app)
                            .scheduler(scheduler);
            var finished =
                    switch (sort) {
                        case 0 -> made.spread(1, ZONE, true, selector);
                        case 1 -> made.near(ZONE, "app", app);
                        case 2 -> made.away(HOST, "app", app);
                        case 3 -> made.prefersNear(10, HOST, "app", app);
                        case 4 -> made.prefersAway(10, HOST, "app", app);
                        case 5 -> made.spread(1, ZONE, false, selector);
                        case 6 -> made.spread(1, HOST, false, selector);
                        case 7 ->
                                made.spread(2, ZONE, false, selector)
                                        .spread(1, HOST, false, selector);
                        case 8 -> made.spread(1, ZONE, true, selector).away(HOST, "app", app);
                        case 9 -> made.near(ZONE, "app", app).prefersAway(3, HOST, "app", "a0");
                        case 10 ->
                                made.spread(5, HOST, true, selector)
                                        .prefersNear(7, "disk", "app", app);
                        default -> made;
                    };
            return finished.build();
        };
    }
}
