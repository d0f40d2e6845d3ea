package io.berth.engine.cycle;

/// Words for what went wrong.
final class PluginFailures {
    private PluginFailures() {}

    /// The exception's own words, or its type where it has none.
    static String text(Throwable cause) {
        var message = cause.getMessage();
        return message == null || message.isEmpty() ? cause.getClass().getSimpleName() : message;
    }
}
