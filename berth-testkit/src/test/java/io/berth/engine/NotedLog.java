package io.berth.engine;

import io.berth.api.plugin.Log;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Keeps the sentences of all log lines.
public final class NotedLog implements Log {
    public final List<String> lines = new ArrayList<>();

    @Override
    public boolean isOn(int level) {
        return true;
    }

    @Override
    public void info(int level, String sentence, @Nullable Object... keysAndValues) {
        lines.add(sentence);
    }

    @Override
    public void error(
            @Nullable Throwable cause, String sentence, @Nullable Object... keysAndValues) {
        lines.add(sentence);
    }
}
