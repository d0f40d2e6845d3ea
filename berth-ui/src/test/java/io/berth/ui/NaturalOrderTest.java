package io.berth.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class NaturalOrderTest {
    @Test
    void numbersCountAsNumbersAndWordsAsWords() {
        var ordered =
                List.of(
                        "",
                        "cpu",
                        "cpu-02",
                        "cpu-2",
                        "cpu-10",
                        "cpu-10-1",
                        "cpu-99999999999999999999",
                        "cpu-100000000000000000000",
                        "gpu-1",
                        "gpu-a");
        var random = new Random(1);
        for (int i = 0; i < 20; i++) {
            var mixed = new ArrayList<>(ordered);
            Collections.shuffle(mixed, random);
            mixed.sort(NaturalOrder::compare);
            assertThat(mixed).isEqualTo(ordered);
        }
    }
}
