package io.berth.tools.shadow;

import static io.berth.app.flag.FlagType.BOOL;
import static io.berth.app.flag.FlagType.DURATION;
import static io.berth.app.flag.FlagType.STRING;

import io.berth.app.flag.Flag;
import io.berth.app.flag.FlagException;
import io.berth.app.flag.FlagSet;
import io.berth.app.flag.FlagType;
import io.berth.app.flag.ParsedFlags;
import io.berth.config.text.GoText;
import io.berth.tools.cluster.ClusterAccess;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// What `berth shadow` is asked for.
///
/// @param duration when it ends by itself; empty: when it is told to
/// @param interval between two lines, where the output is no terminal
/// @param report files that the report is written to besides
/// @param metrics where metrics are served
record ShadowOptions(
        Optional<Path> config,
        Optional<Path> kubeconfig,
        String context,
        Optional<Duration> duration,
        Duration interval,
        Form output,
        Optional<Path> report,
        Optional<InetSocketAddress> metrics) {
    /// The form of a report.
    enum Form {
        TEXT,
        JSON,
        MARKDOWN;

        /// By the ending of a file's name.
        static Form of(Path file) {
            var name = file.toString().toLowerCase(Locale.ROOT);
            if (name.endsWith(".json")) {
                return JSON;
            }
            return name.endsWith(".md") ? MARKDOWN : TEXT;
        }
    }

    private static final Duration LEAST_INTERVAL = Duration.ofMillis(100);
    private static final String GROUP = "shadow";
    private static final Pattern ADDRESS =
            Pattern.compile("(?:\\[([0-9a-fA-F:]+)]|([0-9.]+)):([0-9]{1,5})");
    private static final int MOST_PORT = 65_535;

    static final FlagSet FLAGS =
            new FlagSet(
                    List.of(
                            flag(
                                    "config",
                                    STRING,
                                    "",
                                    "Scheduler configuration to judge by, best that of the"
                                            + " scheduler; kube-scheduler's default where none is"
                                            + " given."),
                            ClusterAccess.kubeconfigFlag(GROUP),
                            ClusterAccess.contextFlag(GROUP),
                            flag(
                                    "duration",
                                    DURATION,
                                    "",
                                    "How long to watch, for example 10m; until Ctrl-C where none"
                                            + " is given."),
                            flag(
                                    "interval",
                                    DURATION,
                                    "10s",
                                    "How often to say how it stands, where the output is no"
                                            + " terminal."),
                            new Flag(
                                    GROUP,
                                    "output",
                                    'o',
                                    STRING,
                                    "text",
                                    "Form of the report at the end: text, json or markdown."),
                            flag(
                                    "report",
                                    STRING,
                                    "",
                                    "File to write the report to as well; JSON where its name ends"
                                            + " with .json, Markdown with .md, else text."),
                            flag(
                                    "metrics-address",
                                    STRING,
                                    "",
                                    "Address and port to serve /metrics on without encryption, for"
                                            + " example 127.0.0.1:9464; none by default."),
                            new Flag(GROUP, "help", 'h', BOOL, "", "Help for shadow.")));

    static ShadowOptions from(ParsedFlags flags) throws FlagException {
        if (!flags.arguments().isEmpty()) {
            throw new FlagException(
                    "unexpected argument " + GoText.quote(flags.arguments().getFirst()));
        }
        var duration = flags.duration("duration");
        if (duration.isPresent() && !duration.get().isPositive()) {
            throw new FlagException("--duration must be longer than nothing");
        }
        var interval = flags.duration("interval").orElse(Duration.ofSeconds(10));
        if (interval.compareTo(LEAST_INTERVAL) < 0) {
            throw new FlagException("--interval must be at least 100ms");
        }
        return new ShadowOptions(
                flags.path("config"),
                flags.path("kubeconfig"),
                flags.text("context").orElse(""),
                duration,
                interval,
                form(flags.text("output").orElse("text")),
                flags.path("report"),
                address(flags.text("metrics-address").orElse("")));
    }

    private static Form form(String word) throws FlagException {
        for (var form : Form.values()) {
            if (form.name().toLowerCase(Locale.ROOT).equals(word)) {
                return form;
            }
        }
        throw new FlagException("-o is one of text, json, markdown, not " + GoText.quote(word));
    }

    private static Optional<InetSocketAddress> address(String text) throws FlagException {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        var matcher = ADDRESS.matcher(text);
        if (matcher.matches() && Integer.parseInt(matcher.group(3)) <= MOST_PORT) {
            var host = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
            try {
                return Optional.of(
                        new InetSocketAddress(
                                InetAddress.ofLiteral(host), Integer.parseInt(matcher.group(3))));
            } catch (IllegalArgumentException noAddress) {
                // told below
            }
        }
        throw new FlagException(
                "--metrics-address must be an address and a port such as 127.0.0.1:9464, not "
                        + GoText.quote(text));
    }

    private static Flag flag(String name, FlagType type, String defaultValue, String help) {
        return new Flag(GROUP, name, (char) 0, type, defaultValue, help);
    }
}
