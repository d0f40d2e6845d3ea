package io.berth.tools.page;

import static io.berth.app.flag.FlagType.BOOL;
import static io.berth.app.flag.FlagType.NUMBER;
import static io.berth.app.flag.FlagType.STRING;

import io.berth.app.ExitCode;
import io.berth.app.StopSignal;
import io.berth.app.Version;
import io.berth.app.command.Command;
import io.berth.app.command.Streams;
import io.berth.app.explain.LiveState;
import io.berth.app.flag.Flag;
import io.berth.app.flag.FlagException;
import io.berth.app.flag.FlagSet;
import io.berth.app.flag.FlagType;
import io.berth.app.flag.ParsedFlags;
import io.berth.app.page.Browser;
import io.berth.app.page.LoopbackPage;
import io.berth.config.text.GoText;
import io.berth.engine.framework.SettingsException;
import io.berth.kube.client.ApiClient;
import io.berth.kube.connection.ConfigException;
import io.berth.lab.explain.ExplainException;
import io.berth.lab.explain.Source;
import io.berth.serving.tls.ServingException;
import io.berth.tools.cluster.ClusterAccess;
import io.berth.tools.cluster.Judgement;
import io.berth.tools.cluster.SchedulerAddress;
import io.berth.tools.explain.DumpReading;
import io.berth.tools.explain.Progress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/// `berth ui`.
public final class UiCommand implements Command {
    private static final String CLUSTER = "cluster";
    private static final String SCHEDULER = "scheduler";
    private static final int USUAL_PORT = 18080;
    private static final int MOST_PORT = 65_535;
    private static final String GROUP = "ui";

    private static final FlagSet FLAGS =
            new FlagSet(
                    List.of(
                            flag(
                                    "from",
                                    STRING,
                                    CLUSTER,
                                    "What to look at: cluster, scheduler (see --scheduler), or a"
                                            + " file or folder of 'kubectl get ... -o yaml|json'."),
                            SchedulerAddress.serverFlag(GROUP),
                            SchedulerAddress.authorityFlag(GROUP),
                            SchedulerAddress.insecureFlag(GROUP),
                            Judgement.configurationFlag(GROUP),
                            ClusterAccess.kubeconfigFlag(GROUP),
                            ClusterAccess.contextFlag(GROUP),
                            flag(
                                    "port",
                                    NUMBER,
                                    Integer.toString(USUAL_PORT),
                                    "Port of the page on 127.0.0.1; 0 takes any free one."),
                            flag("open", BOOL, "", "Open the page in a browser."),
                            new Flag(GROUP, "help", 'h', BOOL, "", "Help for ui.")));

    private final Map<String, String> environment;
    private final StopSignal stop;

    public UiCommand() {
        this(System.getenv(), new StopSignal());
    }

    /// @param stop ends it, besides signals
    UiCommand(Map<String, String> environment, StopSignal stop) {
        this.environment = Map.copyOf(environment);
        this.stop = stop;
    }

    @Override
    public String name() {
        return "ui";
    }

    @Override
    public String summary() {
        return "Show a cluster being scheduled, in a browser; any cluster, or a dump of one";
    }

    @Override
    public String help() {
        return """
        Serves a page on this machine that shows a cluster being scheduled: what waits and why,
        what would help, all nodes on a map, decisions as they are made. It reads the cluster with
        the rights that you have, or a dump, judges with a scheduler of its own, and changes
        nothing. The cluster may run any scheduler that decides as kube-scheduler does. A Berth at
        work may be asked instead: it knows its queue.

        Usage:
          berth ui [flags]

        Examples:
          berth ui
          berth ui --context prod --open
          kubectl get nodes,pods,pdb,priorityclasses -A -o yaml > dump.yaml
          berth ui --from dump.yaml
          berth ui --from scheduler --scheduler 10.0.0.1:10259
        %s\
        """
                .formatted(FLAGS.usage());
    }

    @Override
    public FlagSet flags() {
        return FLAGS;
    }

    @Override
    public int run(List<String> words, Streams streams) {
        ParsedFlags flags;
        int port;
        SchedulerAddress scheduler;
        try {
            flags = FLAGS.parse(words);
            if (flags.isTrue("help")) {
                streams.out().print(help());
                return ExitCode.OK;
            }
            if (!flags.arguments().isEmpty()) {
                throw new FlagException(
                        "unexpected argument " + GoText.quote(flags.arguments().getFirst()));
            }
            port = port(flags);
            scheduler =
                    SchedulerAddress.of(
                            flags,
                            environment,
                            flags.text("from").orElse(CLUSTER).equals(SCHEDULER));
        } catch (FlagException problem) {
            streams.err()
                    .println("Error: berth ui: " + problem.sentence() + "; see 'berth help ui'");
            return ExitCode.USAGE;
        }
        StopSignal signal = StopSignal.fromOperatingSystem();
        stop.whenAsked(signal::ask);
        try {
            return show(flags, scheduler, port, streams, signal);
        } catch (ExplainException | SettingsException failed) {
            streams.err().println("Error: " + failed.getMessage());
        } catch (ServingException taken) {
            streams.err()
                    .printf(
                            "Error: port %d cannot be had (%s); choose another with --port (0 takes"
                                    + " any free one)%n",
                            port, taken.getMessage());
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
        return ExitCode.FAILED;
    }

    private static int port(ParsedFlags flags) throws FlagException {
        var text = flags.value("port").orElse(Integer.toString(USUAL_PORT));
        try {
            int port = Integer.parseInt(text);
            if (port >= 0 && port <= MOST_PORT) {
                return port;
            }
        } catch (NumberFormatException noNumber) {
            // told below
        }
        throw new FlagException(
                "--port must be a whole number from 0 to 65535, not " + GoText.quote(text));
    }

    private int show(
            ParsedFlags flags,
            SchedulerAddress scheduler,
            int port,
            Streams streams,
            StopSignal signal)
            throws InterruptedException {
        var serving = new Serving(port, flags.isTrue("open"), streams, signal);
        var from = flags.text("from").orElse(CLUSTER);
        if (from.equals(SCHEDULER)) {
            return serving.of(access(flags), scheduler);
        }
        var judgement = Judgement.by(flags.text("config").map(Path::of));
        if (from.equals(CLUSTER)) {
            try (var followed =
                    FollowedCluster.follow(
                            access(flags), judgement.setup().settings().awaitedKinds())) {
                return serving.of(
                        subject(followed.title(), Source.Kind.CLUSTER, judgement, followed::state));
            }
        }
        var facts = new DumpReading(from, new Progress(streams.err(), false)).read();
        return serving.of(
                subject(
                        from,
                        Source.Kind.DUMP,
                        judgement,
                        () -> CompletableFuture.completedFuture(LiveState.of(facts.image()))));
    }

    private ClusterAccess access(ParsedFlags flags) {
        return ClusterAccess.find(
                flags.path("kubeconfig"), flags.text("context").orElse(""), environment);
    }

    private static LoopbackPage.Subject subject(
            String title,
            Source.Kind kind,
            Judgement judgement,
            Supplier<CompletableFuture<LiveState>> state) {
        return new LoopbackPage.Subject(
                title,
                kind,
                Version.berth(),
                judgement.setup().settings(),
                judgement.setup().registry(),
                state);
    }

    /// How the page is served.
    private record Serving(int port, boolean isOpened, Streams streams, StopSignal signal) {
        int of(LoopbackPage.Subject subject) throws InterruptedException {
            try (var page = new LoopbackPage(subject, port)) {
                tell(page);
                signal.await();
            }
            return ExitCode.OK;
        }

        /// With a scheduler at work behind it.
        int of(ClusterAccess access, SchedulerAddress scheduler) throws InterruptedException {
            try (var client =
                    new ApiClient(
                            scheduler.connection(access.connection()), access.options("ui"))) {
                var calls = new ForwardedCalls(client);
                calls.check();
                try (var page = new LoopbackPage(calls, client::close, port)) {
                    tell(page);
                    signal.await();
                }
            } catch (ConfigException unusable) {
                throw new ExplainException(String.valueOf(unusable.getMessage()), unusable);
            }
            return ExitCode.OK;
        }

        private void tell(LoopbackPage page) {
            streams.out().println("See it at " + page.link());
            streams.out().println("Ctrl-C ends it. Nothing is written from the page.");
            streams.out().flush();
            if (isOpened) {
                Browser.open(page.link());
            }
        }
    }

    private static Flag flag(String name, FlagType type, String defaultValue, String help) {
        return new Flag(GROUP, name, (char) 0, type, defaultValue, help);
    }
}
