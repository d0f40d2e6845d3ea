package io.berth.engine.search;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.column.SlotTrait;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The tree that finds the best node against the plain passes over all of them.
@Tag("E-102")
class BestNodesTest {
    private static final int CHANGES = 200;

    private final SplittableRandom random = new SplittableRandom(7);

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 31, 32, 33, 64, 65, 100, 500, 1025, 3000})
    void theWinnerIsThatOfThePlainPasses(int count) {
        for (int values : new int[] {1, 2, 5, 1000}) {
            var cluster = new Cluster(count, values, new int[0]);
            for (int i = 0; i < CHANGES; i++) {
                cluster.change();
                cluster.compare(random.nextInt(count));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 31, 33, 64, 100, 500, 1025})
    void soItIsWhereGroupsPassOrNotAndHaveScoresOfTheirOwn(int count) {
        for (int[] traits : new int[][] {{1}, {3}, {2, 3}, {7}, {2, 2, 5}}) {
            var cluster = new Cluster(count, 1 + random.nextInt(5), traits);
            for (int i = 0; i < CHANGES; i++) {
                cluster.change();
                cluster.compare(random.nextInt(count));
            }
        }
    }

    @Test
    void traitsThatTellTooManyNodesApartAreOfNoUse() {
        int count = NodeGroups.MOST + 1;
        int[] order = IntStream.range(0, count).toArray();
        int[] trait = IntStream.range(0, count).map(slot -> Math.max(slot, 1)).toArray();
        var nodes =
                requireNonNull(
                        BestNodes.of(
                                order,
                                count,
                                new short[count],
                                new long[count],
                                List.of(slot -> trait[slot])));
        assertThat(nodes.groupCount()).isEqualTo(NodeGroups.MOST);
        trait[0] = 0;
        assertThat(nodes.update(0)).isFalse();
        assertThat(
                        BestNodes.of(
                                order,
                                count,
                                new short[count],
                                new long[count],
                                List.of(slot -> trait[slot])))
                .isNull();
    }

    @Test
    void aGroupWithoutNodesBecomesAnother() {
        int[] order = {0, 1};
        long[] trait = {1, 1};
        var nodes =
                requireNonNull(
                        BestNodes.of(
                                order,
                                2,
                                new short[2],
                                new long[] {5, 4},
                                List.of(slot -> trait[slot])));
        for (int number = 2; number < 1000; number++) {
            trait[0] = number;
            assertThat(nodes.update(0)).isTrue();
        }
        assertThat(nodes.groupCount()).isEqualTo(3);
        nodes.closeAll();
        for (int group = 0; group < nodes.groupCount(); group++) {
            if (nodes.feasibleIn(group) > 0) {
                nodes.open(group);
            }
        }
        assertThat(nodes.openCount()).isEqualTo(2);
        assertThat(nodes.winner(0, new long[2])).isEqualTo(0);
    }

    @Test
    void positionsAreNotSlots() {
        int[] order = {3, 1};
        short[] refusedBy = {0, 0, 0, 0};
        long[] base = {9, 5, 9, 5};
        var nodes = requireNonNull(BestNodes.of(order, 2, refusedBy, base, List.of()));
        nodes.closeAll();
        nodes.open(0);
        long[] nothing = {0};
        assertThat(nodes.winner(0, nothing)).isEqualTo(3);
        assertThat(nodes.winner(1, nothing)).isEqualTo(1);
        base[1] = 6;
        nodes.update(1);
        assertThat(nodes.winner(0, nothing)).isEqualTo(1);
        assertThat(nodes.tieCount()).isEqualTo(1);
    }

    /// Nodes with few different scores, some of them refused, in an order of their own, and with
    /// traits that decide about some of them besides.
    private final class Cluster {
        final int[] order;
        final short[] refusedBy;
        final long[] base;
        final int values;
        final long[][] numbers;
        final int[] different;
        final BestNodes nodes;

        /// @param different how many different numbers each trait has
        Cluster(int count, int values, int[] different) {
            this.values = values;
            this.different = different;
            order = new int[count + 5];
            refusedBy = new short[count + 5];
            base = new long[count + 5];
            numbers = new long[different.length][count + 5];
            for (int i = 0; i < count; i++) {
                int other = random.nextInt(i + 1);
                order[i] = order[other];
                order[other] = i + 5;
            }
            for (int position = 0; position < count; position++) {
                draw(position);
            }
            var traits =
                    Arrays.stream(numbers).<SlotTrait>map(trait -> slot -> trait[slot]).toList();
            nodes = requireNonNull(BestNodes.of(order, count, refusedBy, base, traits));
        }

        int count() {
            return order.length - 5;
        }

        void draw(int position) {
            int slot = order[position];
            refusedBy[slot] = (short) Math.max(0, random.nextInt(-2, 3));
            base[slot] = random.nextInt(values);
            for (int i = 0; i < different.length; i++) {
                numbers[i][slot] = random.nextInt(different[i]);
            }
        }

        void change() {
            int position = random.nextInt(count());
            draw(position);
            assertThat(nodes.update(position)).isTrue();
        }

        /// What an attempt's filters and scores that are not kept say of a slot, by its traits.
        long extra(long salt, int slot) {
            long sum = salt;
            for (long[] trait : numbers) {
                sum = sum * 31 + trait[slot];
            }
            return new SplittableRandom(sum).nextInt(values);
        }

        boolean passes(long salt, int slot) {
            return numbers.length == 0 || extra(salt + 1, slot) < Math.max(1, values - 1);
        }

        void compare(int start) {
            long salt = random.nextInt();
            int[] slots = new int[count()];
            int size = 0;
            for (int i = 0; i < count(); i++) {
                int slot = order[(start + i) % count()];
                if (refusedBy[slot] == 0 && passes(salt, slot)) {
                    slots[size++] = slot;
                }
            }
            long[] extras = new long[NodeGroups.MOST];
            nodes.closeAll();
            for (int group = 0; group < nodes.groupCount(); group++) {
                if (nodes.feasibleIn(group) > 0 && passes(salt, nodes.sample(group))) {
                    extras[nodes.openCount()] = extra(salt, nodes.sample(group));
                    nodes.open(group);
                }
            }
            assertThat(nodes.feasibleCount()).isEqualTo(size);
            if (size > 0) {
                long[] totals =
                        Arrays.stream(slots, 0, size)
                                .mapToLong(slot -> base[slot] + extra(salt, slot))
                                .toArray();
                long highest = Arrays.stream(totals).max().orElseThrow();
                assertThat(nodes.winner(start, extras))
                        .isEqualTo(slots[HostChoice.best(totals, size)]);
                assertThat(nodes.highest()).isEqualTo(highest);
                assertThat(nodes.tieCount())
                        .isEqualTo(Arrays.stream(totals).filter(t -> t == highest).count());
            }
        }
    }
}
