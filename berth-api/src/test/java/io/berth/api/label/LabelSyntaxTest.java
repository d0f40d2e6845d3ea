package io.berth.api.label;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("H-7")
final class LabelSyntaxTest {
    private static final Pattern NAME = Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");
    private static final Pattern PREFIX =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    @ParameterizedTest
    @ValueSource(strings = {"a", "A", "7", "app.kubernetes.io/name", "a-b_c.D", "a.b-c/X"})
    void keys(String key) {
        assertThat(LabelSyntax.isKey(key)).isTrue();
        assertThat(LabelSyntax.problemsOfKey(key)).isEmpty();
    }

    @Test
    void whatIsWrongWithAKeyIsSaid() {
        assertThat(LabelSyntax.problemsOfKey("a/b/c"))
                .singleElement()
                .asString()
                .startsWith("a valid label key must consist of alphanumeric characters");
        assertThat(LabelSyntax.problemsOfKey("/"))
                .satisfiesExactly(
                        text -> assertThat(text).isEqualTo("prefix part must be non-empty"),
                        text -> assertThat(text).isEqualTo("name part must be non-empty"),
                        text -> assertThat(text).startsWith("name part must consist of"));
        assertThat(LabelSyntax.problemsOfKey("p".repeat(254) + "/" + "n".repeat(64)))
                .containsExactly(
                        "prefix part must be no more than 253 bytes",
                        "name part must be no more than 63 bytes");
        assertThat(LabelSyntax.problemsOfKey("Upper.case/x"))
                .singleElement()
                .asString()
                .startsWith("prefix part a lowercase RFC 1123 subdomain must consist of");
    }

    @Test
    void valueMayBeEmptyButNotLong() {
        assertThat(LabelSyntax.problemsOfValue("")).isEmpty();
        assertThat(LabelSyntax.problemsOfValue("v".repeat(63))).isEmpty();
        assertThat(LabelSyntax.problemsOfValue("v".repeat(64)))
                .containsExactly("must be no more than 63 bytes");
    }

    /// All short texts over a few telling characters.
    @Test
    void patternsOfTheApiSayTheSame() {
        var letters = "aZ0-_./ ";
        for (int number = 0; number < 8 * 8 * 8 * 8 * 8 * 8; number++) {
            var text = new StringBuilder();
            for (int rest = number; rest > 0; rest /= letters.length()) {
                text.append(letters.charAt(rest % letters.length()));
            }
            check(text.toString());
        }
    }

    private static void check(String text) {
        var parts = text.split("/", -1);
        boolean isKey =
                parts.length <= 2
                        && NAME.matcher(parts[parts.length - 1]).matches()
                        && (parts.length == 1 || PREFIX.matcher(parts[0]).matches());
        boolean isValue = text.isEmpty() || NAME.matcher(text).matches();
        if (LabelSyntax.isKey(text) != isKey
                || LabelSyntax.problemsOfKey(text).isEmpty() != isKey
                || LabelSyntax.isValue(text) != isValue
                || LabelSyntax.problemsOfValue(text).isEmpty() != isValue) {
            throw new AssertionError("\"" + text + "\"");
        }
    }
}
