package io.berth.engine.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class QueueSettingsTest {
    @Test
    @Tag("E-1")
    @Tag("E-2")
    void defaults() {
        assertThat(QueueSettings.DEFAULT)
                .isEqualTo(
                        new QueueSettings(
                                Duration.ofSeconds(1),
                                Duration.ofSeconds(10),
                                Duration.ofMinutes(5),
                                true));
        assertThat(Leftovers.PERIOD_MILLIS).isEqualTo(30_000);
        assertThat(Backoff.WINDOW_MILLIS).isEqualTo(1_000);
    }
}
