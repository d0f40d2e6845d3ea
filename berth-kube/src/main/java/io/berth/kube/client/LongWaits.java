package io.berth.kube.client;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/// Tells of requests that waited long for their turn, as client-go does: all of them to whoever
/// wants details, and the longest, now and then, to everybody. Thread-safe.
final class LongWaits {
    private static final Logger log = LoggerFactory.getLogger(LongWaits.class);
    private static final Duration LONG = Duration.ofMillis(50);
    private static final Duration VERY_LONG = Duration.ofSeconds(1);
    private static final int DETAIL = 3;

    private final Limit toAll;
    private final Limit toMany;

    /// The verbosity that shows a line, and the least time between two such lines.
    private record Limit(int verbosity, Duration pause, AtomicLong lastNanos) {
        static Limit of(int verbosity, Duration pause, long nowNanos) {
            return new Limit(verbosity, pause, new AtomicLong(nowNanos - pause.toNanos()));
        }

        boolean allows(long nowNanos) {
            long last = lastNanos.get();
            return nowNanos - last >= pause.toNanos() && lastNanos.compareAndSet(last, nowNanos);
        }
    }

    private final LongSupplier nanos;

    LongWaits(LongSupplier nanos) {
        this.nanos = nanos;
        this.toAll = Limit.of(0, Duration.ofSeconds(10), nanos.getAsLong());
        this.toMany = Limit.of(2, Duration.ofSeconds(1), nanos.getAsLong());
    }

    void waited(long waitedNanos, ApiRequest request, URI server) {
        if (waitedNanos <= LONG.toNanos()) {
            return;
        }
        int verbosity = verbosity(waitedNanos);
        line(verbosity)
                .addKeyValue("v", verbosity)
                .addKeyValue("delay", Duration.ofNanos(waitedNanos))
                .addKeyValue("reason", "client-side throttling, not priority and fairness")
                .addKeyValue("verb", request.verb())
                .addKeyValue("URL", server + request.path())
                .log("Waited before sending request");
    }

    /// At which verbosity a wait is told.
    int verbosity(long waitedNanos) {
        if (waitedNanos <= VERY_LONG.toNanos()) {
            return DETAIL;
        }
        long now = nanos.getAsLong();
        if (toAll.allows(now)) {
            return toAll.verbosity;
        }
        return toMany.allows(now) ? toMany.verbosity : DETAIL;
    }

    private static LoggingEventBuilder line(int verbosity) {
        return verbosity < DETAIL ? log.atInfo() : log.atDebug();
    }
}
