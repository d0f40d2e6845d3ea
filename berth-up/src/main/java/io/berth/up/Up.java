package io.berth.up;

import io.berth.apiserver.PortInUseException;
import io.berth.app.ExitCode;
import io.berth.app.StopSignal;
import io.berth.app.Version;
import io.berth.app.command.Screen;
import io.berth.app.log.ProcessLog;
import io.berth.app.page.Browser;
import io.berth.kube.client.ApiException;
import io.berth.up.scenario.Dump;
import io.berth.up.scenario.FileProblem;
import io.berth.up.scenario.Scenario;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/// Runs a [LocalCluster] and shows it until a signal comes.
final class Up {
    /// A scenario expected something that did not come.
    static final int DISAPPOINTED = 3;

    private static final Duration LONGEST_STOP = Duration.ofMillis(1500);

    private final UpOptions options;
    private final boolean isOpened;
    private final PrintStream out;
    private final PrintStream err;
    private final ProcessLog log;
    private volatile boolean disappointed;

    /// @param isOpened whether a browser is to show the page
    Up(UpOptions options, boolean isOpened, PrintStream out, PrintStream err, ProcessLog log) {
        this.options = options;
        this.isOpened = isOpened;
        this.out = out;
        this.err = err;
        this.log = log;
    }

    int run() {
        try {
            // Before anything starts: whoever mistyped a name is not to wait for it, nor see a
            // link.
            checkFiles();
        } catch (FileProblem problem) {
            err.println("Error: " + problem.getMessage());
            return ExitCode.USAGE;
        }
        StopSignal stop = StopSignal.fromOperatingSystem();
        stop.whenAsked(this::endInTime);
        stop.whenAsked(() -> log.showLibraryWarnings(false));
        Display display = Screen.isThere() ? new ScreenDisplay(out, log) : new LineDisplay(out);
        try (var page = UpPage.open(options)) {
            if (isOpened) {
                Browser.open(page.link());
            }
            return run(display, page, stop);
        }
    }

    private void checkFiles() {
        if (!options.scenario().isEmpty()) {
            var _ = Scenario.find(options.scenario());
        }
        if (!options.from().isEmpty()) {
            Dump.checkIsThere(Path.of(options.from()));
        }
    }

    private int run(Display display, UpPage page, StopSignal stop) {
        out.println("See it at " + page.link());
        out.println(
                options.scheduler()
                        ? "Starting an API server, simulated nodes and the scheduler ..."
                        : "Starting an API server and simulated nodes, no scheduler ...");
        out.flush();
        try (var cluster = start(display, stop)) {
            page.show(cluster::knowledge);
            startScenario(cluster, stop);
            display.run(header(cluster, page), cluster.picture(), stop);
        } catch (FileProblem problem) {
            err.println("Error: " + problem.getMessage());
            return ExitCode.USAGE;
        } catch (PortInUseException busy) {
            err.printf(
                    "Error: port %d is in use, perhaps by another 'berth up'; stop that one, or"
                            + " choose another port with --port (0 takes any free one)%n",
                    busy.port());
            return ExitCode.FAILED;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (UncheckedIOException | ApiException problem) {
            if (!stop.isAsked()) {
                err.println("Error: " + problem.getMessage());
                return ExitCode.FAILED;
            }
        }
        return disappointed ? DISAPPOINTED : ExitCode.OK;
    }

    private void startScenario(LocalCluster cluster, StopSignal stop) {
        cluster.scenario()
                .ifPresent(scenario -> {
                    Thread thread =
                            Thread.ofVirtual()
                                    .name("scenario")
                                    .start(() -> {
                                        try {
                                            disappointed = !scenario.run().isEmpty();
                                            if (options.untilDone()) {
                                                stop.ask();
                                            }
                                        } catch (InterruptedException end) {
                                            Thread.currentThread().interrupt();
                                        }
                                    });
                    stop.whenAsked(thread::interrupt);
                });
    }

    /// A stop that comes meanwhile interrupts the start.
    private LocalCluster start(Display display, StopSignal stop) throws InterruptedException {
        Thread starter = Thread.currentThread();
        var starting = new AtomicBoolean(true);
        stop.whenAsked(() -> {
            if (starting.get()) {
                starter.interrupt();
            }
        });
        try {
            return LocalCluster.start(options, log, display::happened);
        } finally {
            starting.set(false);
        }
    }

    private List<String> header(LocalCluster cluster, UpPage page) {
        String wrong =
                options.demo() ? "kubectl describe pod -n demo too-big" : "kubectl get nodes";
        return List.of(
                "See it at " + page.link(),
                "Berth %s (Kubernetes %s) schedules a simulated cluster at %s"
                        .formatted(Version.berth(), Version.KUBERNETES, cluster.server()),
                "",
                "  export KUBECONFIG=" + cluster.kubeconfig(),
                "  kubectl get pods -A -o wide",
                "  kubectl run hello --image=nginx",
                "  " + wrong);
    }

    /// All state is in memory, so a part that does not stop in time is no reason to keep the user
    /// waiting.
    private void endInTime() {
        Thread.ofPlatform()
                .daemon()
                .name("end")
                .start(() -> {
                    try {
                        Thread.sleep(LONGEST_STOP);
                    } catch (InterruptedException noPatience) {
                        Thread.currentThread().interrupt();
                    }
                    KubeconfigFile.closeAll();
                    Runtime.getRuntime().halt(disappointed ? DISAPPOINTED : ExitCode.OK);
                });
    }
}
