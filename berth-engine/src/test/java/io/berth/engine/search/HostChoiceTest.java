package io.berth.engine.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("E-102")
@Tag("E-182")
final class HostChoiceTest {
    @ParameterizedTest
    @Tag("E-185")
    @CsvSource({
        "50 50 50 50 50, 0",
        "1 1 9 9, 3",
        "10 20 30 20 5 30 30, 2",
        "10 20 20 30 5 30 30, 3",
        "10 20 20 5 30 30 1, 4",
        "7, 0"
    })
    void winnerIsTheFirstOfTheBestInPreOrder(String totals, int winner) {
        long[] values = Arrays.stream(totals.split(" ")).mapToLong(Long::parseLong).toArray();
        assertThat(HostChoice.best(values, values.length)).isEqualTo(winner);
        assertThat(rootOfHeap(values, values.length)).isEqualTo(winner);
    }

    @Test
    void winnerIsTheRootOfTheHeapThatUpstreamBuilds() {
        var random = new Random(7);
        for (int round = 0; round < 20_000; round++) {
            int count = 1 + random.nextInt(round % 10 == 0 ? 600 : 40);
            int distinct = 1 + random.nextInt(6);
            long[] totals = random.longs(count + 3, 0, distinct).toArray();
            assertThat(HostChoice.best(totals, count))
                    .as("round %d: %s", round, Arrays.toString(totals))
                    .isEqualTo(rootOfHeap(totals, count));
        }
    }

    @Test
    void entriesBeyondTheCountDoNotMatter() {
        assertThat(HostChoice.best(new long[] {3, 4, 99}, 2)).isEqualTo(1);
    }

    /// A heap as Go's container/heap makes it: sift down from the last parent to the root,
    /// comparing the left child first, swapping only where strictly better.
    private static int rootOfHeap(long[] totals, int count) {
        int[] heap = new int[count];
        Arrays.setAll(heap, i -> i);
        for (int i = count / 2 - 1; i >= 0; i--) {
            int at = i;
            while (true) {
                int left = 2 * at + 1;
                if (left >= count) {
                    break;
                }
                int child = left;
                int right = left + 1;
                if (right < count && totals[heap[right]] > totals[heap[left]]) {
                    child = right;
                }
                if (totals[heap[child]] <= totals[heap[at]]) {
                    break;
                }
                int swap = heap[at];
                heap[at] = heap[child];
                heap[child] = swap;
                at = child;
            }
        }
        return heap[0];
    }
}
