package io.berth.apiserver.admission;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1, 1",
        "1000m, 1",
        "1500m, 1500m",
        "0.5, 500m",
        ".5, 500m",
        "1., 1",
        "-1, -1",
        "1000, 1k",
        "1024, 1024",
        "1024Ki, 1Mi",
        "1.5Gi, 1536Mi",
        "1023Ki, 1023Ki",
        "0.5Ki, 512",
        "1e3, 1e3",
        "12e6, 12e6",
        "1E, 1E",
        "100n, 100n",
        "0.0000000001, 1n",
        "1000000Ki, 1000000Ki",
        "1048576Ki, 1Gi",
        "128974848, 128974848",
        "110, 110",
    })
    void quantityHasOneWrittenForm(String text, String canonical) {
        assertThat(Quantity.parse(text).orElseThrow().canonical()).isEqualTo(canonical);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "abc", "1x", "1 Gi", "--1", "1.2.3", "Ki", "1ki", "1MM"})
    void otherTextIsNoQuantity(String text) {
        assertThat(Quantity.parse(text)).isEmpty();
    }
}
