package io.berth.serving.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.HexFormat;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The numbers are examples of RFC 8949, appendix A.
@Tag("P-206")
class CborTest {
    private static String hex(String json) throws JsonProcessingException {
        return HexFormat.of().formatHex(Cbor.of(Trees.mapper().readTree(json)));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 00",
        "23, 17",
        "24, 1818",
        "255, 18ff",
        "1000, 1903e8",
        "1000000, 1a000f4240",
        "1000000000000, 1b000000e8d4a51000",
        "-1, 20",
        "-1000, 3903e7",
        "9223372036854775807, 1b7fffffffffffffff",
        "18446744073709551615, 1bffffffffffffffff",
        "-18446744073709551616, 3bffffffffffffffff",
        "0.0, f90000",
        "-0.0, f98000",
        "1.0, f93c00",
        "1.5, f93e00",
        "65504.0, f97bff",
        "5.960464477539063e-8, f90001",
        "-4.0, f9c400",
        "100000.0, fa47c35000",
        "3.4028234663852886e38, fa7f7fffff",
        "1.1, fb3ff199999999999a",
        "1.0e300, fb7e37e43c8800759c",
        "-4.1, fbc010666666666666",
        "true, f5",
        "false, f4",
        "null, f6",
    })
    void numbersAreShort(String json, String written) throws JsonProcessingException {
        assertThat(hex(json)).isEqualTo("d9d9f7" + written);
    }

    @Test
    void wholeNumberBeyondTheFormatIsRefused() {
        assertThatThrownBy(() -> hex("18446744073709551616"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("18446744073709551616");
        assertThatThrownBy(() -> hex("-18446744073709551617"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void textsAreBytesAndLongOnesSayHowLong() throws JsonProcessingException {
        assertThat(hex("[\"\", \"a\", \"\u00fc\"]")).isEqualTo("d9d9f783404161" + "42c3bc");
        assertThat(hex("\"" + "x".repeat(300) + "\"")).startsWith("d9d9f759012c78");
    }

    @Test
    void fieldsAreInTheOrderOfTheirWrittenNames() throws JsonProcessingException {
        assertThat(hex("{\"b\": 1, \"aa\": 2, \"a\": 3}"))
                .isEqualTo("d9d9f7a3" + "416103" + "416201" + "42616102");
    }
}
