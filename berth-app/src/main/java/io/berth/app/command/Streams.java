package io.berth.app.command;

import io.berth.app.log.ProcessLog;
import java.io.PrintStream;

/// Where the words of a command go.
public record Streams(PrintStream out, PrintStream err, ProcessLog log) {}
