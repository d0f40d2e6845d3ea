package io.berth.serving.metrics;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/// A number that grows. From any thread.
public final class Counter extends Series {
    private final AtomicLong value = new AtomicLong();

    Counter(String[] labelValues, String labelText) {
        super(labelValues, labelText);
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

    @Override
    void reset() {
        value.set(0);
    }
}
