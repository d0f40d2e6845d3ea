package io.berth.plugins.noderesources;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.plugins.noderesources.BrokenLinear.Point;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("H-13")
class BrokenLinearTest {
    private final BrokenLinear function =
            new BrokenLinear(List.of(new Point(10, 2), new Point(40, 9), new Point(73, 1)));

    @ParameterizedTest
    @CsvSource({
        "0, 20", // before the first point
        "10, 20",
        "11, 22", // 20 + 70 * 1 / 30
        "40, 90",
        "41, 88", // a falling piece rounds toward zero: 90 - 80 * 1 / 33
        "72, 13",
        "73, 10",
        "100, 10" // after the last point
    })
    void isStraightBetweenPoints(long utilization, long score) {
        assertThat(function.at(utilization)).isEqualTo(score);
    }
}
