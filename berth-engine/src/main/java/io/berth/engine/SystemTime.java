package io.berth.engine;

import io.berth.engine.port.TimeSource;
import java.util.function.LongSupplier;

/// The clocks of a machine. Safe to use from any thread.
public final class SystemTime implements TimeSource {
    private final LongSupplier wallMillis;
    private final LongSupplier nanos;
    private final long startMillis;
    private final long startNanos;

    public SystemTime() {
        this(System::currentTimeMillis, System::nanoTime);
    }

    SystemTime(LongSupplier wallMillis, LongSupplier nanos) {
        this.wallMillis = wallMillis;
        this.nanos = nanos;
        this.startMillis = wallMillis.getAsLong();
        this.startNanos = nanos.getAsLong();
    }

    @Override
    public long nowMillis() {
        return startMillis + (nanos() - startNanos) / 1_000_000;
    }

    @Override
    public long nanos() {
        return nanos.getAsLong();
    }

    @Override
    public long wallMillis() {
        return wallMillis.getAsLong();
    }
}
