package io.berth.api.handle;

/// Metrics of a plugin's own, on the page `/metrics` with `berth_plugin_` before their names.
///
/// They are asked for when the plugin is made. Whoever asks for the same name again, as the plugin
/// of another profile does, feeds the same metric. From any thread.
public interface OwnMetrics {
    /// Counts nothing.
    OwnMetrics NONE = new OwnMetrics() {};

    /// A number that grows.
    ///
    /// @param name in small letters with underscores; it ends with `_total`
    /// @throws IllegalArgumentException where the name cannot be one, or is another metric's
    default Counter counter(String name, String help, String... labels) {
        return (amount, values) -> {};
    }

    /// A number that goes up and down.
    default Gauge gauge(String name, String help, String... labels) {
        return (value, values) -> {};
    }

    /// How long something takes.
    ///
    /// @param name it ends with `_seconds`
    default Durations durations(String name, String help, String... labels) {
        return (nanos, values) -> {};
    }

    /// A number that grows.
    interface Counter {
        /// @param labelValues in the order of the labels
        void add(long amount, String... labelValues);
    }

    /// A number that goes up and down.
    interface Gauge {
        /// @param labelValues in the order of the labels
        void set(long value, String... labelValues);
    }

    /// How long something takes.
    interface Durations {
        /// @param labelValues in the order of the labels
        void observe(long nanos, String... labelValues);
    }
}
