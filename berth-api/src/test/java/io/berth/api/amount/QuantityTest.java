package io.berth.api.amount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("H-1")
final class QuantityTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0, 0",
        "1, 1, 1000",
        "+1, 1, 1000",
        "100m, 1, 100",
        "1.5, 2, 1500",
        ".5, 1, 500",
        "1., 1, 1000",
        "0.0001, 1, 1",
        "1n, 1, 1",
        "1500u, 1, 2",
        "2k, 2000, 2000000",
        "1M, 1000000, 1000000000",
        "1G, 1000000000, 1000000000000",
        "1T, 1000000000000, 1000000000000000",
        "1Ki, 1024, 1024000",
        "1.5Ki, 1536, 1536000",
        "1Mi, 1048576, 1048576000",
        "2Gi, 2147483648, 2147483648000",
        "1Ti, 1099511627776, 1099511627776000",
        "1e3, 1000, 1000000",
        "1E3, 1000, 1000000",
        "1e+3, 1000, 1000000",
        "1e-3, 1, 1",
        "12e-1, 2, 1200",
        "-1.5, -2, -1500"
    })
    void readsAsKubernetesWritesIt(String text, long value, long millis) {
        var quantity = Quantity.parse(text);
        assertThat(quantity.value()).isEqualTo(value);
        assertThat(quantity.milliValue()).isEqualTo(millis);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", " ", "1 ", "m", "Ki", ".", "-", "+", "1K", "1mi", "1e", "1ee3", "1.2.3", "1,5",
                "0x10", "NaN", "1e1.5", "--1", "١"
            })
    void refusesWhatIsNone(String text) {
        assertThatThrownBy(() -> Quantity.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + text + "\" is no quantity");
    }

    @ParameterizedTest
    @CsvSource({
        // Binary amounts are capped when they are read.
        "8Ei, 9223372036854775807",
        "100Ei, 9223372036854775807",
        "9223372036854775807, 9223372036854775807",
        // Short decimal forms that do not fit read as 0 ...
        "10E, 0",
        "1e30, 0",
        // ... long ones wrap around.
        "9223372036854775808, -9223372036854775808",
        "18446744073709551617, 1"
    })
    void amountsBeyond64BitsBehaveAsInGo(String text, long value) {
        assertThat(Quantity.parse(text).value()).isEqualTo(value);
    }

    /// A megabyte of digits, which an API server stores, took minutes.
    @Test
    @Timeout(20)
    void noNumberIsLongEnoughToTakeLong() {
        String digits = "9".repeat(1_000_000);
        for (var text : List.of(digits, "0." + digits, "-" + digits + "Ki", digits + "e3")) {
            assertThatThrownBy(() -> Quantity.parse(text))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("\"" + text.substring(0, 40) + "...\" is no quantity");
        }
        assertThat(Quantity.parse("0".repeat(900) + "7").value()).isEqualTo(7);
    }

    @Test
    void millisOfAnAmountThatFitsInUnitsAloneAreZero() {
        assertThat(Quantity.parse("1E").value()).isEqualTo(1_000_000_000_000_000_000L);
        assertThat(Quantity.parse("1E").milliValue()).isZero();
    }

    @Test
    void sumsAreExactAndRoundedOnce() {
        var sum = Quantity.parse("0.4m").plus(Quantity.parse("0.4m"));
        assertThat(sum.milliValue()).isEqualTo(1);
        assertThat(sum.plus(Quantity.parse("0.4m")).milliValue()).isEqualTo(2);
    }

    @Test
    void equalAmountsAreEqualHoweverTheyAreWritten() {
        assertThat(Quantity.parse("1"))
                .isEqualTo(Quantity.parse("1000m"))
                .hasSameHashCodeAs(Quantity.parse("1.000"))
                .isEqualByComparingTo(Quantity.of(1))
                .isEqualTo(Quantity.ofMillis(1000))
                .isNotEqualTo(Quantity.parse("1001m"));
        assertThat(Quantity.parse("0Gi").isZero()).isTrue();
        assertThat(Quantity.parse("1Ki").max(Quantity.parse("1k"))).isEqualTo(Quantity.of(1024));
    }
}
