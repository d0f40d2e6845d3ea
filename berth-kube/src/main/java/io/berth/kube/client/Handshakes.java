package io.berth.kube.client;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.jspecify.annotations.Nullable;

/// Lets new connections to a server follow one another, a few at a time, so that all but the first
/// take up a session that one before them began: no certificates to check, nothing to sign, which
/// is most of what a handshake costs.
///
/// The server's ticket for the next connection comes behind the handshake and is read with the
/// first answer, so a turn lasts until that. Nobody waits long for a turn: a server that is slow to
/// answer one request may be quick with another.
///
/// Thread-safe.
final class Handshakes {
    private static final int AT_ONCE = 2;
    private static final Duration PATIENCE = Duration.ofMillis(250);
    private static final String TURN = "berth.handshake";

    private final Semaphore turns = new Semaphore(AT_ONCE, true);
    private final Duration patience;

    Handshakes() {
        this(PATIENCE);
    }

    /// @param patience how long to wait for a turn before going ahead without one
    Handshakes(Duration patience) {
        this.patience = patience;
    }

    /// Waits for a turn, for a moment, and notes it in the exchange.
    void begin(@Nullable HttpContext exchange) {
        if (exchange == null) {
            return;
        }
        try {
            if (turns.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                exchange.setAttribute(TURN, true);
            }
        } catch (InterruptedException stop) {
            // Whoever waits for the network next is told.
            Thread.currentThread().interrupt();
        }
    }

    /// The answer has begun, or there will be none.
    void end(HttpContext exchange) {
        if (exchange.removeAttribute(TURN) != null) {
            turns.release();
        }
    }
}
