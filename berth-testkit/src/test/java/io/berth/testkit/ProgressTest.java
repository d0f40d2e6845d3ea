package io.berth.testkit;

import static io.berth.testkit.Progress.Style.LINES;
import static io.berth.testkit.Progress.Style.REWRITTEN;
import static io.berth.testkit.Progress.Style.SILENT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ProgressTest {
    private static final String ERASE = "\r\u001b[K";

    private final HandClock clock = new HandClock();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /// A simulation of 1,500 seeds used to print nothing for minutes.
    @Test
    void aLineNowAndThenTellsHowManyOfHowManyAreDoneAndHowLongItWillTake() {
        var progress = progress(LINES, 1_500);
        for (int seed = 1; seed <= 60; seed++) {
            clock.advance(Duration.ofSeconds(1));
            progress.advance(1);
        }
        assertThat(text())
                .isEqualTo(
                        """
                        15 of 1,500 seeds (1 %), 0 failed, 24:45 left
                        30 of 1,500 seeds (2 %), 0 failed, 24:30 left
                        45 of 1,500 seeds (3 %), 0 failed, 24:15 left
                        60 of 1,500 seeds (4 %), 0 failed, 24:00 left
                        """);
    }

    @Test
    void failuresAreCountedAndWhatIsUnderWayIsNamed() {
        var progress = progress(LINES, 10_000);
        progress.begin("seed 7");
        progress.failed();
        clock.advance(Duration.ofMinutes(2));
        progress.advance(10);
        assertThat(text()).isEqualTo("10 of 10,000 seeds (0 %), 1 failed, 33:18:00 left: seed 7\n");
    }

    @Test
    void beforeAnythingIsDoneNobodyKnowsHowLongItTakes() {
        var progress = progress(LINES, 4);
        clock.advance(Duration.ofSeconds(20));
        progress.begin("first");
        assertThat(text()).isEqualTo("0 of 4 seeds (0 %), 0 failed: first\n");
    }

    @Test
    void onATerminalOneLineIsRewrittenAndGoesAwayForOtherLines() {
        var progress = progress(REWRITTEN, 4);
        clock.advance(Duration.ofSeconds(1));
        progress.advance(1);
        progress.advance(1);
        clock.advance(Duration.ofSeconds(1));
        progress.advance(1);
        progress.clear();
        progress.clear();
        assertThat(text())
                .isEqualTo(
                        ERASE
                                + "1 of 4 seeds (25 %), 0 failed, 0:03 left"
                                + ERASE
                                + "3 of 4 seeds (75 %), 0 failed, 0:01 left"
                                + ERASE);
    }

    @Test
    void elsewhereThereIsNothingToClear() {
        var progress = progress(LINES, 4);
        clock.advance(Duration.ofMinutes(1));
        progress.reach(4);
        progress.clear();
        assertThat(text()).isEqualTo("4 of 4 seeds (100 %), 0 failed, 0:00 left\n");
    }

    @Test
    void silentProgressSaysNothing() {
        var progress = progress(SILENT, 4);
        clock.advance(Duration.ofMinutes(1));
        progress.advance(1);
        progress.clear();
        assertThat(text()).isEmpty();
    }

    private Progress progress(Progress.Style style, long total) {
        return new Progress("seeds", total, clock::nanos, new PrintStream(out, true, UTF_8), style);
    }

    private String text() {
        return out.toString(UTF_8).replace("\r\n", "\n");
    }
}
