package io.berth.app;

import io.berth.app.compiler.LateCompilation;
import io.berth.app.explain.ExplainPage;
import io.berth.app.explain.LiveExplanations;
import io.berth.app.log.ProcessLog;
import io.berth.app.metrics.ProcessMetrics;
import io.berth.app.option.OptionsException;
import io.berth.app.option.SchedulerOptions;
import io.berth.app.page.LoopbackPage;
import io.berth.config.text.FileProblems;
import io.berth.engine.framework.SettingsException;
import io.berth.engine.state.CorruptStateException;
import io.berth.kube.connection.ConfigException;
import io.berth.serving.page.HealthCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/// The scheduler of a cluster, until a signal stops it. The log is in order when this begins.
final class SchedulerCommand {
    private static final int CRASHED = 2;

    private static final Duration FIRST_PLACEMENTS = Duration.ofMillis(300);

    /// Probes must be answered, even if the cluster is large. Counted from where the command
    /// begins; the JVM is a part of a second older, and the port takes as long.
    static final Duration LATEST_PORT = Duration.ofMillis(1_500);

    private final long beganNanos = System.nanoTime();
    private final SchedulerOptions options;
    private final ProcessLog log;
    private final Supplier<StopSignal> stopSignal;
    private final boolean isRehearsal;

    /// @param isRehearsal whether the JVM watches, to learn what a start is like: what comes after
    ///   the start is left out then, or what is learnt would depend on how long that took
    SchedulerCommand(
            SchedulerOptions options,
            ProcessLog log,
            Supplier<StopSignal> stopSignal,
            boolean isRehearsal) {
        this.options = options;
        this.log = log;
        this.stopSignal = stopSignal;
        this.isRehearsal = isRehearsal;
    }

    int run() {
        try {
            logFlags();
            logGates();
            StopSignal stop = stopSignal.get();
            options.warnings().forEach(log::warningLine);
            return serve(Setup.from(options, log), stop);
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

    private int serve(Setup setup, StopSignal stop) throws InterruptedException {
        var end = new AtomicReference<>(End.ASKED);
        ProcessMetrics metrics = AboutProcess.metrics(setup);
        // Closed last: until then whoever asks is told that the process is shutting down.
        try (var serving = Serving.prepare(setup, metrics.serving(), log);
                var scheduler = lives(setup, metrics, end, stop);
                var explanations = explanations(setup, scheduler)) {
            logConfiguration(setup);
            if (options.writeConfigTo().isPresent()) {
                return write(setup, options.writeConfigTo().get());
            }
            logStart();
            Signals.on(
                    "USR2",
                    () -> {
                        if (!Signals.isUsr2OfTheRecorder()) {
                            scheduler.current().debug();
                        }
                    });
            scheduler.follow();
            if (serving.isCertain()) {
                // Whoever takes over needs all the cores of a small machine to read the cluster
                // and to place what waits, so the port comes a moment later.
                scheduler.compete();
                scheduler.settle(FIRST_PLACEMENTS, beganNanos + LATEST_PORT.toNanos());
            }
            serving.start(state(setup, scheduler, metrics, stop, explanations));
            live(scheduler, metrics);
        }
        return exitCode(setup, end.get());
    }

    private void live(Lives scheduler, ProcessMetrics metrics) throws InterruptedException {
        if (isRehearsal) {
            scheduler.run();
            return;
        }
        try (var _ = LateCompilation.begin(metrics.scheduler()::placed, log)) {
            scheduler.run();
        }
    }

    /// All lives have one identity in the lease, and count with the same metrics.
    private Lives lives(
            Setup setup, ProcessMetrics metrics, AtomicReference<End> end, StopSignal stop) {
        Optional<Election> election = Election.of(setup);
        return new Lives(
                () ->
                        Wiring.build(
                                setup,
                                election,
                                metrics,
                                log,
                                fault -> stopIfFatal(fault, end, stop)),
                stop,
                () -> stop(End.LEASE_LOST, end, stop),
                log);
    }

    /// What the HTTP port tells about the scheduler.
    private static Serving.State state(
            Setup setup,
            Lives scheduler,
            ProcessMetrics metrics,
            StopSignal stop,
            LiveExplanations explanations) {
        Optional<HealthCheck> election =
                setup.leaderElect()
                        ? Optional.of(
                                HealthCheck.of(
                                        "leaderElection",
                                        () -> scheduler.current().leadershipProblem()))
                        : Optional.empty();
        var readiness = new ArrayList<HealthCheck>();
        readiness.add(HealthCheck.handlersSynced(() -> scheduler.current().isSynced()));
        if (setup.leaderElect() && setup.options().gates().isOn("CoordinatedLeaderElection")) {
            readiness.add(
                    HealthCheck.candidateSynced(() -> scheduler.current().isCandidateSynced()));
        }
        readiness.add(HealthCheck.of("api-server", () -> scheduler.current().watchProblem()));
        metrics.askForPending(() -> scheduler.current().pendingCounts());
        return new Serving.State(
                election,
                stop::isAsked,
                List.of(HealthCheck.of("engine", () -> scheduler.current().engineProblem())),
                readiness,
                metrics.pages(
                        () -> scheduler.current().pods(), () -> scheduler.current().isLeader()),
                metrics.health(),
                authority -> new ExplainPage(explanations, authority),
                setup.options().ui()
                        ? Optional.of(
                                LoopbackPage.page(
                                        "scheduler",
                                        () -> scheduler.current().knowledge(),
                                        explanations))
                        : Optional.empty());
    }

    /// Whoever asks is answered from what the present life knows.
    private static LiveExplanations explanations(Setup setup, Lives scheduler) {
        return new LiveExplanations(
                setup.engine(),
                setup.registry(),
                Version.berth(),
                (since, pod) -> scheduler.current().look(since, pod));
    }

    /// Why the scheduler ends.
    private enum End {
        ASKED,
        LEASE_LOST,
        CORRUPT
    }

    /// The first reason counts: a lease that is released because of a signal is not lost.
    private static void stop(End why, AtomicReference<End> end, StopSignal stop) {
        if (!stop.isAsked() && end.compareAndSet(End.ASKED, why)) {
            stop.ask();
        }
    }

    private void logConfiguration(Setup setup) {
        if (log.isOn(2)) {
            log.info(2, "Using component config", "config", setup.yaml());
        }
    }

    /// What `--write-config-to` asks for, instead of scheduling (P-60).
    private int write(Setup setup, Path file) {
        try {
            Files.writeString(file, setup.yaml());
        } catch (IOException unwritable) {
            throw new OptionsException(FileProblems.text("open", file, unwritable));
        }
        log.info(0, "Wrote configuration", "file", file.toString());
        return ExitCode.OK;
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

    /// A state that contradicts itself must not go on placing pods, and after an error of the
    /// machine nobody does.
    private static void stopIfFatal(Throwable fault, AtomicReference<End> end, StopSignal stop) {
        if (fault instanceof CorruptStateException || fault instanceof Error) {
            stop(End.CORRUPT, end, stop);
        }
    }

    /// Without leader election even an ordinary stop counts as a failure, as in kube-scheduler
    /// (P-5, P-232, P-235).
    private int exitCode(Setup setup, End end) {
        return switch (end) {
            case CORRUPT -> CRASHED;
            case LEASE_LOST -> {
                log.error(null, "Leaderelection lost");
                yield ExitCode.FAILED;
            }
            case ASKED -> {
                if (setup.leaderElect()) {
                    log.info(0, "Requested to terminate, exiting");
                    yield ExitCode.OK;
                }
                log.error(new OptionsException("finished without leader elect"), "command failed");
                yield ExitCode.FAILED;
            }
        };
    }
}
