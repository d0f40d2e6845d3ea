package io.berth.apiserver.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.apiserver.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SelectorTest {
    private static final Map<String, String> LABELS =
            Map.of("app", "web", "tier", "front", "ex.io/size", "7", "in", "x");

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "''; true",
                "app=web; true",
                "app = web , tier==front; true",
                "app!=web; false",
                "other!=web; true",
                "app in (db,web); true",
                "app in (); false",
                "app in (,); false",
                "app notin (db); true",
                "other notin (db); true",
                "app; true",
                "!app; false",
                "! other; true",
                "ex.io/size>6; true",
                "ex.io/size<6; false",
                "app>6; false",
                "in; true",
                "in in (x); true",
                "app=; false",
            })
    void labelSelectorIsJudged(String selector, boolean matches) {
        assertThat(LabelSelector.parse(selector).matches(LABELS)).isEqualTo(matches);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "a=b=c; found '=', expected: ',' or 'end of string'",
                "!a=b; found '=', expected: ',' or 'end of string'",
                "(; found '(', expected: !, identifier, or 'end of string'",
                "a in (b c); unable to parse requirement: found 'c', expected: ',' or ')'",
                "a>b; unable to parse requirement: values[0]: Invalid value: \"b\": for 'Gt', 'Lt' operators, the value must be an integer",
            })
    void nonsenseIsExplained(String selector, String message) {
        assertThatThrownBy(() -> LabelSelector.parse(selector))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void jsonFormIsRead() {
        String json =
                "{\"matchLabels\":{\"app\":\"web\"},\"matchExpressions\":["
                        + "{\"key\":\"tier\",\"operator\":\"NotIn\",\"values\":[\"back\"]},"
                        + "{\"key\":\"other\",\"operator\":\"DoesNotExist\"}]}";
        var selector = LabelSelector.of(Json.parse(json.getBytes(StandardCharsets.UTF_8)));
        assertThat(selector.matches(LABELS)).isTrue();
        assertThat(selector.matches(Map.of("app", "web", "other", ""))).isFalse();
    }

    @Test
    void fieldSelectorIsJudged() {
        var selector = FieldSelector.parse("spec.nodeName=,status.phase!=Failed");
        assertThat(selector.matches(f -> f.equals("status.phase") ? "Running" : "")).isTrue();
        assertThat(selector.matches(_ -> "Failed")).isFalse();
    }

    @Test
    void fieldSelectorKnowsEscapes() {
        assertThat(FieldSelector.parse("a=x\\,y\\=z\\\\").terms())
                .containsExactly(new FieldSelector.Term("a", true, "x,y=z\\"));
        assertThatThrownBy(() -> FieldSelector.parse("a=\\x"))
                .hasMessage("invalid field selector: invalid escape sequence: \\x");
        assertThatThrownBy(() -> FieldSelector.parse("abc"))
                .hasMessage("invalid selector: 'abc'; can't understand 'abc'");
    }
}
