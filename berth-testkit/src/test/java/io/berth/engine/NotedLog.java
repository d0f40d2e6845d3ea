package io.berth.engine;

import io.berth.api.plugin.Log;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Keeps the sentences of all log lines, and the lines in full: `V3 sentence key=value`.
public final class NotedLog implements Log {
    public final List<String> lines = new ArrayList<>();
    public final List<String> full = new ArrayList<>();

    @Override
    public boolean isOn(int level) {
        return true;
    }

    @Override
    public void info(int level, String sentence, @Nullable Object... keysAndValues) {
        lines.add(sentence);
        var line = new StringBuilder("V" + level + " " + sentence);
        for (int i = 0; i < keysAndValues.length; i += 2) {
            line.append(' ').append(keysAndValues[i]).append('=').append(keysAndValues[i + 1]);
        }
        full.add(line.toString());
    }

    @Override
    public void error(
            @Nullable Throwable cause, String sentence, @Nullable Object... keysAndValues) {
        lines.add(sentence);
    }
}
