package io.berth.serving.metrics;

import java.io.IOException;
import java.util.Arrays;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A metric with all its series.
///
/// Whoever feeds a series looks it up once and keeps it; [#with] is too slow for hot code. Series
/// are never dropped, so a kept one stays the one that is written. Looked up and written from any
/// thread: the array is replaced as a whole under the lock and read without it.
public final class Family<S extends Series> implements Metric {
    private final Definition definition;
    private final BiFunction<String[], String, S> maker;
    private final LabelLimits limits;
    private volatile Series[] series = {};

    /// @param maker makes a series from its label values and their text
    Family(Definition definition, LabelLimits limits, BiFunction<String[], String, S> maker) {
        this.definition = definition;
        this.limits = limits;
        this.maker = maker;
    }

    /// The series with these label values, in the order of the definition's labels; made where it
    /// does not exist yet.
    public S with(String... values) {
        if (values.length != definition.labels().size()) {
            throw new IllegalArgumentException(
                    "%s has the labels %s, but got the values %s"
                            .formatted(
                                    definition.name(),
                                    definition.labels(),
                                    Arrays.toString(values)));
        }
        String[] allowed = limits.apply(definition, values);
        var known = find(series, allowed);
        return known != null ? known : make(allowed);
    }

    private synchronized S make(String[] values) {
        var present = series;
        var known = find(present, values);
        if (known != null) {
            return known;
        }
        var made = maker.apply(values, TextOutput.labelText(definition.labels(), values));
        var grown = Arrays.copyOf(present, present.length + 1);
        grown[present.length] = made;
        Arrays.sort(grown, (a, b) -> Arrays.compare(a.labelValues(), b.labelValues()));
        series = grown;
        return made;
    }

    @SuppressWarnings("unchecked") // all series come from the maker
    private @Nullable S find(Series[] sorted, String[] values) {
        int low = 0;
        int high = sorted.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = Arrays.compare(sorted[middle].labelValues(), values);
            if (order == 0) {
                return (S) sorted[middle];
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return null;
    }

    /// All series there are now.
    @SuppressWarnings("unchecked") // all series come from the maker
    public Stream<S> all() {
        return (Stream<S>) Arrays.stream(series);
    }

    @Override
    public Definition definition() {
        return definition;
    }

    @Override
    public void write(TextOutput out) throws IOException {
        var present = series;
        if (present.length > 0) {
            out.head(definition);
            for (var one : present) {
                one.write(definition, out);
            }
        }
    }

    @Override
    public void reset() {
        for (var one : series) {
            one.reset();
        }
    }
}
