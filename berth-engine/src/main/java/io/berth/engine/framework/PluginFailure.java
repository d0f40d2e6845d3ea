package io.berth.engine.framework;

import org.jspecify.annotations.Nullable;

/// A plugin broke (threw, answered nonsense, or was compiled against another API) during an
/// attempt. Fails that attempt, nothing else.
public final class PluginFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String plugin;

    public PluginFailure(String plugin, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.plugin = plugin;
    }

    public String plugin() {
        return plugin;
    }

    /// `running PreFilter plugin "Name": <what the plugin said>`.
    public static PluginFailure running(Point point, String plugin, Throwable cause) {
        return new PluginFailure(
                plugin,
                "running %s plugin \"%s\": %s".formatted(point.text(), plugin, textOf(cause)),
                cause);
    }

    public static PluginFailure filtering(String plugin, Throwable cause) {
        return new PluginFailure(
                plugin, "running \"%s\" filter plugin: %s".formatted(plugin, textOf(cause)), cause);
    }

    public static PluginFailure scoring(String step, String plugin, Throwable cause) {
        return new PluginFailure(
                plugin,
                "running %s plugins: plugin \"%s\" failed with: %s"
                        .formatted(step, plugin, textOf(cause)),
                cause);
    }

    /// What the plugin itself said.
    public String ownWords() {
        var cause = getCause();
        return textOf(cause == null ? this : cause);
    }

    /// The exception's own words, or its type where it has none. Those of a linkage error are a
    /// bare name, such as that of a class that is missing, so both are told.
    public static String textOf(Throwable cause) {
        String type = cause.getClass().getSimpleName();
        var message = cause.getMessage();
        if (message == null || message.isEmpty()) {
            return type;
        }
        return cause instanceof LinkageError ? type + ": " + message : message;
    }
}
