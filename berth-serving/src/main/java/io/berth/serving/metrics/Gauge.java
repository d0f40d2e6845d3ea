package io.berth.serving.metrics;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/// A number that goes up and down. From any thread.
public final class Gauge extends Series {
    private final AtomicLong value = new AtomicLong();

    Gauge(String[] labelValues, String labelText) {
        super(labelValues, labelText);
    }

    /// Cheap enough to be called again and again with the same number: who asks meanwhile may see
    /// the one before.
    public void set(long number) {
        value.setOpaque(number);
    }

    public void add(long amount) {
        value.getAndAdd(amount);
    }

    public long value() {
        return value.get();
    }

    @Override
    void write(Definition metric, TextOutput out) throws IOException {
        out.sample(metric.name(), "", labelText(), value.get());
    }

    /// It says how things are, and a reset does not change them.
    @Override
    void reset() {}
}
