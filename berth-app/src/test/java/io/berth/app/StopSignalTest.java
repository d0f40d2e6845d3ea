package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class StopSignalTest {
    private final AtomicInteger ended = new AtomicInteger();
    private final StopSignal stop = new StopSignal(ended::incrementAndGet);

    @Test
    @Tag("P-250")
    void secondSignalEndsTheProcess() {
        stop.signalled();
        assertThat(stop.isAsked()).isTrue();
        assertThat(ended).hasValue(0);
        stop.signalled();
        assertThat(ended).hasValue(1);
    }

    @Test
    @Tag("P-331")
    void requestFromInsideCountsAsTheFirstSignal() {
        stop.ask();
        assertThat(stop.isAsked()).isTrue();
        assertThat(ended).hasValue(0);
        stop.signalled();
        assertThat(ended).hasValue(1);
    }
}
