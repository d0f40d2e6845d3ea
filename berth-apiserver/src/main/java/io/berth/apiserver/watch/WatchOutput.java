package io.berth.apiserver.watch;

import java.io.IOException;

/// Where the lines of a watch go.
public interface WatchOutput {
    /// Adds one part of a line; may be kept back until [#flush].
    void write(byte[] bytes) throws IOException;

    /// Sends what was written.
    void flush() throws IOException;
}
