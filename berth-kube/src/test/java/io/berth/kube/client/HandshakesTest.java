package io.berth.kube.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HandshakesTest {
    private static final Duration VERY_PATIENT = Duration.ofMinutes(5);

    @Test
    void theThirdWaitsUntilOneOfTwoIsAnswered() throws InterruptedException {
        var handshakes = new Handshakes(VERY_PATIENT);
        var first = begun(handshakes);
        begun(handshakes);
        var begun = new CountDownLatch(1);
        var third =
                Thread.ofVirtual()
                        .start(() -> {
                            begun(handshakes);
                            begun.countDown();
                        });
        while (third.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        assertThat(begun.getCount()).isOne();
        handshakes.end(first);
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
    }

    /// A server that leaves two requests without an answer may have one for the next.
    @Test
    void nobodyWaitsForEver() {
        var handshakes = new Handshakes(Duration.ofMillis(1));
        begun(handshakes);
        begun(handshakes);
        var third = begun(handshakes);
        // It had no turn, so it gives none back.
        handshakes.end(third);
        assertThat(third.removeAttribute("berth.handshake")).isNull();
    }

    private static HttpContext begun(Handshakes handshakes) {
        var exchange = HttpClientContext.create();
        handshakes.begin(exchange);
        return exchange;
    }
}
