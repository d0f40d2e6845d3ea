package io.berth.app.option;

import io.berth.api.amount.Quantity;
import io.berth.app.flag.FlagException;
import io.berth.app.flag.ParsedFlags;
import io.berth.app.log.LoggingOptions;
import io.berth.app.log.Vmodule;
import io.berth.config.EngineSetup;
import io.berth.config.gate.FeatureGates;
import io.berth.engine.EngineWatchdog;
import io.berth.serving.auth.AuthenticationSettings;
import io.berth.serving.auth.AuthorizationSettings;
import io.berth.serving.tls.ServingSettings;
import io.berth.serving.tls.SniPair;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/// What the command line asks of the scheduler.
///
/// @param maxTimeParked how long a pod waits for an event before it is tried anyway
/// @param reportedVersion the version to show in place of the real one
/// @param pluginFolder where jars with further plugins are
/// @param stallTimeout for how long the engine may be in one step; zero for ever
/// @param journalEntries how much of the engine's journal is kept in memory; 0 for nothing
/// @param explainMemory how many bytes the history of attempts may take; 0 for none
/// @param ui whether the port has a page for people
/// @param flagTexts every flag with the text of its value, given or not
public record SchedulerOptions(
        Optional<Path> configFile,
        Optional<Path> writeConfigTo,
        Optional<String> master,
        ServingSettings serving,
        AuthenticationSettings authentication,
        AuthorizationSettings authorization,
        DeprecatedFlags deprecated,
        Duration maxTimeParked,
        ElectionFlags election,
        FeatureGates gates,
        MetricsOptions metrics,
        LoggingOptions logging,
        LegacyFlags legacy,
        Optional<String> reportedVersion,
        Optional<Path> pluginFolder,
        Duration stallTimeout,
        int journalEntries,
        long explainMemory,
        boolean ui,
        SortedMap<String, String> flagTexts) {
    /// An entry holds an object as it was, about a kilobyte: this is as much memory as anybody
    /// should spend.
    private static final int MOST_JOURNAL_ENTRIES = 1_000_000;

    private static final long EXPLAIN_MEMORY = 64L << 20;
    private static final long MOST_EXPLAIN_MEMORY = 4L << 30;

    /// @param flagTexts every flag with the text of its value
    /// @throws FlagException where versions or feature gates cannot be had
    public static SchedulerOptions from(ParsedFlags flags, SortedMap<String, String> flagTexts)
            throws FlagException {
        return new SchedulerOptions(
                flags.path("config"),
                flags.path("write-config-to"),
                flags.text("master"),
                serving(flags),
                authentication(flags),
                authorization(flags),
                DeprecatedFlags.from(flags),
                flags.duration("pod-max-in-unschedulable-pods-duration")
                        .orElse(EngineSetup.MAX_TIME_PARKED),
                ElectionFlags.from(flags),
                GateFlags.from(flags),
                new MetricsOptions(
                        flags.text("show-hidden-metrics-for-version").orElse(""),
                        flags.strings("disabled-metrics").orElse(List.of()),
                        flags.pairs("allow-metric-labels"),
                        flags.path("allow-metric-labels-manifest")),
                logging(flags),
                LegacyFlags.from(flags),
                flags.value("version").filter(value -> value.startsWith("v")),
                flags.path("plugin-dir"),
                flags.duration("engine-stall-timeout").orElse(EngineWatchdog.DEFAULT_LIMIT),
                flags.integer("journal-entries").map(SchedulerOptions::clamped).orElse(0),
                flags.value("explain-memory")
                        .map(size -> Quantity.parse(size).value())
                        .orElse(EXPLAIN_MEMORY),
                flags.bool("ui").orElse(true),
                flagTexts);
    }

    /// What is wrong with these options, apart from the configuration, in the words of
    /// kube-scheduler.
    public List<String> check() {
        var problems = new ArrayList<>(gates.versions().check());
        problems.addAll(serving.check());
        problems.addAll(authentication.check(gates.isOn("RemoteRequestHeaderUID")));
        problems.addAll(authorization.check());
        problems.addAll(metrics.check());
        problems.addAll(legacy.check());
        if (journalEntries < 0 || journalEntries > MOST_JOURNAL_ENTRIES) {
            problems.add(
                    "--journal-entries %d must be between 0 and %d"
                            .formatted(journalEntries, MOST_JOURNAL_ENTRIES));
        }
        if (explainMemory < 0 || explainMemory > MOST_EXPLAIN_MEMORY) {
            problems.add(
                    "--explain-memory %d must be between 0 and %d"
                            .formatted(explainMemory, MOST_EXPLAIN_MEMORY));
        }
        return problems;
    }

    /// What is allowed but worth a word.
    public List<String> warnings() {
        var warnings = new ArrayList<>(serving.warnings());
        warnings.addAll(authentication.warnings());
        warnings.addAll(legacy.warnings());
        List<String> untested = gates.emulatedAlpha();
        if (!untested.isEmpty()) {
            warnings.add(
                    "component has alpha features enabled in emulated version, this is unsupported:"
                            + " features=["
                            + String.join(" ", untested)
                            + "]");
        }
        return warnings;
    }

    private static ServingSettings serving(ParsedFlags flags) {
        ServingSettings byDefault = ServingSettings.DEFAULT;
        return byDefault
                .withAddress(
                        flags.value("bind-address")
                                .map(Addresses::of)
                                .orElse(byDefault.bindAddress()),
                        flags.integer("secure-port")
                                .map(SchedulerOptions::clamped)
                                .orElse(byDefault.port()))
                .withFiles(
                        new ServingSettings.Files(
                                flags.path("cert-dir"),
                                flags.path("tls-cert-file"),
                                flags.path("tls-private-key-file"),
                                flags.all("tls-sni-cert-key").stream()
                                        .map(SniPair::parse)
                                        .toList()))
                .withTls(
                        new ServingSettings.Tls(
                                flags.text("tls-min-version").orElse(""),
                                flags.strings("tls-cipher-suites").orElse(List.of()),
                                flags.integers("tls-curve-preferences")))
                .withHttp2(
                        !flags.isTrue("disable-http2-serving"),
                        flags.integer("http2-max-streams-per-connection")
                                .map(SchedulerOptions::clamped)
                                .orElse(byDefault.maxStreams()))
                .withSharing(
                        flags.isTrue("permit-port-sharing"),
                        flags.isTrue("permit-address-sharing"));
    }

    private static AuthenticationSettings authentication(ParsedFlags flags) {
        AuthenticationSettings byDefault = AuthenticationSettings.DEFAULT;
        AuthenticationSettings.RequestHeader headers = byDefault.requestHeader();
        return new AuthenticationSettings(
                flags.path("authentication-kubeconfig"),
                flags.isTrue("authentication-skip-lookup"),
                flags.duration("authentication-token-webhook-cache-ttl")
                        .orElse(byDefault.tokenTtl()),
                flags.bool("authentication-tolerate-lookup-failure")
                        .orElse(byDefault.tolerateLookupFailure()),
                flags.path("client-ca-file"),
                new AuthenticationSettings.RequestHeader(
                        flags.path("requestheader-client-ca-file"),
                        flags.strings("requestheader-allowed-names").orElse(headers.allowedNames()),
                        flags.strings("requestheader-username-headers")
                                .orElse(headers.usernameHeaders()),
                        flags.strings("requestheader-uid-headers").orElse(headers.uidHeaders()),
                        flags.strings("requestheader-group-headers").orElse(headers.groupHeaders()),
                        flags.strings("requestheader-extra-headers-prefix")
                                .orElse(headers.extraHeadersPrefix())));
    }

    private static AuthorizationSettings authorization(ParsedFlags flags) {
        AuthorizationSettings byDefault = AuthorizationSettings.DEFAULT;
        return new AuthorizationSettings(
                flags.strings("authorization-always-allow-paths")
                        .orElse(byDefault.alwaysAllowPaths()),
                flags.path("authorization-kubeconfig"),
                flags.duration("authorization-webhook-cache-authorized-ttl")
                        .orElse(byDefault.allowedTtl()),
                flags.duration("authorization-webhook-cache-unauthorized-ttl")
                        .orElse(byDefault.deniedTtl()));
    }

    private static LoggingOptions logging(ParsedFlags flags) throws FlagException {
        return new LoggingOptions(
                flags.value("logging-format").orElse("text"),
                flags.duration("log-flush-frequency").orElse(LoggingOptions.FLUSH_FREQUENCY),
                flags.level("v").orElse(0),
                Vmodule.parse(flags.all("vmodule")),
                routing(flags, "text"),
                routing(flags, "json"));
    }

    private static LoggingOptions.Routing routing(ParsedFlags flags, String format) {
        return new LoggingOptions.Routing(
                flags.isTrue("log-" + format + "-split-stream"),
                flags.value("log-" + format + "-info-buffer-size")
                        .map(size -> Quantity.parse(size).value())
                        .orElse(0L));
    }

    private static int clamped(long number) {
        return Math.clamp(number, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }
}
