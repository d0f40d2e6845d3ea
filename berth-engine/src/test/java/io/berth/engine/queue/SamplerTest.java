package io.berth.engine.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.engine.port.Sampler;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("P-272")
class SamplerTest {
    @Test
    void aboutOneInTenIsPicked() {
        assertThat(picked(1, 100_000)).isBetween(9_500, 10_500);
    }

    @Test
    void everyOtherOneIsPickedNoLessOften() {
        assertThat(picked(2, 50_000)).isBetween(4_600, 5_400);
    }

    @Test
    void sequenceIsAlwaysTheSame() {
        var one = new Sampler();
        var other = new Sampler();
        for (int i = 0; i < 1_000; i++) {
            assertThat(one.next()).isEqualTo(other.next());
        }
    }

    /// How many of each `step`th are picked.
    private static int picked(int step, int count) {
        var sampler = new Sampler();
        int picked = 0;
        for (int i = 0; i < count * step; i++) {
            boolean isPicked = sampler.next();
            picked += i % step == 0 && isPicked ? 1 : 0;
        }
        return picked;
    }
}
