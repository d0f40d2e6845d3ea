package io.berth.serving.metrics;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Consumer;

/// A metric whose values are asked for when it is written.
public record Computed(Definition definition, Consumer<Sink> source) implements Metric {
    /// Takes the values.
    @FunctionalInterface
    public interface Sink {
        /// @param suffix of the name, for the parts of a summary; otherwise empty
        void sample(String suffix, double value, String... labelValues);

        default void value(double value, String... labelValues) {
            sample("", value, labelValues);
        }
    }

    @Override
    public void write(TextOutput out) throws IOException {
        var isHeadWritten = new boolean[1];
        try {
            source.accept((suffix, value, labelValues) -> {
                try {
                    if (!isHeadWritten[0]) {
                        out.head(definition);
                        isHeadWritten[0] = true;
                    }
                    out.sample(
                            definition.name(),
                            suffix,
                            TextOutput.labelText(definition.labels(), labelValues),
                            value);
                } catch (IOException broken) {
                    throw new UncheckedIOException(broken);
                }
            });
        } catch (UncheckedIOException broken) {
            throw broken.getCause();
        }
    }
}
