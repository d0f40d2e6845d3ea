package io.berth.controllers.object;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Amounts.
final class QuantityTest {
    @ParameterizedTest
    @CsvSource({
        "1, 1",
        "500m, 0.5",
        "1Ki, 1024",
        "10Gi, 10737418240",
        "1.5G, 1500000000",
        "1e3, 1000",
        "2E, 2000000000000000000",
        "100n, 0.0000001"
    })
    void textIsAnAmount(String text, BigDecimal amount) {
        assertThat(Quantity.parse(text).orElseThrow()).isEqualByComparingTo(amount);
    }

    @Test
    void otherTextIsNone() {
        assertThat(Quantity.parse("much")).isEmpty();
        assertThat(Quantity.parse("")).isEmpty();
        assertThat(Quantity.parse("1Kb")).isEmpty();
    }
}
