package io.berth.kube.lease;

import io.berth.api.plugin.Log;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A log that a test reads: `4 Failed to acquire lease`, `E Failed to update lease`.
final class NotedLog implements Log {
    private final List<String> lines = new ArrayList<>();

    @Override
    public boolean isOn(int level) {
        return true;
    }

    @Override
    public synchronized void info(int level, String sentence, @Nullable Object... pairs) {
        lines.add(level + " " + sentence);
    }

    @Override
    public synchronized void error(
            @Nullable Throwable cause, String sentence, @Nullable Object... pairs) {
        lines.add("E " + sentence);
    }

    synchronized List<String> lines() {
        return List.copyOf(lines);
    }
}
