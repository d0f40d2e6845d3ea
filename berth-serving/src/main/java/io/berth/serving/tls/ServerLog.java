package io.berth.serving.tls;

import io.berth.api.handle.Log;
import org.jspecify.annotations.Nullable;

/// A log that knows warnings and plain lines besides what plugins may write.
public interface ServerLog extends Log {
    void warning(String sentence, @Nullable Object... keysAndValues);

    /// Writes a line as it is, without quotes and keys.
    void line(int level, String line);

    /// Writes a warning as it is, without quotes and keys.
    void warningLine(String line);
}
