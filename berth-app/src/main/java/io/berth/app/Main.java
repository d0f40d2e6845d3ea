package io.berth.app;

import io.berth.app.log.ProcessLog;
import java.util.List;

/// Where the process starts.
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        int exitCode = new CommandLine(System.out, System.err).run(List.of(args));
        System.out.flush();
        ProcessLog.process().flush();
        System.exit(exitCode);
    }
}
