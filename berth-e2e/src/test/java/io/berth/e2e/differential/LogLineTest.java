package io.berth.e2e.differential;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class LogLineTest {
    @Test
    void scoreLineIsTakenApart() {
        var line =
                LogLine.parse(
                                "I1115 23:59:59.123456   42 schedule_one.go:982] \"Plugin scored node"
                                        + " for pod\" pod=\"red/p\" plugin=\"ImageLocality\""
                                        + " node=\"n1\" score=17")
                        .orElseThrow();

        assertThat(line.sentence()).isEqualTo(LogLine.PLUGIN_SCORE);
        assertThat(line.value("pod")).isEqualTo("red/p");
        assertThat(line.value("plugin")).isEqualTo("ImageLocality");
        assertThat(line.number("score")).isEqualTo(17);
        assertThat(line.isDecision()).isFalse();
    }

    @Test
    void escapedQuotesBelongToTheText() {
        var line =
                LogLine.parse(
                                "I1115 23:59:59.123456   42 x.go:1] \"Unable to schedule pod; no fit;"
                                        + " waiting\" pod=\"red/p\" err=\"a \\\"b\\\" c=d\"")
                        .orElseThrow();

        assertThat(line.value("err")).isEqualTo("a \"b\" c=d");
        assertThat(line.isDecision()).isTrue();
    }

    @Test
    void otherLinesAreLeftOut() {
        assertThat(LogLine.parse("I1115 23:59:59.123456 42 x.go:1] \"Starting\" pod=\"a\""))
                .isEmpty();
        assertThat(LogLine.parse("panic: oh no")).isEmpty();
    }
}
