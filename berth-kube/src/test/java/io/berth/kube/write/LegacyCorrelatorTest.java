package io.berth.kube.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.handle.Recorder;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// How core/v1 events are kept few.
@Tag("P-166")
class LegacyCorrelatorTest {
    private static final Instant NOW = Instant.parse("2026-05-01T10:00:00Z");

    private final LegacyCorrelator correlator = new LegacyCorrelator();

    @Test
    void equalEventsAreCounted() {
        var first = write(event("p", "full"), NOW);
        var second = write(event("p", "full"), NOW.plusSeconds(5));
        assertThat(first.patch()).isNull();
        assertThat(second.name()).isEqualTo(first.name());
        assertThat(second.count()).isEqualTo(2);
        assertThat(second.first()).isEqualTo(NOW);
        assertThat(second.last()).isEqualTo(NOW.plusSeconds(5));
    }

    @Test
    void fromTheTenthDifferentMessageOnTheyAreCombined() {
        for (int i = 1; i < 10; i++) {
            var body = write(event("p", "message " + i), NOW);
            assertThat(body.event().message()).isEqualTo("message " + i);
        }
        var tenth = write(event("p", "message 10"), NOW);
        var eleventh = write(event("p", "message 11"), NOW);
        assertThat(tenth.event().message()).isEqualTo("(combined from similar events): message 10");
        assertThat(eleventh.count()).isEqualTo(2);
        assertThat(eleventh.name()).isEqualTo(tenth.name());
    }

    @Test
    void afterTenMinutesTheyAreNoLongerAlike() {
        for (int i = 1; i < 10; i++) {
            correlator.add(event("p", "message " + i), NOW);
        }
        var later = write(event("p", "x"), NOW.plus(Duration.ofSeconds(601)));
        assertThat(later.event().message()).isEqualTo("x");
    }

    @Test
    void anObjectWithTooManyIsSilencedAndOthersAreNot() {
        for (int i = 0; i < 25; i++) {
            assertThat(correlator.add(event("p", "full"), NOW)).isNotNull();
        }
        assertThat(correlator.add(event("p", "full"), NOW)).isNull();
        assertThat(correlator.add(event("q", "full"), NOW)).isNotNull();
        assertThat(correlator.add(event("p", "full"), NOW.plusSeconds(299))).isNull();
        var again = write(event("p", "full"), NOW.plusSeconds(301));
        assertThat(again.count()).isEqualTo(28);
    }

    private LegacyEventBody write(LegacyEvent event, Instant now) {
        return Objects.requireNonNull(correlator.add(event, now), "silenced");
    }

    private static LegacyEvent event(String pod, String message) {
        return new LegacyEvent(
                new LegacyEvent.Subject("Pod", "v1", "ns", pod, "u", "1"),
                Recorder.Type.WARNING,
                "FailedScheduling",
                message,
                "default-scheduler");
    }
}
