package io.berth.app;

import io.berth.app.log.ProcessLog;

/// The scheduler of a cluster, until a signal stops it.
final class SchedulerCommand {
    private final SchedulerOptions options;
    private final ProcessLog log;

    SchedulerCommand(SchedulerOptions options, ProcessLog log) {
        this.options = options;
        this.log = log;
    }

    int run() {
        log.info(0, "Starting Kubernetes Scheduler", "version", Version.KUBERNETES);
        log.info(
                0,
                "Java settings",
                "version",
                Runtime.version().toString(),
                "processors",
                Runtime.getRuntime().availableProcessors(),
                "maxHeapBytes",
                Runtime.getRuntime().maxMemory());
        return fail("not wired: " + options);
    }

    private int fail(String sentence) {
        log.error(new IllegalArgumentException(sentence), "command failed");
        return ExitCode.FAILED;
    }
}
