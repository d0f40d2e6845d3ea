package io.berth.tools.shadow;

import io.berth.api.model.Kind;
import io.berth.app.ExitCode;
import io.berth.app.StopSignal;
import io.berth.app.command.Screen;
import io.berth.app.command.Streams;
import io.berth.config.text.JsonWriter;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiException;
import io.berth.kube.client.ApiRequest;
import io.berth.kube.watch.ClusterWatch;
import io.berth.kube.watch.WatchState;
import io.berth.lab.explain.ExplainException;
import io.berth.lab.shadow.Shadow;
import io.berth.lab.shadow.ShadowReport;
import io.berth.lab.text.Ink;
import io.berth.lab.text.ShadowJson;
import io.berth.lab.text.ShadowText;
import io.berth.serving.http.HandlerChain;
import io.berth.serving.http.HttpServer;
import io.berth.serving.http.ListenSocket;
import io.berth.serving.http.Mux;
import io.berth.tools.cluster.ClusterAccess;
import io.berth.tools.cluster.Judgement;
import io.berth.tools.cluster.Rights;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// One run of `berth shadow`: follows, judges, tells how it stands, and reports.
final class Shadowing {
    private static final int USUAL_WIDTH = 80;
    private static final Duration FILL_LIMIT = Duration.ofMinutes(5);
    private static final Duration REDRAW = Duration.ofMillis(500);

    private final ShadowOptions options;
    private final Map<String, String> environment;
    private final Streams streams;
    private final StopSignal stop;
    private final List<String> notes = new ArrayList<>();
    private final LiveLine live;
    private final boolean isTerminal;

    Shadowing(
            ShadowOptions options,
            Map<String, String> environment,
            Streams streams,
            StopSignal stop) {
        this.options = options;
        this.environment = environment;
        this.streams = streams;
        this.stop = stop;
        this.isTerminal =
                Screen.isThere() && !System.getProperty("berth.stderr", "").equals("elsewhere");
        this.live = new LiveLine(streams.err(), isTerminal, width());
    }

    /// @throws ExplainException where the cluster cannot be followed
    int run() throws InterruptedException {
        var judgement = Judgement.by(options.config());
        if (!judgement.setup().missing().isEmpty()) {
            notes.add(
                    "judged without %s, which Berth lacks"
                            .formatted(String.join(", ", judgement.setup().missing())));
        }
        options.report().ifPresent(Shadowing::checkWritable);
        var access = ClusterAccess.find(options.kubeconfig(), options.context(), environment);
        var metrics = new ShadowMetrics();
        var about =
                "the scheduler of %s, judged by %s (%s)"
                        .formatted(
                                access.connection().server(),
                                options.config()
                                        .map(Path::toString)
                                        .orElse("kube-scheduler's default configuration"),
                                judgement.hash());
        ShadowReport report;
        try (var client = access.client("shadow");
                var _ = serve(metrics)) {
            var kinds = readable(client, judgement.setup().settings().awaitedKinds());
            var shadow =
                    new Shadow(
                            new Shadow.Settings(
                                    judgement.setup().settings(),
                                    judgement.setup().registry(),
                                    kinds,
                                    Shadow.Settings.USUAL_HOLD,
                                    Shadow.Settings.USUAL_PATIENCE),
                            metrics);
            try (shadow;
                    var watch = ClusterWatch.start(client, kinds, shadow)) {
                follow(shadow, watch, about);
                noteGaps(watch);
            }
            report = shadow.report();
        }
        live.clear();
        tell(report, about, judgement.hash());
        return ExitCode.OK;
    }

    private void follow(Shadow shadow, ClusterWatch watch, String about)
            throws InterruptedException {
        long begin = System.nanoTime();
        while (!shadow.isFollowing() && !stop.await(Duration.ofMillis(50))) {
            live.show("reading the cluster");
            if (System.nanoTime() - begin > FILL_LIMIT.toNanos()) {
                throw new ExplainException(
                        "the cluster could not be read within %d minutes: %s"
                                .formatted(FILL_LIMIT.toMinutes(), trouble(watch)));
            }
        }
        live.show("following " + about);
        var pause = isTerminal ? REDRAW : options.interval();
        long started = System.nanoTime();
        while (!stop.isAsked()) {
            var left = left(started);
            if (left.isPositive()) {
                stop.await(left.compareTo(pause) < 0 ? left : pause);
            } else {
                return;
            }
            var trouble = trouble(watch);
            live.show(
                    ShadowText.line(shadow.report())
                            + (trouble.isEmpty() ? "" : " · no contact: " + trouble));
        }
    }

    private Duration left(long started) {
        return options.duration()
                .map(all -> all.minusNanos(System.nanoTime() - started))
                .orElse(Duration.ofDays(1));
    }

    private static String trouble(ClusterWatch watch) {
        return watch.states().stream()
                .map(WatchState::lastError)
                .filter(error -> error != null)
                .findFirst()
                .orElse("");
    }

    private void noteGaps(ClusterWatch watch) {
        long gaps =
                watch.states().stream().mapToLong(state -> Math.max(0, state.lists() - 1)).sum();
        if (gaps > 0) {
            notes.add(
                    "the cluster was read anew %d times after a gap; pods that got a node meanwhile were judged late"
                            .formatted(gaps));
        }
    }

    /// The kinds that may be read; pods and nodes are needed, what else may not be read is noted.
    private Set<Kind> readable(ApiClient client, Set<Kind> wanted) {
        var kinds = new TreeSet<>(wanted);
        kinds.addAll(List.of(Kind.NODE, Kind.POD));
        var readable = new TreeSet<Kind>();
        for (var kind : kinds) {
            try {
                client.send(ApiRequest.get(kind.path()).with("limit", "1"));
                readable.add(kind);
            } catch (ApiException refused) {
                boolean isSpare =
                        refused.code() == 404 || refused.code() == 403 && Rights.isSpare(kind);
                if (!isSpare) {
                    throw Rights.failed(
                            refused, kind, client, "ask for list and watch on pods and nodes");
                }
                if (refused.code() == 403) {
                    notes.add(
                            "you may not list %s: %s"
                                    .formatted(kind.plural(), Rights.consequence(kind)));
                }
            }
        }
        return readable;
    }

    private @Nullable HttpServer serve(ShadowMetrics metrics) {
        return options.metrics().map(address -> serve(metrics, address)).orElse(null);
    }

    private HttpServer serve(ShadowMetrics metrics, InetSocketAddress address) {
        var socket = ListenSocket.bind(address.getAddress(), address.getPort(), false, false);
        return HttpServer.insecure(
                socket,
                HandlerChain.insecure(new Mux().page("/metrics", metrics), streams.log()),
                streams.log());
    }

    private static void checkWritable(Path file) {
        var folder = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file) || folder == null || !Files.isDirectory(folder)) {
            throw new ExplainException(
                    "the report cannot be written to %s: it must be a file in a folder that exists"
                            .formatted(file));
        }
    }

    private void tell(ShadowReport report, String about, String hash) {
        var ink =
                isTerminal && environment.getOrDefault("NO_COLOR", "").isEmpty()
                        ? Ink.COLOURS
                        : Ink.PLAIN;
        lines(options.output(), report, about, hash, ink).forEach(streams.out()::println);
        options.report()
                .ifPresent(file ->
                        write(
                                file,
                                lines(
                                        ShadowOptions.Form.of(file),
                                        report,
                                        about,
                                        hash,
                                        Ink.PLAIN)));
    }

    private List<String> lines(
            ShadowOptions.Form form, ShadowReport report, String about, String hash, Ink ink) {
        return switch (form) {
            case TEXT -> ShadowText.text(report, about, notes, width(), ink);
            case MARKDOWN -> ShadowText.markdown(report, about, notes);
            case JSON -> List.of(JsonWriter.write(ShadowJson.of(report, about, hash, notes)));
        };
    }

    private static void write(Path file, List<String> lines) {
        try {
            Files.write(file, lines);
        } catch (IOException refused) {
            throw new ExplainException(
                    "the report cannot be written to %s: %s".formatted(file, refused.getMessage()),
                    refused);
        }
    }

    private static int width() {
        return Screen.measure().map(Screen::columns).orElse(USUAL_WIDTH);
    }
}
