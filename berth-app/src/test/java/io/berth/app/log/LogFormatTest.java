package io.berth.app.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.amount.GoDuration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogFormatTest {
    private static final LocalDateTime TIME = LocalDateTime.of(2026, 11, 5, 20, 4, 26, 123_456_789);

    @Nested
    @Tag("P-28")
    class Text {
        @Test
        void lineHasSeverityTimeProcessSourceSentenceAndKeys() {
            var entry = info("Bound pod", pair("pod", "a/b"), pair("attempts", 3));
            assertThat(KlogText.line(entry, 12345))
                    .isEqualTo(
                            "I1105 20:04:26.123456   12345 Binder.java:42] \"Bound pod\""
                                    + " pod=\"a/b\" attempts=3");
        }

        @Test
        void errorComesBeforeTheKeys() {
            var entry = error("Failed", new ConnectException("refused"), pair("pod", "a/b"));
            assertThat(KlogText.line(entry, 1))
                    .startsWith("E1105")
                    .endsWith("] \"Failed\" err=\"refused\" pod=\"a/b\"");
        }

        @Test
        void valuesAreShownByTheirType() {
            var entry =
                    info(
                            "Values",
                            pair("none", null),
                            pair("yes", true),
                            pair("took", Duration.ofMillis(1500)),
                            pair("list", List.of("a", "b")),
                            pair("map", Map.of("k", 1)),
                            pair("quoted", "say \"hi\"\t"));
            assertThat(KlogText.line(entry, 1))
                    .endsWith(
                            "none=null yes=true took=\"1.5s\" list=[\"a\",\"b\"] map={\"k\":1}"
                                    + " quoted=\"say \\\"hi\\\"\\t\"");
        }

        @Test
        void textOfSeveralLinesStaysReadable() {
            assertThat(KlogText.line(info("Dump", pair("text", "one\ntwo\n")), 1))
                    .endsWith("\"Dump\" text=<\n\tone\n\ttwo\n >");
        }
    }

    @Nested
    @Tag("P-29")
    class Json {
        @Test
        void lineIsOneObject() {
            var entry = info("Bound \"pod\"\n", pair("pod", "a/b"), pair("n", 3));
            assertThat(KlogJson.line(entry))
                    .matches("\\{\"ts\":[0-9]{13}\\.456,.*")
                    .endsWith(
                            ",\"caller\":\"Binder.java:42\",\"msg\":\"Bound"
                                    + " \\\"pod\\\"\\n\",\"v\":2,\"pod\":\"a/b\",\"n\":3}");
        }

        @Test
        void errorCarriesErrAndNoVerbosity() {
            var entry =
                    error("Failed", new IOException("no route"), pair("d", Duration.ofSeconds(2)));
            assertThat(KlogJson.line(entry))
                    .contains("\"d\":\"2s\",\"err\":\"no route\"}")
                    .doesNotContain("\"v\":");
        }
    }

    @Nested
    class Causing {
        @Test
        void wrappingsOfFuturesAreLeftOut() {
            var wrapped =
                    new CompletionException(new UncheckedIOException(new IOException("gone")));
            assertThat(Causes.sentence(wrapped)).isEqualTo("gone");
            assertThat(Causes.trace(wrapped)).isEmpty();
        }

        @Test
        void mistakeInTheProgramBringsItsStack() {
            var mistake = new IllegalStateException("slot 3 is free");
            assertThat(Causes.trace(mistake).orElseThrow())
                    .contains("IllegalStateException: slot 3 is free", "LogFormatTest");
        }

        @Test
        void throwableWithoutMessageIsToldByItsName() {
            assertThat(Causes.sentence(new ConnectException())).isEqualTo("ConnectException");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S,0s",
        "PT0.0000015S,1.5µs",
        "PT0.3S,300ms",
        "PT1.5S,1.5s",
        "PT2M,2m0s",
        "PT1H0M1.5S,1h0m1.5s",
        "PT-1S,-1s",
        "PT25H,25h0m0s"
    })
    void durationsReadAsInGo(Duration duration, String expected) {
        assertThat(GoDuration.format(duration)).isEqualTo(expected);
    }

    private static LogEntry.Pair pair(String key, @Nullable Object value) {
        return new LogEntry.Pair(key, value);
    }

    private static LogEntry info(String sentence, LogEntry.Pair... pairs) {
        return entry(LogEntry.Severity.INFO, sentence, Optional.empty(), pairs);
    }

    private static LogEntry error(String sentence, Throwable cause, LogEntry.Pair... pairs) {
        return entry(LogEntry.Severity.ERROR, sentence, Optional.of(cause), pairs);
    }

    private static LogEntry entry(
            LogEntry.Severity severity,
            String sentence,
            Optional<Throwable> cause,
            LogEntry.Pair... pairs) {
        return new LogEntry(
                severity,
                2,
                TIME.atZone(ZoneId.systemDefault()).toInstant(),
                "Binder.java:42",
                Optional.empty(),
                sentence,
                cause,
                Arrays.asList(pairs));
    }
}
