package io.berth.apiserver.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GoJsonSyntaxTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | fine",
                "[1,-2.5e3,\"a\\u00e9\",true,null,{\"a\":[]}] | fine",
                "'' | unexpected end of JSON input",
                "{\"a\":1 | unexpected end of JSON input",
                "{a:1} | invalid character 'a' looking for beginning of object key string",
                "{\"a\":1 \"b\"} | invalid character '\"' after object key:value pair",
                "[1 2] | invalid character '2' after array element",
                "tru | unexpected end of JSON input",
                "trux | invalid character 'x' in literal true (expecting 'e')",
                "01 | invalid character '1' after top-level value",
                "1.x | invalid character 'x' after decimal point in numeric literal",
                "1ex | invalid character 'x' in exponent of numeric literal",
                "-x | invalid character 'x' in numeric literal",
                "\"\\x\" | invalid character 'x' in string escape code",
                "\"\\u00g0\" | invalid character 'g' in \\u hexadecimal character escape",
            })
    void problemIsNamedAsGoDoes(String text, String problem) {
        assertThat(GoJsonSyntax.problem(text.getBytes(StandardCharsets.UTF_8), "fine"))
                .isEqualTo(problem);
    }
}
