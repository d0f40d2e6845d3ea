package io.berth.app;

import io.berth.app.log.ProcessLog;
import io.berth.engine.framework.SettingsException;
import io.berth.engine.state.CorruptStateException;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.client.ConfigException;
import io.berth.kube.client.Connection;
import io.berth.kube.client.Connections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/// The scheduler of a cluster, until a signal stops it.
final class SchedulerCommand {
    private static final int CRASHED = 2;

    private final SchedulerOptions options;
    private final ProcessLog log;

    SchedulerCommand(SchedulerOptions options, ProcessLog log) {
        this.options = options;
        this.log = log;
    }

    int run() {
        StopSignal stop = StopSignal.fromOperatingSystem();
        var crashed = new AtomicBoolean();
        Connection connection;
        try {
            connection =
                    Connections.resolve(
                            options.kubeconfig().orElse(""),
                            options.master().orElse(""),
                            System.getenv());
        } catch (ConfigException problem) {
            if (options.kubeconfig().isEmpty() && options.master().isEmpty()) {
                log.info(0, "To try Berth without a cluster, run 'berth up'");
            }
            return fail(problem);
        }
        logStart();
        try (var scheduler =
                Wiring.start(
                        connection,
                        ClientOptions.DEFAULT.withRate(options.queriesPerSecond(), options.burst()),
                        options.pluginFolder().map(PluginJars::load).orElse(List.of()),
                        Optional.empty(),
                        log,
                        fault -> stopIfCorrupt(fault, crashed, stop))) {
            Signals.on("USR2", scheduler::debug);
            stop.await();
        } catch (SettingsException | IllegalArgumentException problem) {
            return fail(problem);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return exitCode(crashed.get());
    }

    private void logStart() {
        log.info(0, "Starting Kubernetes Scheduler", "version", Version.KUBERNETES);
        log.info(
                0,
                "Java settings",
                "berth",
                Version.berth(),
                "java",
                Runtime.version().toString(),
                "processors",
                Runtime.getRuntime().availableProcessors(),
                "maxHeapBytes",
                Runtime.getRuntime().maxMemory());
        if (!options.leaderElectRefused()) {
            log.warning(
                    "Leader election is not available in this version of Berth; make sure that only"
                            + " one scheduler runs");
        }
    }

    /// A state that contradicts itself must not go on placing pods.
    private static void stopIfCorrupt(Throwable fault, AtomicBoolean crashed, StopSignal stop) {
        if (fault instanceof CorruptStateException) {
            crashed.set(true);
            stop.ask();
        }
    }

    /// Without leader election even an ordinary stop counts as a failure, as in kube-scheduler
    /// (P-5).
    private int exitCode(boolean crashed) {
        if (crashed) {
            return CRASHED;
        }
        if (options.leaderElectRefused()) {
            log.error(new FinishedException(), "command failed");
            return ExitCode.FAILED;
        }
        return ExitCode.OK;
    }

    private int fail(Exception problem) {
        log.error(problem, "command failed");
        return ExitCode.FAILED;
    }

    private static final class FinishedException extends Exception {
        FinishedException() {
            super("finished without leader elect");
        }
    }
}
