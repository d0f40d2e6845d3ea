package io.berth.up;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.up.Line.Style;
import org.junit.jupiter.api.Test;

class LineTest {
    @Test
    void lineThatFitsIsLeftAlone() {
        assertThat(Line.of("abc").fit(3, "…").plain()).isEqualTo("abc");
    }

    @Test
    void longLineIsCutWithAMark() {
        assertThat(Line.of("abc").plus(Style.RED, "def").fit(5, "…").plain()).isEqualTo("abcd…");
    }

    @Test
    void lineNarrowerThanTheMarkIsEmpty() {
        assertThat(Line.of("abcdef").fit(2, "...").plain()).isEmpty();
    }

    @Test
    void stylesBecomeCodesThatEnd() {
        assertThat(Line.of("a").plus(Style.GREEN, "b").plus("c").coloured())
                .isEqualTo("a\u001b[32mb\u001b[0mc");
    }

    @Test
    void characterOutsideTheBasicPlaneCountsOnce() {
        assertThat(Line.of("a\uD83D\uDEA2bc").fit(3, "…").plain()).isEqualTo("a\uD83D\uDEA2…");
    }
}
