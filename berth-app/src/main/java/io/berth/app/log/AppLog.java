package io.berth.app.log;

import io.berth.api.plugin.Log;
import org.jspecify.annotations.Nullable;

/// A log that knows warnings besides what plugins may write.
public interface AppLog extends Log {
    void warning(String sentence, @Nullable Object... keysAndValues);
}
