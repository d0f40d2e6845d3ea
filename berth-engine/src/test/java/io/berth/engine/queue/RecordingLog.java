package io.berth.engine.queue;

import io.berth.api.plugin.Log;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

final class RecordingLog implements Log {
    final List<String> errors = new ArrayList<>();
    final List<String> infos = new ArrayList<>();

    @Override
    public boolean isOn(int level) {
        return true;
    }

    @Override
    public void info(int level, String sentence, @Nullable Object... keysAndValues) {
        infos.add(sentence + " " + Arrays.toString(keysAndValues));
    }

    @Override
    public void error(
            @Nullable Throwable cause, String sentence, @Nullable Object... keysAndValues) {
        errors.add(sentence + " " + Arrays.toString(keysAndValues));
    }
}
