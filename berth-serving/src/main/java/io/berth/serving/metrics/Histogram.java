package io.berth.serving.metrics;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/// How observed numbers are spread over buckets. From any thread, without locks.
///
/// Hot: an observation is a walk over a few bounds and two additions. Small numbers, which are the
/// usual ones, are found first. What is written during an observation may hold it in the buckets
/// and not yet in the sum; the buckets and the count always agree.
public final class Histogram extends Series {
    private final long[] bounds;
    private final AtomicLongArray counts;
    private final AtomicLong sum = new AtomicLong();

    /// @param bounds in whole steps of the metric's unit
    Histogram(String[] labelValues, String labelText, long[] bounds) {
        super(labelValues, labelText);
        this.bounds = bounds;
        this.counts = new AtomicLongArray(bounds.length + 1);
    }

    /// @param number in the metric's unit; time never runs backwards, so a negative one counts as 0
    public void observe(long number) {
        int bucket = 0;
        while (bucket < bounds.length && number > bounds[bucket]) {
            bucket++;
        }
        counts.getAndIncrement(bucket);
        sum.getAndAdd(Math.max(number, 0));
    }

    public long count() {
        long count = 0;
        for (int i = 0; i < counts.length(); i++) {
            count += counts.get(i);
        }
        return count;
    }

    public long sum() {
        return sum.get();
    }

    @Override
    void write(Definition metric, TextOutput out) throws IOException {
        var texts = out.boundTexts(metric.bounds());
        long count = 0;
        for (int i = 0; i < counts.length(); i++) {
            count += counts.get(i);
            out.bucket(metric.name(), labelText(), texts[i], count);
        }
        out.sample(metric.name(), "_sum", labelText(), sum.get() / metric.steps());
        out.sample(metric.name(), "_count", labelText(), count);
    }

    @Override
    void reset() {
        for (int i = 0; i < counts.length(); i++) {
            counts.set(i, 0);
        }
        sum.set(0);
    }
}
