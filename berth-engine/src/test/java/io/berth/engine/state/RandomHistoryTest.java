package io.berth.engine.state;

import static io.berth.engine.state.StateFixtures.names;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.amount.Quantity;
import io.berth.api.amount.Resources;
import io.berth.api.handle.Log;
import io.berth.api.label.Labels;
import io.berth.api.model.Node;
import io.berth.api.model.NodeImage;
import io.berth.api.model.Pod;
import io.berth.api.spec.Affinity;
import io.berth.api.spec.Container;
import io.berth.api.spec.HostPort;
import io.berth.api.spec.PodSpec;
import io.berth.api.spec.ResizeStatus;
import io.berth.api.spec.Taint;
import io.berth.api.spec.Volume;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Thousands of changes at random; after each the state equals a plain model.
@Tag("E-12")
@Tag("E-13")
@Tag("E-14")
@Tag("E-15")
@Tag("E-18")
@Tag("E-24")
@Tag("E-26")
@Tag("E-29")
@Tag("E-30")
@Tag("E-32")
@Tag("E-33")
class RandomHistoryTest {
    private static final int STEPS = 2000;
    private static final int NODES = 14;
    private static final int PODS = 40;
    private static final List<String> LABEL_KEYS =
            List.of(Node.ZONE_LABEL, Node.REGION_LABEL, "disk", "never");
    private static final List<String> SCALARS =
            List.of("example.com/gpu", "hugepages-2Mi", "example.com/never");

    private final ClusterState state = new ClusterState(Log.NONE, 2, 1);
    private final PlainState model = new PlainState();
    private final Mirror mirror = new Mirror(state.columns());
    private long readAt;
    private final Map<Integer, List<Object>> read = new HashMap<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void stateEqualsPlainModelAfterEveryStep(long seed) {
        var random = new Random(seed);
        for (int step = 0; step < STEPS; step++) {
            if (step == STEPS / 10) {
                state.observe(mirror);
            }
            var what = "seed " + seed + ", step " + step;
            try {
                what += ": " + step(random);
                compare();
                if (step > STEPS / 10) {
                    mirror.compareWith(model);
                }
                compareChangedSlotsOnly(random);
            } catch (AssertionError e) {
                throw new AssertionError(what, e);
            }
        }
    }

    private String step(Random random) {
        int dice = random.nextInt(100);
        var pod = randomPod(random);
        var known = model.pods.get(pod.uid());
        if (dice < 12) {
            var node = withFormerImages(randomNode(random), random);
            if (random.nextBoolean()) {
                state.addNode(node);
            } else {
                state.updateNode(node);
            }
            model.setNode(node);
            return "set " + node;
        } else if (dice < 18) {
            var node = randomNode(random);
            if (model.isNode(node.name())) {
                state.removeNode(node);
                model.removeNode(node.name());
            } else {
                assertThatThrownBy(() -> state.removeNode(node)).isInstanceOf(StateException.class);
            }
            return "remove " + node;
        } else if (dice < 30) {
            state.refresh();
            model.refresh();
            compareSnapshot();
            return "refresh";
        } else if (dice < 34) {
            dryRun(random);
            return "dry run";
        } else if (dice < 36) {
            state.columns().label(LABEL_KEYS.get(random.nextInt(LABEL_KEYS.size())));
            state.columns().scalar(SCALARS.get(random.nextInt(SCALARS.size())));
            return "ask for columns";
        } else if (dice < 50) {
            if (known == null) {
                state.assumePod(pod);
                model.place(pod);
                model.assumed.add(pod.uid());
            } else {
                assertThatThrownBy(() -> state.assumePod(pod)).isInstanceOf(StateException.class);
            }
            return "assume " + pod;
        } else if (dice < 70) {
            if (known == null || model.assumed.contains(pod.uid())) {
                if (known != null) {
                    model.take(pod.uid());
                }
                state.addPod(pod);
                model.place(pod);
            } else {
                assertThatThrownBy(() -> state.addPod(pod)).isInstanceOf(StateException.class);
            }
            return "add " + pod;
        } else if (dice < 80) {
            if (known != null && !model.assumed.contains(pod.uid())) {
                var changed = pod.onNode(known.nodeName());
                state.updatePod(known, changed);
                model.take(pod.uid());
                model.place(changed);
            } else {
                assertThatThrownBy(() -> state.updatePod(pod, pod))
                        .isInstanceOf(StateException.class);
            }
            return "update " + pod;
        } else if (dice < 90) {
            if (known != null) {
                state.removePod(known.toBuilder().resourceVersion("last").build());
                model.take(pod.uid());
            } else {
                assertThatThrownBy(() -> state.removePod(pod)).isInstanceOf(StateException.class);
            }
            return "remove " + pod;
        } else {
            if (known != null && model.assumed.contains(pod.uid())) {
                state.forgetPod(known);
                model.take(pod.uid());
            } else if (known != null) {
                assertThatThrownBy(() -> state.forgetPod(known)).isInstanceOf(StateException.class);
            } else {
                state.forgetPod(pod);
            }
            return "forget " + pod;
        }
    }

    /// Takes some pods away and puts others on in a scratch slot, and compares with the same done
    /// plainly.
    private void dryRun(Random random) {
        var nodes = model.infos.keySet().stream().filter(model::isNode).toList();
        if (nodes.isEmpty()) {
            return;
        }
        var name = nodes.get(random.nextInt(nodes.size()));
        try (var scratch = state.scratch()) {
            var view = scratch.copyOf(state.columns().slotOf(name));
            var expected = new ArrayList<>(view.pods());
            for (var victim : List.copyOf(view.pods())) {
                if (random.nextBoolean()) {
                    scratch.remove(victim);
                    expected.remove(victim);
                }
            }
            var nominee = randomPod(random).toBuilder().uid("nominee").build();
            scratch.add(nominee);
            expected.add(nominee);

            assertThat(view.pods()).containsExactlyInAnyOrderElementsOf(expected);
            assertThat(view.requested().cpuMillis())
                    .isEqualTo(sum(expected, p -> p.requests().exact().cpuMillis()));
            for (var resource : SCALARS) {
                assertThat(state.columns().scalar(resource).requested()[scratch.slot()])
                        .isEqualTo(sum(expected, p -> p.requests().exact().scalar(resource)));
            }
        }
    }

    private void compare() {
        var columns = state.columns();
        assertThat(state.recount()).isEmpty();
        assertThat(state.podCount()).isEqualTo(model.pods.size());
        assertThat(state.assumedCount()).isEqualTo(model.assumed.size());
        assertThat(state.nodeCountWithGhosts()).isEqualTo(model.infos.size());
        assertThat(columns.nodeCount())
                .isEqualTo((int) model.infos.keySet().stream().filter(model::isNode).count());
        var claims = model.claimsInUse();
        for (int i = 0; i < 4; i++) {
            assertThat(state.isClaimInUse("default/c" + i))
                    .isEqualTo(claims.contains("default/c" + i));
        }
        model.pods.forEach((uid, pod) -> {
            assertThat(state.podOf(uid)).isSameAs(pod);
            assertThat(state.isAssumed(uid)).isEqualTo(model.assumed.contains(uid));
        });
        for (int i = 0; i < NODES; i++) {
            compareNode("n" + i);
        }
    }

    private void compareNode(String name) {
        var columns = state.columns();
        var info = model.infos.get(name);
        int slot = columns.slotOf(name);
        if (info == null || info.node == null) {
            assertThat(slot).isEqualTo(-1);
            assertThat(state.node(name)).isNull();
            return;
        }
        var node = info.node;
        var view = columns.node(slot);
        assertThat(view.node()).isSameAs(node);
        assertThat(view.pods()).isEqualTo(info.pods);
        assertThat(view.podsWithAffinity()).isEqualTo(info.withAffinity);
        assertThat(view.podsWithRequiredAntiAffinity()).isEqualTo(info.withRequiredAntiAffinity);
        assertThat(new HashSet<>(view.usedPorts())).isEqualTo(info.ports);
        for (int i = 0; i < 4; i++) {
            var claim = "default/c" + i;
            assertThat(view.usesClaim(claim))
                    .isEqualTo(
                            info.pods.stream().anyMatch(p -> PlainState.claims(p).contains(claim)));
        }
        assertThat(columns.allocatableCpuMillis()[slot]).isEqualTo(node.allocatable().cpuMillis());
        assertThat(columns.allocatablePods()[slot]).isEqualTo(node.allocatable().pods());
        assertThat(columns.taints(columns.taintSetIds()[slot])).isEqualTo(node.taints());
        assertThat(Columns.isSet(columns.unschedulable(), slot)).isEqualTo(node.unschedulable());
        assertThat(columns.requestedCpuMillis()[slot])
                .isEqualTo(sum(info.pods, p -> p.requests().exact().cpuMillis()));
        assertThat(columns.requestedMemoryBytes()[slot])
                .isEqualTo(sum(info.pods, p -> p.requests().exact().memoryBytes()));
        assertThat(columns.nonZeroCpuMillis()[slot])
                .isEqualTo(sum(info.pods, p -> p.requests().nonZeroCpuMillis()));
        assertThat(columns.podCounts()[slot]).isEqualTo(info.pods.size());
    }

    private void compareSnapshot() {
        assertThat(names(state.nodes().all())).isEqualTo(model.order);
        assertThat(state.orderCount()).isEqualTo(model.order.size());
        for (int i = 0; i < state.orderCount(); i++) {
            assertThat(state.view(state.order()[i]).name()).isEqualTo(model.order.get(i));
            assertThat(state.orderOf(state.order()[i])).isEqualTo(i);
        }
        assertThat(names(state.nodes().withAffinityPods()))
                .isEqualTo(model.ordered(info -> !info.withAffinity.isEmpty()));
        assertThat(names(state.nodes().withRequiredAntiAffinityPods()))
                .isEqualTo(model.ordered(info -> !info.withRequiredAntiAffinity.isEmpty()));
        for (var name : model.order) {
            assertThat(state.view(state.columns().slotOf(name)).images())
                    .isEqualTo(model.frozen.get(name));
        }
    }

    /// A reader that looks from time to time and reads only what it is told to is never out of
    /// date.
    private void compareChangedSlotsOnly(Random random) {
        if (random.nextInt(5) > 0) {
            return;
        }
        var slots = new int[state.columns().limit()];
        int count = state.changes().since(readAt, Changes.ANY, slots);
        for (int i = 0; i < count; i++) {
            read.put(slots[i], facts(slots[i]));
        }
        readAt = state.changes().version();
        for (int slot = 0; slot < state.columns().limit() - 1; slot++) {
            var known = read.get(slot);
            assertThat(known == null ? facts(-1) : known).isEqualTo(facts(slot));
        }
    }

    private List<Object> facts(int slot) {
        if (slot < 0 || !state.holdsNode(slot)) {
            return List.of();
        }
        var view = state.view(slot);
        return List.of(view.node(), List.copyOf(view.pods()), Map.copyOf(view.images()));
    }

    private static long sum(List<Pod> pods, ToLongFunction<Pod> amount) {
        return pods.stream().mapToLong(amount).sum();
    }

    private static Node randomNode(Random random) {
        var node = Node.builder("n" + random.nextInt(NODES));
        var labels = new HashMap<String, String>();
        if (random.nextInt(4) > 0) {
            labels.put(Node.ZONE_LABEL, "z" + random.nextInt(3));
        }
        if (random.nextInt(3) == 0) {
            labels.put(Node.REGION_LABEL, "r" + random.nextInt(2));
        }
        if (random.nextBoolean()) {
            labels.put("disk", "d" + random.nextInt(1000));
        }
        var scalars = new HashMap<String, Long>();
        for (int i = 0; i < 2; i++) {
            if (random.nextInt(3) == 0) {
                scalars.put(SCALARS.get(i), (long) random.nextInt(8));
            }
        }
        if (random.nextInt(3) == 0) {
            node.taint(new Taint("k", "v" + random.nextInt(500), Taint.NO_SCHEDULE));
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            var name = "image" + random.nextInt(5);
            node.image(new NodeImage(List.of(name, name + ":latest"), random.nextInt(100)));
        }
        return node.labels(Labels.of(labels))
                .resourceVersion(Integer.toString(random.nextInt()))
                .unschedulable(random.nextInt(4) == 0)
                .allocatable(
                        new Resources(random.nextInt(100), random.nextInt(100), 3, 110, scalars))
                .build();
    }

    /// Mostly the images of a node stay when something else of it changes.
    private Node withFormerImages(Node node, Random random) {
        var before = state.node(node.name());
        if (before == null || random.nextInt(3) == 0) {
            return node;
        }
        var result = Node.builder(node.name());
        before.images().forEach(result::image);
        return result.labels(node.labels())
                .taints(node.taints())
                .unschedulable(node.unschedulable())
                .allocatable(node.allocatable())
                .resourceVersion(node.resourceVersion())
                .build();
    }

    private static Pod randomPod(Random random) {
        var requests = new HashMap<String, Quantity>();
        for (var resource : List.of("cpu", "memory", SCALARS.get(0), SCALARS.get(1))) {
            if (random.nextInt(3) == 0) {
                requests.put(resource, Quantity.of(random.nextInt(5)));
            }
        }
        var ports = new ArrayList<HostPort>();
        if (random.nextInt(3) == 0) {
            ports.add(new HostPort("", "", random.nextInt(3)));
        }
        var spec =
                PodSpec.builder()
                        .container(new Container("main", "img", requests, Map.of(), ports, false))
                        .affinity(
                                switch (random.nextInt(6)) {
                                    case 0 -> StateFixtures.PREFERS_PODS;
                                    case 1 -> StateFixtures.AVOIDS_PODS;
                                    default -> Affinity.NONE;
                                });
        for (int i = random.nextInt(3); i > 0; i--) {
            spec.volume(new Volume("v" + i, new Volume.Claim("c" + random.nextInt(4), false)));
        }
        var given = new ResizeStatus.Given(Map.of("cpu", Quantity.of(random.nextInt(9))), Map.of());
        return Pod.builder("default", "p" + random.nextInt(PODS))
                .nodeName("n" + random.nextInt(NODES))
                .resourceVersion(Integer.toString(random.nextInt()))
                .resize(
                        random.nextInt(5) > 0
                                ? null
                                : new ResizeStatus(Map.of("main", given), null, false))
                .spec(spec.build())
                .build();
    }
}
