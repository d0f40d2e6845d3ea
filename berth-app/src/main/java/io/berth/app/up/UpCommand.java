package io.berth.app.up;

import io.berth.app.log.ProcessLog;
import java.io.PrintStream;

public final class UpCommand {
    public UpCommand(UpOptions options, PrintStream out, PrintStream err, ProcessLog log) {}

    public int run() {
        return 1;
    }
}
