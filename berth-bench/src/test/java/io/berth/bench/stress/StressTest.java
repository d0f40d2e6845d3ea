package io.berth.bench.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/// A short form of `berth-bench/stress`. How long things took is not looked at: a machine that does
/// other things too may be the reason.
final class StressTest {
    /// A binding was overtaken by an older word about its pod, which then said for ever that it had
    /// no node; a preemptor whose nomination was slow to be written took more victims than it
    /// needed; a permit plugin's thread and the engine waited for each other.
    @Test
    @Tag("E-108")
    @Tag("E-152")
    @EnabledIfEnvironmentVariable(
            named = "BERTH_REQUIRE_CONTROL_PLANE",
            matches = "true",
            disabledReason = "runs in .ci/run")
    void nothingIsWrongAfterAStorm() throws Exception {
        var findings = new StressRun(1, Duration.ofSeconds(25), _ -> {}).run();

        assertThat(findings.bindings()).isGreaterThan(20);
        assertThat(findings.wrong()).isEmpty();
        assertThat(findings.greedy()).isEmpty();
        assertThat(findings.lostRoom()).isZero();
        assertThat(findings.leftWaiting()).isZero();
        assertThat(findings.faults()).isEmpty();
    }
}
