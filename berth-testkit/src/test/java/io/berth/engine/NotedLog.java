package io.berth.engine;

import io.berth.api.plugin.Log;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Keeps the sentences of all log lines, the lines in full (`V3 sentence key=value`), and what was
/// told with each sentence last.
public final class NotedLog implements Log {
    public final List<String> lines = new ArrayList<>();
    public final List<String> full = new ArrayList<>();
    public final Map<String, String> details = new HashMap<>();

    /// What was told with a sentence last: `key=value key=value`.
    public String detail(String sentence) {
        return Objects.requireNonNull(details.get(sentence), sentence);
    }

    @Override
    public boolean isOn(int level) {
        return true;
    }

    @Override
    public void info(int level, String sentence, @Nullable Object... keysAndValues) {
        var told = note(sentence, keysAndValues);
        full.add("V" + level + " " + sentence + (told.isEmpty() ? "" : " " + told));
    }

    @Override
    public void error(
            @Nullable Throwable cause, String sentence, @Nullable Object... keysAndValues) {
        note(sentence, keysAndValues);
    }

    private String note(String sentence, @Nullable Object... keysAndValues) {
        lines.add(sentence);
        var pairs = new ArrayList<String>();
        for (int i = 0; i + 1 < keysAndValues.length; i += 2) {
            pairs.add(keysAndValues[i] + "=" + keysAndValues[i + 1]);
        }
        var told = String.join(" ", pairs);
        details.put(sentence, told);
        return told;
    }
}
