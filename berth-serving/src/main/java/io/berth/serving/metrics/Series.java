package io.berth.serving.metrics;

import java.io.IOException;

/// One line, or one group of lines, of a metric: the values for one choice of labels.
public abstract sealed class Series permits Counter, Gauge, Histogram {
    private final String[] labelValues;
    private final String labelText;

    /// @param labelText `name="value"` pairs, empty where there are none
    Series(String[] labelValues, String labelText) {
        this.labelValues = labelValues;
        this.labelText = labelText;
    }

    String[] labelValues() {
        return labelValues;
    }

    String labelText() {
        return labelText;
    }

    abstract void write(Definition metric, TextOutput out) throws IOException;

    /// Begins anew, where that makes sense.
    abstract void reset();
}
