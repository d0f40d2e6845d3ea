package io.berth.app;

import java.util.List;

/// Where the process starts.
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        int exitCode = new CommandLine(System.out, System.err).run(List.of(args));
        System.out.flush();
        System.exit(exitCode);
    }
}
