package io.berth.engine.state;

import static io.berth.engine.state.StateFixtures.asking;
import static io.berth.engine.state.StateFixtures.names;
import static io.berth.engine.state.StateFixtures.node;
import static io.berth.engine.state.StateFixtures.pod;
import static io.berth.engine.state.StateFixtures.state;
import static io.berth.engine.state.StateFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.amount.Resources;
import io.berth.api.column.LabelColumn;
import io.berth.api.column.NodeColumns;
import io.berth.api.label.Labels;
import io.berth.api.model.Node;
import io.berth.api.spec.Taint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ColumnsTest {
    private static final String GPU = "example.com/gpu";

    private final ClusterState state = state();
    private final NodeColumns columns = state.columns();

    @AfterEach
    void stateEqualsRecount() {
        assertThat(state.recount()).isEmpty();
    }

    @Test
    void nodesFactsAreInItsSlot() {
        var allocatable = new Resources(1, 2, 3, 4, Map.of(GPU, 5L));
        var taint = new Taint("k", "v", Taint.NO_SCHEDULE);
        state.addNode(node("other"));
        state.addNode(
                Node.builder("a")
                        .allocatable(allocatable)
                        .taint(taint)
                        .unschedulable(true)
                        .build());
        int slot = columns.slotOf("a");

        assertThat(columns.allocatableCpuMillis()[slot]).isEqualTo(1);
        assertThat(columns.allocatableMemoryBytes()[slot]).isEqualTo(2);
        assertThat(columns.allocatableEphemeralBytes()[slot]).isEqualTo(3);
        assertThat(columns.allocatablePods()[slot]).isEqualTo(4);
        assertThat(columns.scalar(GPU).allocatable()[slot]).isEqualTo(5);
        assertThat(columns.taints(columns.taintSetIds()[slot])).containsExactly(taint);
        assertThat(columns.unschedulable()[0]).isEqualTo(1L << slot);
        assertThat(columns.nodeCount()).isEqualTo(2);
    }

    @Nested
    class Slots {
        @Test
        void areReusedWhenNodeAndPodsAreGone() {
            state.addNode(node("a"));
            state.addNode(node("b"));
            state.addPod(pod("p", "a"));
            state.removeNode(node("a"));
            state.addNode(node("c"));
            assertThat(columns.slotOf("c")).as("a pod still holds slot 0").isEqualTo(2);

            state.removePod(pod("p", "a"));
            state.addNode(node("d").toBuilder().allocatable(Resources.NONE).build());
            assertThat(columns.slotOf("d")).isZero();
            assertThat(columns.requestedCpuMillis()[0]).isZero();
            assertThat(columns.allocatableCpuMillis()[0]).isZero();
            assertThat(view(state, "d").pods()).isEmpty();
        }

        @Test
        void stayTheSameWhenTheColumnsGrow() {
            var zone = columns.label(Node.ZONE_LABEL);
            for (int i = 0; i < 4; i++) {
                state.addNode(zoned("n" + i, "z" + i));
                state.addPod(pod("p" + i, "n" + i, asking((i + 1) + "m")));
            }
            int epoch = columns.epoch();
            int limit = columns.limit();
            state.addNode(zoned("n4", "z4"));

            assertThat(columns.epoch()).isGreaterThan(epoch);
            assertThat(columns.limit()).isEqualTo(limit + 4);
            assertThat(columns.label(Node.ZONE_LABEL)).isSameAs(zone);
            for (int i = 0; i < 5; i++) {
                assertThat(columns.slotOf("n" + i)).isEqualTo(i);
                assertThat(zone.value(zone.valueIds()[i])).isEqualTo("z" + i);
                assertThat(columns.requestedCpuMillis()[i]).isEqualTo(i < 4 ? i + 1 : 0);
            }
            state.refresh();
            assertThat(names(state.nodes().all())).containsExactly("n0", "n1", "n2", "n3", "n4");
        }

        @Test
        void doNotGrowWhileNodesOnlyComeAndGo() {
            for (int i = 0; i < 100; i++) {
                state.addNode(node("n" + i));
                state.addPod(pod("p" + i, "n" + i));
                state.removeNode(node("n" + i));
                state.removePod(pod("p" + i, "n" + i));
            }
            assertThat(columns.epoch()).isZero();
        }
    }

    /// The simulation came upon it: a label that only an explanation had asked about had all kept
    /// results judged anew once a node had it.
    @Nested
    final class ThatQuestionsRead {
        private final int before = state.keptEpoch();

        private LabelColumn asked() {
            return state.ask(() -> columns.label("disk"));
        }

        private void giveIt(String node, String value) {
            var labels = Labels.of(Map.of("disk", value));
            state.addNode(node(node).toBuilder().labels(labels).build());
        }

        @Test
        void doNotConcernWhatAttemptsKeep() {
            var column = asked();
            int epoch = columns.epoch();
            giveIt("a", "ssd");
            assertThat(columns.epoch()).as("told to others").isGreaterThan(epoch);
            assertThat(state.keptEpoch()).isEqualTo(before);
            assertThat(columns.label("disk")).isSameAs(column);
            assertThat(column.value(column.valueIds()[columns.slotOf("a")])).isEqualTo("ssd");
        }

        @Test
        void doOnceAnAttemptHasReadThem() {
            asked();
            var column = columns.label("disk");
            giveIt("a", "ssd");
            assertThat(state.keptEpoch()).isGreaterThan(before);
            assertThat(column.value(column.valueIds()[columns.slotOf("a")])).isEqualTo("ssd");
        }

        /// An attempt that reads the label first would find no node that has it, and be told once
        /// one has.
        @Test
        void beginAnewForTheFirstAttempt() {
            asked();
            giveIt("a", "ssd");
            state.addNode(node("a"));
            var column = columns.label("disk");
            assertThat(state.keptEpoch()).isEqualTo(before);
            giveIt("a", "hdd");
            assertThat(state.keptEpoch()).isGreaterThan(before);
            assertThat(column.value(column.valueIds()[columns.slotOf("a")])).isEqualTo("hdd");
        }

        @Test
        void areGoneWhereTheyCountResources() {
            var asked = state.ask(() -> columns.scalar("example.com/gpu"));
            assertThat(columns.scalar("example.com/gpu")).isNotSameAs(asked);
            assertThat(state.keptEpoch()).isEqualTo(before);
        }
    }

    @Nested
    class LabelColumns {
        @Test
        void areFilledWhenFirstAskedForAndKeptCurrent() {
            state.addNode(zoned("a", "z1"));
            var zone = columns.label(Node.ZONE_LABEL);
            assertThat(valueOf("a")).isEqualTo("z1");

            state.addNode(zoned("b", "z2"));
            state.addNode(zoned("c", "z1"));
            state.updateNode(zoned("a", "z3"));
            state.updateNode(node("c"));
            assertThat(valueOf("a")).isEqualTo("z3");
            assertThat(valueOf("b")).isEqualTo("z2");
            assertThat(zone.valueIds()[columns.slotOf("c")]).isZero();
            assertThat(zone.idOf("z2")).isPositive().isLessThan(zone.idLimit());
            assertThat(zone.idOf("nowhere")).isZero();
        }

        @Test
        void tellApartAnEmptyValueAndNone() {
            state.addNode(zoned("a", ""));
            var zone = columns.label(Node.ZONE_LABEL);

            assertThat(zone.valueIds()[0]).isPositive();
            assertThat(valueOf("a")).isEmpty();
        }

        @Test
        void thatNoNodeHasShareOneArrayUntilANodeHasTheLabel() {
            state.addNode(node("a"));
            var zone = columns.label(Node.ZONE_LABEL);
            var other = columns.label("other");
            assertThat(zone.valueIds()).isSameAs(other.valueIds());
            int epoch = columns.epoch();

            state.updateNode(zoned("a", "z1"));
            assertThat(columns.epoch()).isGreaterThan(epoch);
            assertThat(columns.label(Node.ZONE_LABEL)).isSameAs(zone);
            assertThat(valueOf("a")).isEqualTo("z1");
            assertThat(other.valueIds()).containsOnly(0);
        }

        @Test
        void keepTheNumbersOfVanishedValuesUntilANewEpoch() {
            var zone = columns.label(Node.ZONE_LABEL);
            state.addNode(zoned("a", "z0"));
            int epoch = columns.epoch();
            int id = zone.idOf("z0");
            int i = 0;
            while (columns.epoch() == epoch) {
                assertThat(zone.idOf("z0")).isEqualTo(id);
                assertThat(zone.value(id)).isEqualTo("z0");
                state.updateNode(zoned("a", "z" + ++i));
            }
            assertThat(zone.idOf("z0")).isZero();
            assertThat(valueOf("a")).isEqualTo("z" + i);
        }

        @Test
        void doNotGrowWithEveryValueThatEverWas() {
            var zone = columns.label(Node.ZONE_LABEL);
            for (int i = 0; i < 5000; i++) {
                state.updateNode(zoned("a", "z" + i));
                assertThat(valueOf("a")).isEqualTo("z" + i);
            }
            assertThat(zone.idLimit()).isLessThan(600);
        }

        private String valueOf(String node) {
            var zone = columns.label(Node.ZONE_LABEL);
            return zone.value(zone.valueIds()[columns.slotOf(node)]);
        }
    }

    @Test
    void equalTaintsHaveOneNumber() {
        state.addNode(tainted("a", "x"));
        state.addNode(tainted("b", "x"));
        state.addNode(tainted("c", "y"));
        state.addNode(node("d"));
        int[] ids = columns.taintSetIds();

        assertThat(ids[0]).isEqualTo(ids[1]).isNotEqualTo(ids[2]).isPositive();
        assertThat(ids[3]).isZero();
        assertThat(columns.taints(0)).isEmpty();
        assertThat(columns.taintSetLimit()).isEqualTo(3);
    }

    @Test
    void taintSetsDoNotGrowWithEveryTaintThatEverWas() {
        for (int i = 0; i < 5000; i++) {
            state.updateNode(tainted("a", "v" + i));
            assertThat(columns.taints(columns.taintSetIds()[0]).getFirst().value())
                    .isEqualTo("v" + i);
        }
        assertThat(columns.taintSetLimit()).isLessThan(600);
    }

    @Test
    void valuesThatComeAndGoAgainStartNoNewEpoch() {
        columns.label(Node.ZONE_LABEL);
        state.addNode(zoned("a", "z0"));
        int epoch = columns.epoch();
        for (int i = 0; i < 2000; i++) {
            state.updateNode(
                    zoned("a", "z" + i % 2).toBuilder()
                            .taint(new Taint("k", "v" + i % 2, Taint.NO_SCHEDULE))
                            .build());
        }
        assertThat(columns.epoch()).isEqualTo(epoch);
    }

    @Test
    void scalarColumnIsKeptCurrentOnceAskedFor() {
        var gpus = columns.scalar(GPU);
        assertThat(gpus.allocatable()).containsOnly(0);
        state.addNode(withGpus("a", 4));
        state.addNode(withGpus("b", 8));
        state.updateNode(node("a"));
        state.removeNode(node("b"));

        assertThat(gpus.allocatable()).containsOnly(0);
        state.updateNode(withGpus("a", 2));
        assertThat(gpus.allocatable()[0]).isEqualTo(2);
    }

    @Test
    void columnsOfResourcesThatNobodyHasDoNotPileUp() {
        state.addNode(withGpus("a", 4));
        columns.scalar(GPU);
        int epoch = columns.epoch();
        for (int i = 0; i < 1000; i++) {
            columns.scalar("example.com/r" + i);
            state.refresh();
        }
        var kept = new ArrayList<String>();
        ((Columns) columns).forEachScalar((name, column) -> kept.add(name));

        assertThat(kept).hasSizeLessThan(200).contains(GPU);
        assertThat(columns.epoch()).isGreaterThan(epoch);
    }

    private static Node zoned(String name, String zone) {
        return StateFixtures.nodeIn(zone, name);
    }

    private static Node tainted(String name, String value) {
        return node(name).toBuilder()
                .taints(List.of(new Taint("k", value, Taint.NO_SCHEDULE)))
                .build();
    }

    private static Node withGpus(String name, long count) {
        return Node.builder(name)
                .allocatable(new Resources(1, 1, 1, 1, Map.of(GPU, count)))
                .build();
    }
}
