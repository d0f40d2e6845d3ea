package io.berth.app;

import io.berth.app.flag.FlagException;
import io.berth.app.flag.GoSyntax;
import io.berth.app.flag.ParsedFlags;
import io.berth.app.log.LogFormat;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// What the command line asks of the scheduler, checked.
///
/// @param leaderElectRefused whether election was switched off on the command line, which changes
///   the exit code of an ordinary stop
record SchedulerOptions(
        Optional<String> kubeconfig,
        Optional<String> master,
        float queriesPerSecond,
        int burst,
        Optional<Path> pluginFolder,
        boolean leaderElectRefused,
        int verbosity,
        LogFormat logFormat) {

    private static final Set<String> USED =
            Set.of(
                    "kubeconfig",
                    "master",
                    "kube-api-qps",
                    "kube-api-burst",
                    "plugin-dir",
                    "leader-elect",
                    "secure-port",
                    "logging-format",
                    "v",
                    "version",
                    "help");

    /// Flags without anything to tune here: there is no HTTPS endpoint yet that could be bound,
    /// profiled or guarded, requests are always JSON, and log lines are never held back.
    private static final Set<String> HARMLESS =
            Set.of(
                    "bind-address",
                    "permit-port-sharing",
                    "permit-address-sharing",
                    "authentication-kubeconfig",
                    "authentication-skip-lookup",
                    "authentication-tolerate-lookup-failure",
                    "authentication-token-webhook-cache-ttl",
                    "authorization-kubeconfig",
                    "authorization-webhook-cache-authorized-ttl",
                    "authorization-webhook-cache-unauthorized-ttl",
                    "profiling",
                    "contention-profiling",
                    "kube-api-content-type",
                    "log-flush-frequency");

    static SchedulerOptions from(ParsedFlags flags) throws FlagException, Refused {
        refuseUnsupported(flags);
        String format = flags.value("logging-format").orElse("text");
        return new SchedulerOptions(
                flags.value("kubeconfig").filter(path -> !path.isEmpty()),
                flags.value("master").filter(address -> !address.isEmpty()),
                GoSyntax.parseFloat(flags.value("kube-api-qps").orElse("50")),
                (int) GoSyntax.parseInt(flags.value("kube-api-burst").orElse("100"), 32),
                flags.value("plugin-dir").filter(path -> !path.isEmpty()).map(Path::of),
                flags.has("leader-elect") && !flags.isTrue("leader-elect"),
                GoSyntax.parseLevel(flags.value("v").orElse("0")),
                LogFormat.named(format)
                        .orElseThrow(() ->
                                new Refused(
                                        "format: Invalid value: "
                                                + GoSyntax.quote(format)
                                                + ": Unsupported log format")));
    }

    /// A flag that would be ignored in silence is worse than one that is refused.
    private static void refuseUnsupported(ParsedFlags flags) throws FlagException, Refused {
        for (String name : new TreeSet<>(flags.values().keySet())) {
            if (!USED.contains(name) && !HARMLESS.contains(name)) {
                throw new Refused(
                        "--"
                                + name
                                + " is a flag of kube-scheduler that this version of Berth"
                                + " does not support yet; leave it out");
            }
        }
        Optional<String> port = flags.value("secure-port");
        if (port.isPresent() && GoSyntax.parseInt(port.get(), 64) != 0) {
            throw new Refused(
                    "--secure-port="
                            + port.get()
                            + " asks for an HTTPS endpoint, which this version"
                            + " of Berth does not have yet; leave it out or set it to 0");
        }
        if (flags.isTrue("leader-elect")) {
            throw new Refused(
                    "--leader-elect is not supported yet by this version of Berth; run one instance"
                            + " with --leader-elect=false");
        }
    }

    /// Flags that are well formed and yet cannot be honoured. Its sentence is what the user reads.
    static final class Refused extends Exception {
        private final String sentence;

        Refused(String sentence) {
            super(sentence);
            this.sentence = sentence;
        }

        String sentence() {
            return sentence;
        }
    }
}
