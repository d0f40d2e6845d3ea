package io.berth.engine.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
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
            var cluster = new Cluster(count, values);
            for (int i = 0; i < CHANGES; i++) {
                cluster.change();
                cluster.compare(random.nextInt(count));
            }
        }
    }

    @Test
    void positionsAreNotSlots() {
        int[] order = {3, 1};
        short[] refusedBy = {0, 0, 0, 0};
        long[] base = {9, 5, 9, 5};
        var nodes = new BestNodes(order, 2, refusedBy, base);
        assertThat(nodes.winner(0)).isEqualTo(3);
        assertThat(nodes.winner(1)).isEqualTo(1);
        base[1] = 6;
        nodes.update(1);
        assertThat(nodes.winner(0)).isEqualTo(1);
        assertThat(nodes.tieCount()).isEqualTo(1);
    }

    /// Nodes with few different scores, some of them refused, in an order of their own.
    private final class Cluster {
        final int[] order;
        final short[] refusedBy;
        final long[] base;
        final int values;
        final BestNodes nodes;

        Cluster(int count, int values) {
            this.values = values;
            order = new int[count + 5];
            refusedBy = new short[count + 5];
            base = new long[count + 5];
            for (int i = 0; i < count; i++) {
                int other = random.nextInt(i + 1);
                order[i] = order[other];
                order[other] = i + 5;
            }
            for (int position = 0; position < count; position++) {
                draw(position);
            }
            nodes = new BestNodes(order, count, refusedBy, base);
        }

        int count() {
            return order.length - 5;
        }

        void draw(int position) {
            refusedBy[order[position]] = (short) Math.max(0, random.nextInt(-2, 3));
            base[order[position]] = random.nextInt(values);
        }

        void change() {
            int position = random.nextInt(count());
            draw(position);
            nodes.update(position);
        }

        void compare(int start) {
            int[] slots = new int[count()];
            int size = 0;
            for (int i = 0; i < count(); i++) {
                int slot = order[(start + i) % count()];
                if (refusedBy[slot] == 0) {
                    slots[size++] = slot;
                }
            }
            assertThat(nodes.feasibleCount()).isEqualTo(size);
            if (size > 0) {
                long[] totals = Arrays.stream(slots, 0, size).mapToLong(s -> base[s]).toArray();
                long highest = Arrays.stream(totals).max().orElseThrow();
                assertThat(nodes.winner(start)).isEqualTo(slots[HostChoice.best(totals, size)]);
                assertThat(nodes.tieCount())
                        .isEqualTo(Arrays.stream(totals).filter(t -> t == highest).count());
            }
        }
    }
}
