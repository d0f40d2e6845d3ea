package io.berth.engine.state;

import static io.berth.engine.state.StateFixtures.AVOIDS_PODS;
import static io.berth.engine.state.StateFixtures.asking;
import static io.berth.engine.state.StateFixtures.image;
import static io.berth.engine.state.StateFixtures.node;
import static io.berth.engine.state.StateFixtures.pod;
import static io.berth.engine.state.StateFixtures.podNames;
import static io.berth.engine.state.StateFixtures.state;
import static io.berth.engine.state.StateFixtures.view;
import static io.berth.engine.state.StateFixtures.withClaims;
import static io.berth.engine.state.StateFixtures.withPorts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.amount.Quantity;
import io.berth.api.amount.Resources;
import io.berth.api.column.NodeColumns;
import io.berth.api.handle.StateObserver;
import io.berth.api.label.Labels;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.spec.HostPort;
import io.berth.api.spec.Taint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ScratchTest {
    private static final String GPU = "example.com/gpu";

    private final ClusterState state = state();
    private final NodeColumns columns = state.columns();

    @BeforeEach
    void oneFullNode() {
        state.addNode(node("other"));
        state.addNode(
                Node.builder("a")
                        .allocatable(new Resources(1, 2, 3, 4, Map.of(GPU, 5L)))
                        .taint(new Taint("k", "v", Taint.NO_EXECUTE))
                        .labels(Labels.of(Node.ZONE_LABEL, "z1"))
                        .unschedulable(true)
                        .image(image("x", 7))
                        .build());
        state.addPod(pod("p", "a", asking("1").overhead(GPU, Quantity.of(1))));
        state.addPod(pod("q", "a", asking("2").affinity(AVOIDS_PODS)));
        state.addPod(pod("r", "a", withPorts(new HostPort("", "", 80))));
        state.addPod(pod("s", "a", withClaims("data")));
        state.refresh();
    }

    @Test
    @Tag("E-17")
    void scratchSlotIsEqualToItsOriginal() {
        columns.label(Node.ZONE_LABEL);
        columns.scalar(GPU);
        var a = view(state, "a");
        try (var scratch = state.scratch()) {
            var copy = scratch.copyOf(a.slot());
            int slot = scratch.slot();

            assertThat(columns.node(slot)).isSameAs(copy).isSameAs(scratch.view());
            assertThat(slot).isBetween(4, columns.limit() - 1);
            assertThat(copy.slot()).isEqualTo(slot);
            assertThat(copy.name()).isEqualTo("a");
            assertThat(copy.node()).isSameAs(a.node());
            assertThat(copy.pods()).isEqualTo(a.pods());
            assertThat(copy.podsWithAffinity()).isEqualTo(a.podsWithAffinity());
            assertThat(copy.podsWithRequiredAntiAffinity())
                    .isEqualTo(a.podsWithRequiredAntiAffinity());
            assertThat(copy.requested()).isEqualTo(a.requested());
            assertThat(copy.nonZeroCpuMillis()).isEqualTo(a.nonZeroCpuMillis());
            assertThat(copy.usedPorts()).containsExactlyElementsOf(a.usedPorts());
            assertThat(copy.usesClaim("default/data")).isTrue();
            assertThat(copy.images()).isEqualTo(a.images()).hasSize(1);
            assertThat(facts(slot)).isEqualTo(facts(a.slot()));
        }
    }

    @Test
    void columnMadeDuringADryRunCoversTheScratchSlot() {
        try (var scratch = state.scratch()) {
            scratch.copyOf(columns.slotOf("a"));
            scratch.remove(pod("p", "a"));

            var zone = columns.label(Node.ZONE_LABEL);
            assertThat(zone.value(zone.valueIds()[scratch.slot()])).isEqualTo("z1");
            assertThat(columns.scalar(GPU).allocatable()[scratch.slot()]).isEqualTo(5);
            assertThat(columns.scalar(GPU).requested()[scratch.slot()]).isZero();
        }
    }

    @Test
    @Tag("E-17")
    void changesOfTheScratchSlotAreSeenNowhereElse() {
        var heard = new ArrayList<String>();
        state.observe(recordingObserver(heard));
        heard.clear();
        var a = view(state, "a");
        var factsBefore = facts(a.slot());
        var podsBefore = List.copyOf(a.pods());
        long version = state.changes().version();

        try (var scratch = state.scratch()) {
            var copy = scratch.copyOf(a.slot());
            for (var victim : podsBefore) {
                scratch.remove(victim);
            }
            assertThat(copy.pods()).isEmpty();
            assertThat(copy.usedPorts()).isEmpty();
            assertThat(copy.usesClaim("default/data")).isFalse();
            assertThat(copy.podsWithAffinity()).isEmpty();
            assertThat(copy.requested()).isEqualTo(Resources.NONE);
            scratch.add(pod("new", "a", asking("3")));
            assertThat(columns.requestedCpuMillis()[scratch.slot()]).isEqualTo(3000);
            assertThat(columns.podCounts()[scratch.slot()]).isEqualTo(1);
        }

        assertThat(facts(a.slot())).isEqualTo(factsBefore);
        assertThat(a.pods()).isEqualTo(podsBefore);
        assertThat(a.usedPorts()).hasSize(1);
        assertThat(a.usesClaim("default/data")).isTrue();
        assertThat(state.isClaimInUse("default/data")).isTrue();
        assertThat(state.changes().version()).isEqualTo(version);
        assertThat(heard).isEmpty();
        assertThat(state.recount()).isEmpty();
    }

    @Test
    void removedPodsPlaceIsTakenByTheLastOneHereToo() {
        try (var scratch = state.scratch()) {
            var copy = scratch.copyOf(columns.slotOf("a"));
            scratch.remove(pod("p", "a"));
            assertThat(podNames(copy.pods())).containsExactly("s", "q", "r");
            scratch.add(pod("p", "a"));
            assertThat(podNames(copy.pods())).containsExactly("s", "q", "r", "p");
        }
    }

    @Test
    void scratchSlotCanStandForOneNodeAfterAnother() {
        try (var scratch = state.scratch()) {
            scratch.copyOf(columns.slotOf("a"));
            var copy = scratch.copyOf(columns.slotOf("other"));

            assertThat(copy.name()).isEqualTo("other");
            assertThat(copy.pods()).isEmpty();
            assertThat(facts(scratch.slot())).isEqualTo(facts(columns.slotOf("other")));
        }
    }

    @Test
    void moreDryRunsThanExpectedMakeTheColumnsGrowAndKeepWhatIsGoingOn() {
        var first = state.scratch();
        first.copyOf(columns.slotOf("a"));
        first.remove(pod("p", "a"));
        var factsBefore = facts(first.slot());
        var more = IntStream.range(0, 40).mapToObj(i -> state.scratch()).toList();

        assertThat(facts(first.slot())).isEqualTo(factsBefore);
        assertThat(more.stream().map(Scratch::slot).distinct())
                .hasSize(40)
                .doesNotContain(first.slot());
        more.forEach(scratch -> scratch.copyOf(columns.slotOf("a")));
        more.forEach(
                scratch -> assertThat(facts(scratch.slot())).isEqualTo(facts(columns.slotOf("a"))));
        more.forEach(Scratch::close);
        first.close();
        assertThat(state.recount()).isEmpty();
    }

    @Test
    void reservedScratchSlotsAreTakenWithoutANewEpoch() {
        state.reserveScratch(100);
        int epoch = columns.epoch();
        var all = IntStream.range(0, 100).mapToObj(i -> state.scratch()).toList();

        assertThat(columns.epoch()).isEqualTo(epoch);
        all.forEach(Scratch::close);
    }

    @Test
    void scratchSlotsAreLeftCleanWhenTheColumnsGrow() {
        try (var scratch = state.scratch()) {
            scratch.copyOf(columns.slotOf("a"));
        }
        for (int i = 0; i < 20; i++) {
            state.addNode(node("n" + i));
        }
        assertThat(state.recount()).isEmpty();
        try (var scratch = state.scratch()) {
            scratch.copyOf(columns.slotOf("a"));
            assertThat(facts(scratch.slot())).isEqualTo(facts(columns.slotOf("a")));
        }
    }

    @Test
    void releasingTwiceIsAnError() {
        var scratch = state.scratch();
        scratch.close();

        assertThatThrownBy(scratch::close).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void columnsDoNotGrowForNodesDuringADryRun() {
        try (var scratch = state.scratch()) {
            assertThat(scratch.slot()).isPositive();
            state.addNode(node("n1"));
            state.addNode(node("n2"));
            assertThatThrownBy(() -> state.addNode(node("n3")))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void severalThreadsMayDryRunAtOnce() {
        columns.label(Node.ZONE_LABEL);
        columns.scalar(GPU);
        int a = columns.slotOf("a");
        int other = columns.slotOf("other");
        state.reserveScratch(64);
        var all = IntStream.range(0, 64).mapToObj(i -> state.scratch()).toList();
        var original = facts(a);

        all.parallelStream()
                .forEach(scratch -> {
                    for (int round = 0; round < 500; round++) {
                        scratch.copyOf(other);
                        var copy = scratch.copyOf(a);
                        for (var victim : List.copyOf(copy.pods())) {
                            scratch.remove(victim);
                            scratch.add(victim);
                        }
                    }
                });

        for (var scratch : all) {
            assertThat(facts(scratch.slot())).isEqualTo(original);
        }
        all.forEach(Scratch::close);
        assertThat(state.recount()).isEmpty();
    }

    private static StateObserver recordingObserver(List<String> heard) {
        return new StateObserver() {
            @Override
            public void podAdded(Pod pod, int slot) {
                heard.add("+" + pod);
            }

            @Override
            public void podRemoved(Pod pod, int slot) {
                heard.add("-" + pod);
            }

            @Override
            public void nodeChanged(int slot, @Nullable Node before, @Nullable Node after) {
                heard.add(before + " " + after);
            }
        };
    }

    private List<Object> facts(int slot) {
        return List.of(
                columns.allocatableCpuMillis()[slot],
                columns.allocatableMemoryBytes()[slot],
                columns.allocatableEphemeralBytes()[slot],
                columns.allocatablePods()[slot],
                columns.requestedCpuMillis()[slot],
                columns.requestedMemoryBytes()[slot],
                columns.requestedEphemeralBytes()[slot],
                columns.nonZeroCpuMillis()[slot],
                columns.nonZeroMemoryBytes()[slot],
                columns.podCounts()[slot],
                columns.taintSetIds()[slot],
                Columns.isSet(columns.unschedulable(), slot),
                columns.label(Node.ZONE_LABEL).valueIds()[slot],
                columns.scalar(GPU).allocatable()[slot],
                columns.scalar(GPU).requested()[slot]);
    }
}
