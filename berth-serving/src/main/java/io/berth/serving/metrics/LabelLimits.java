package io.berth.serving.metrics;

import java.util.Map;
import java.util.Set;

/// Which values a label may have, where the operator says so; all others become one (P-295).
final class LabelLimits {
    static final String UNEXPECTED = "unexpected";

    private final Map<String, Set<String>> allowed;
    private final Runnable onUnexpected;

    /// @param allowed by `metric,label`
    LabelLimits(Map<String, Set<String>> allowed, Runnable onUnexpected) {
        this.allowed = allowed;
        this.onUnexpected = onUnexpected;
    }

    /// The values as they are to be shown.
    String[] apply(Definition metric, String... values) {
        if (allowed.isEmpty()) {
            return values;
        }
        String[] shown = values.clone();
        for (int i = 0; i < values.length; i++) {
            var some = allowed.get(metric.name() + "," + metric.labels().get(i));
            if (some != null && !some.contains(values[i])) {
                shown[i] = UNEXPECTED;
                onUnexpected.run();
            }
        }
        return shown;
    }
}
