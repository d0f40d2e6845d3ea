package io.berth.app.log;

/// Where the lines of the log go. Called by every thread.
interface LogSink {
    /// Writes a line, which comes without its end.
    ///
    /// @param information whether the line is neither a warning nor an error
    void write(boolean information, String line);

    /// Writes what is held back.
    default void flush() {}
}
