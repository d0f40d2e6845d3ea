package io.berth.api.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("H-12")
class NormalizeTest {
    @Test
    void largestBecomesHundredAndOthersFollow() {
        assertThat(normalized(false, 0, 1, 2, 3)).containsExactly(0, 33, 66, 100);
        assertThat(normalized(true, 0, 1, 2, 3)).containsExactly(100, 67, 34, 0);
    }

    @Test
    void allZeroStaysZeroUnlessLittleIsGood() {
        assertThat(normalized(false, 0, 0)).containsExactly(0, 0);
        assertThat(normalized(true, 0, 0)).containsExactly(100, 100);
    }

    @Test
    void negativeScoresAreNoMeasure() {
        assertThat(normalized(false, -5, -1)).containsExactly(-5, -1);
        assertThat(normalized(true, -5, -1)).containsExactly(100, 100);
    }

    @Test
    void percentageIsThatOfWholeNumbers() {
        var random = new Random(1);
        for (int i = 0; i < 1_000_000; i++) {
            int bits = 1 + random.nextInt(62);
            long whole = 1 + (random.nextLong() >>> 64 - bits >>> 1);
            long part = random.nextLong() % (2 * whole) / 100;
            assertThat(Normalize.percent(part, whole)).isEqualTo(100 * part / whole);
        }
    }

    /// The array is longer than what is scored, as the engine's arrays are.
    private static long[] normalized(boolean reverse, long... raw) {
        var values = Arrays.copyOf(raw, raw.length + 2);
        values[raw.length] = 1_000;
        Normalize.proportionally(
                new Normalize.Scores(new int[values.length], values, raw.length), reverse);
        return Arrays.copyOf(values, raw.length);
    }
}
