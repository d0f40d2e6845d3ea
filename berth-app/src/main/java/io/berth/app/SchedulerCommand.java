package io.berth.app;

import io.berth.app.log.ProcessLog;
import io.berth.app.option.OptionsException;
import io.berth.app.option.SchedulerOptions;
import io.berth.engine.framework.SettingsException;
import io.berth.engine.state.CorruptStateException;
import io.berth.kube.client.ConfigException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/// The scheduler of a cluster, until a signal stops it. The log is in order when this begins.
final class SchedulerCommand {
    private static final int CRASHED = 2;

    private final SchedulerOptions options;
    private final ProcessLog log;

    SchedulerCommand(SchedulerOptions options, ProcessLog log) {
        this.options = options;
        this.log = log;
    }

    int run() {
        try {
            logFlags();
            logGates();
            StopSignal stop = StopSignal.fromOperatingSystem();
            Setup setup = setup();
            return serve(setup, stop);
        } catch (OptionsException
                | ConfigException
                | SettingsException
                | IllegalArgumentException problem) {
            log.error(problem, "command failed");
            return ExitCode.FAILED;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return ExitCode.FAILED;
        }
    }

    /// Everything given to the process, at V(1) (P-15).
    private void logFlags() {
        if (log.isOn(1)) {
            options.flagTexts()
                    .forEach(
                            (name, value) -> log.line(1, "FLAG: --" + name + "=\"" + value + "\""));
        }
    }

    private void logGates() {
        options.gates()
                .notes()
                .forEach(note ->
                        log.info(
                                0,
                                note.sentence(),
                                "featureGate",
                                note.gate(),
                                "value",
                                note.value()));
        GateEffects.without(options.gates())
                .forEach((gate, value) ->
                        log.warning(
                                "Feature gate has no effect in Berth",
                                "featureGate",
                                gate,
                                "value",
                                value));
    }

    /// Checks all options, reads the configuration and finds the API server. Whatever is wrong is
    /// told together.
    private Setup setup() {
        options.warnings().forEach(log::warningLine);
        List<String> problems = new ArrayList<>(options.check());
        if (!problems.isEmpty()) {
            throw new OptionsException(problems);
        }
        return Setup.from(options, log);
    }

    private int serve(Setup setup, StopSignal stop) throws InterruptedException {
        logStart();
        var crashed = new AtomicBoolean();
        try (var scheduler =
                Wiring.start(setup, log, fault -> stopIfCorrupt(fault, crashed, stop))) {
            Signals.on("USR2", scheduler::debug);
            stop.await();
        }
        return exitCode(setup, crashed.get());
    }

    private void logStart() {
        log.info(
                0,
                "Starting Kubernetes Scheduler",
                "version",
                options.reportedVersion().orElse(Version.KUBERNETES));
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
    private int exitCode(Setup setup, boolean crashed) {
        if (crashed) {
            return CRASHED;
        }
        if (!setup.leaderElect()) {
            log.error(new OptionsException("finished without leader elect"), "command failed");
            return ExitCode.FAILED;
        }
        return ExitCode.OK;
    }
}
