package io.berth.app.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.app.flag.FlagException;
import io.berth.app.option.GateFlags;
import io.berth.config.gate.FeatureGates;
import io.berth.config.gate.Versions;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LoggingOptionsTest {
    private final List<String> lines = new ArrayList<>();
    private final ProcessLog log = new ProcessLog(lines::add);

    @Test
    @Tag("P-27")
    void everythingThatIsForbiddenIsTold() throws FlagException {
        var options =
                new LoggingOptions(
                        "json",
                        Duration.ZERO,
                        0,
                        Vmodule.parse(List.of("a=1")),
                        new LoggingOptions.Routing(true, 1),
                        LoggingOptions.Routing.DEFAULT);
        assertThat(options.check(FeatureGates.DEFAULT))
                .containsExactly(
                        "flushFrequency: Invalid value: \"0s\": Must be greater than zero",
                        "vmodule: Forbidden: Only supported for text log format",
                        "options.text.splitStream: Forbidden: Feature LoggingAlphaOptions is"
                                + " disabled",
                        "options.text.infoBufferSize: Forbidden: Feature LoggingAlphaOptions is"
                                + " disabled");
    }

    @Test
    @Tag("P-27")
    void alphaGateAllowsSplitStreams() throws FlagException {
        var options =
                new LoggingOptions(
                        "text",
                        LoggingOptions.FLUSH_FREQUENCY,
                        0,
                        Vmodule.NONE,
                        new LoggingOptions.Routing(true, 1),
                        LoggingOptions.Routing.DEFAULT);
        var gates = GateFlags.gates(Versions.DEFAULT, List.of("LoggingAlphaOptions=true"));
        assertThat(options.check(gates)).isEmpty();
    }

    @Test
    @Tag("P-28")
    void splitStreamsHoldBackInformationOnly() {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        log.setSink(new SplitSink(out, err, 1000));
        log.info(0, "calm");
        log.warning("watch out");
        assertThat(text(err)).startsWith("W").contains("watch out");
        assertThat(text(out)).isEmpty();
        log.flush();
        assertThat(text(out)).startsWith("I").contains("calm");
        log.info(0, "long", "value", "x".repeat(1000));
        assertThat(text(out)).contains("xxx");
    }

    @Test
    @Tag("P-30")
    void vmoduleRaisesTheVerbosityOfSomeSourceFiles() throws FlagException {
        log.setVmodule(Vmodule.parse(List.of("LoggingOptions*=4")));
        log.info(4, "shown");
        log.info(5, "hidden");
        log.setVmodule(Vmodule.parse(List.of("io.berth.app.log.*=3")));
        log.info(3, "shown by class");
        log.setVmodule(Vmodule.parse(List.of("Other=9")));
        log.info(1, "not meant");
        assertThat(lines)
                .hasSize(2)
                .satisfiesExactly(
                        line -> assertThat(line).contains("\"shown\""),
                        line -> assertThat(line).contains("\"shown by class\""));
    }

    @Test
    @Tag("P-30")
    void verbosityCanBeChangedAtAnyTime() {
        log.info(2, "too early");
        log.setVerbosity(2);
        log.info(2, "in time");
        assertThat(lines).hasSize(1);
        assertThat(log.verbosity()).isEqualTo(2);
    }

    @Test
    @Tag("P-28")
    void wholeLinesHaveNoQuotes() {
        log.line(0, "FLAG: --v=\"1\"");
        log.warningLine("mind the gap");
        assertThat(lines.get(0)).endsWith("] FLAG: --v=\"1\"");
        assertThat(lines.get(1)).startsWith("W").endsWith("] mind the gap");
    }

    @Test
    @Tag("P-28")
    void callerIsWhereTheEntryComesFrom() {
        new HushableLog(log).info(0, "through another log");
        List.of("from a list").forEach(log::warningLine);
        assertThat(lines).allMatch(line -> line.contains(" LoggingOptionsTest.java:"));
    }

    private static String text(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }
}
