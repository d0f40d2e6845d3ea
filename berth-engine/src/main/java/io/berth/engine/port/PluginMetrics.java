package io.berth.engine.port;

/// What is counted about one plugin at one step of one profile. Found once, when the profile is
/// built, and then used without looking anything up. From any thread.
public interface PluginMetrics {
    PluginMetrics NONE = new PluginMetrics() {};

    /// The plugin was asked about so many nodes, or once where no nodes are concerned
    /// (`plugin_evaluation_total`).
    default void evaluated(int times) {}

    /// The plugin ran in an attempt that was picked for timing
    /// (`plugin_execution_duration_seconds`).
    default void ran(StatusCode status, long nanos) {}
}
