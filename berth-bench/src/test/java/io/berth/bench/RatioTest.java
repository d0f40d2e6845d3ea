package io.berth.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RatioTest {
    @Test
    void ratioUpToItsBoundIsKept() {
        var ratio = new Ratio("equal pods", 30, "a loop", 10, 3);

        assertThat(ratio.isKept()).isTrue();
        assertThat(ratio.line()).isEqualTo("| equal pods | 30.0 | a loop | 10.0 | 3.00 | 3.00 |\n");
    }

    @Test
    void ratioAboveItsBoundIsMarked() {
        var ratio = new Ratio("equal pods", 30.1, "a loop", 10, 3);

        assertThat(ratio.isKept()).isFalse();
        assertThat(ratio.line()).endsWith("| 3.01 | 3.00 (exceeded) |\n");
    }
}
