package io.berth.app.log;

import io.berth.api.handle.Log;
import org.jspecify.annotations.Nullable;

/// A log that falls silent on request, when what follows are only the consequences of our own
/// stopping. Used by every thread.
public final class HushableLog implements Log {
    private final Log log;
    private volatile boolean hushed;

    public HushableLog(Log log) {
        this.log = log;
    }

    public void hush() {
        hushed = true;
    }

    @Override
    public boolean isOn(int level) {
        return !hushed && log.isOn(level);
    }

    @Override
    public void info(int level, String sentence, @Nullable Object... keysAndValues) {
        if (!hushed) {
            log.info(level, sentence, keysAndValues);
        }
    }

    @Override
    public void error(
            @Nullable Throwable cause, String sentence, @Nullable Object... keysAndValues) {
        if (!hushed) {
            log.error(cause, sentence, keysAndValues);
        }
    }
}
