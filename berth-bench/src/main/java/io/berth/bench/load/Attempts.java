package io.berth.bench.load;

/// How often a scheduler has looked for a node, and how long that took: the histogram
/// `scheduler_scheduling_algorithm_duration_seconds`.
record Attempts(double count, double seconds) {
    static final Attempts NONE = new Attempts(0, 0);

    /// Of who does not tell.
    static final Attempts UNKNOWN = new Attempts(Double.NaN, Double.NaN);

    Attempts since(Attempts before) {
        return new Attempts(count - before.count, seconds - before.seconds);
    }

    /// NaN where there was none.
    double meanMicros() {
        return seconds * 1e6 / count;
    }
}
