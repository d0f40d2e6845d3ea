package io.berth.engine.search;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("E-95")
@Tag("E-2")
final class QuotaTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0, 0",
        "1, 0, 1",
        "99, 0, 99",
        "100, 0, 100",
        "200, 0, 100",
        "250, 0, 120",
        "500, 0, 230",
        "1000, 0, 420",
        "5000, 0, 500",
        "6000, 0, 300",
        "100000, 0, 5000",
        "99, 1, 99",
        "1000, 1, 100",
        "1000, 30, 300",
        "1000, 100, 1000",
        "50000000, 100, 50000000"
    })
    void dependsOnTheNumberOfNodes(int nodes, int percentage, int quota) {
        assertThat(Quota.of(nodes, percentage)).isEqualTo(quota);
    }
}
