package io.berth.app;

import io.berth.api.amount.Quantity;
import io.berth.app.flag.Flag;
import io.berth.app.flag.FlagException;
import io.berth.app.flag.FlagSet;
import io.berth.app.flag.FlagType;
import io.berth.app.log.Vmodule;
import io.berth.config.gate.FeatureGates;
import io.berth.serving.tls.SniPair;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// All flags of kube-scheduler, in its groups and with its defaults, and those of Berth.
final class SchedulerFlags {
    private static final FlagType VERSION =
            new FlagType("version[=true]", true, Version::checkReported, List::getLast);
    private static final FlagType VMODULE =
            FlagType.of(
                    "pattern=N,...",
                    value -> Vmodule.parse(List.of(value)),
                    values -> Vmodule.parse(values).toString());
    private static final FlagType QUANTITY =
            FlagType.of("quantity", SchedulerFlags::checkQuantity, List::getLast);
    private static final FlagType CERTIFICATE =
            FlagType.of(
                    "namedCertKey",
                    SchedulerFlags::checkCertificate,
                    values ->
                            values.stream()
                                    .map(value -> SniPair.parse(value).toString())
                                    .collect(Collectors.joining(";", "[", "]")));
    private static final FlagType FEATURES =
            FlagType.of("colonSeparatedMultimapStringString", _ -> {}, SchedulerFlags::featureText);

    private static final Map<String, FlagType> TYPES =
            Map.ofEntries(
                    Map.entry("string", FlagType.STRING),
                    Map.entry("bool", FlagType.BOOL),
                    Map.entry("int", FlagType.INT),
                    Map.entry("int32", FlagType.INT32),
                    Map.entry("int32s", FlagType.INT32_LIST),
                    Map.entry("float32", FlagType.FLOAT32),
                    Map.entry("duration", FlagType.DURATION),
                    Map.entry("ip", FlagType.IP),
                    Map.entry("strings", FlagType.STRINGS),
                    Map.entry("map", FlagType.MAP),
                    Map.entry("level", FlagType.LEVEL),
                    Map.entry("quantity", QUANTITY),
                    Map.entry("vmodule", VMODULE),
                    Map.entry("certificate", CERTIFICATE),
                    Map.entry("features", FEATURES),
                    Map.entry("version", VERSION));

    /// One flag a line: name, type, default (`-` for none), explanation.
    private static final String TABLE =
            """
            # misc
            config string - File with the scheduler's configuration.
            master string - Address of the API server; overrides the kubeconfig.
            write-config-to string - Write the configuration in effect to this file and exit.

            # secure serving
            bind-address ip 0.0.0.0 Address on which to serve HTTPS; 0.0.0.0 or :: serve on all of both families.
            secure-port int 10259 Port on which to serve HTTPS; 0 serves none.
            cert-dir string - Directory of the generated serving certificate.
            tls-cert-file string - Serving certificate, followed by its chain.
            tls-private-key-file string - Key of the serving certificate.
            tls-cipher-suites strings - Cipher suites to offer.
            tls-curve-preferences int32s [] Key exchanges to offer, by number.
            tls-min-version string - Lowest TLS version: VersionTLS10, VersionTLS11, VersionTLS12 or VersionTLS13.
            tls-sni-cert-key certificate [] Certificate and key for some server names; may be repeated.
            disable-http2-serving bool - Serve HTTP/1.1 only.
            http2-max-streams-per-connection int - Streams that a client may open on one connection; 0 leaves the server's default.
            permit-port-sharing bool - Bind the port with SO_REUSEPORT.
            permit-address-sharing bool - Bind the port with SO_REUSEADDR.

            # authentication
            authentication-kubeconfig string - Kubeconfig for reviewing the tokens of callers.
            authentication-skip-lookup bool - Do not read authentication settings from the cluster.
            authentication-token-webhook-cache-ttl duration 10s How long a token review is remembered.
            authentication-tolerate-lookup-failure bool true Go on when the authentication settings cannot be read.
            client-ca-file string - Authorities of client certificates.
            requestheader-allowed-names strings - Common names of proxies that may name users in headers.
            requestheader-client-ca-file string - Authorities of such proxies' certificates.
            requestheader-extra-headers-prefix strings [x-remote-extra-] Prefixes of headers with more about the user.
            requestheader-group-headers strings [x-remote-group] Headers that name the user's groups.
            requestheader-uid-headers strings - Headers that hold the user's UID.
            requestheader-username-headers strings [x-remote-user] Headers that name the user.

            # authorization
            authorization-always-allow-paths strings [/healthz,/readyz,/livez] Paths open to everyone.
            authorization-kubeconfig string - Kubeconfig for asking what callers may do.
            authorization-webhook-cache-authorized-ttl duration 10s How long a permission is remembered.
            authorization-webhook-cache-unauthorized-ttl duration 10s How long a refusal is remembered.

            # deprecated
            profiling bool true DEPRECATED: serve profiles at /debug/pprof/. Ignored with --config.
            contention-profiling bool true DEPRECATED: profile contended locks too. Ignored with --config.
            kubeconfig string - DEPRECATED: file that says how to reach the API server. Ignored with --config.
            kube-api-content-type string application/vnd.kubernetes.protobuf DEPRECATED: content type of requests to the API server. Ignored with --config.
            kube-api-qps float32 50 DEPRECATED: requests per second to the API server. Ignored with --config.
            kube-api-burst int32 100 DEPRECATED: requests that may exceed the rate for a moment. Ignored with --config.
            pod-max-in-unschedulable-pods-duration duration 5m0s DEPRECATED: longest stay of a pod among the unschedulable ones.

            # leader election
            leader-elect bool true Elect a leader before scheduling.
            leader-elect-lease-duration duration 15s How long others wait for a silent leader.
            leader-elect-renew-deadline duration 10s How long the leader tries to renew before it gives up.
            leader-elect-retry-period duration 2s Pause between two tries.
            leader-elect-resource-lock string leases Kind of the lock object; only leases.
            leader-elect-resource-name string kube-scheduler Name of the lock object.
            leader-elect-resource-namespace string kube-system Namespace of the lock object.

            # feature gate
            feature-gates features - Features to switch on or off: Name=true,Other=false; may be repeated.@
            emulated-version strings - Release whose features to emulate: 1.33 to 1.36.
            min-compatibility-version strings - Oldest release to stay compatible with: 1.33 up to the emulated one.

            # metrics
            show-hidden-metrics-for-version string - Show metrics that were hidden in this release, the one before.
            disabled-metrics strings - Metrics to leave out.
            allow-metric-labels map [] Values that a metric's label may take: metric,label=value,value.
            allow-metric-labels-manifest string - File with the values that labels may take.

            # logs
            logging-format string text Form of log lines: text or json.
            log-flush-frequency duration 5s Longest time between two flushes of the log.
            v level - Verbosity of the log.
            vmodule vmodule - Verbosity by source file or class: pattern=N,... Text form only.
            log-text-split-stream bool - [Alpha] Text form: errors to standard error, the rest to standard output.
            log-text-info-buffer-size quantity - [Alpha] Text form with split streams: size of the buffer of information lines.
            log-json-split-stream bool - [Alpha] JSON form: errors to standard error, the rest to standard output.
            log-json-info-buffer-size quantity - [Alpha] JSON form with split streams: size of the buffer of information lines.

            # berth
            engine-stall-timeout duration 1m0s The process reports itself as not alive when the engine takes longer for one step; 0 for never.
            explain-memory quantity 64Mi About how much memory the history of failed attempts may take, which explanations tell of; 0 keeps none.
            journal-entries int 0 How many of the last messages and decisions of the engine are kept in memory; 0 keeps none.
            plugin-dir string - Folder with plugin jars; without --config their plugins come last in the profile.
            ui bool true Serve a page at /ui/ of the secure port, for those who may get it.

            # legacy
            address string - DEPRECATED: address on which to serve plain HTTP. Ignored with --config.
            port int - DEPRECATED: port on which to serve plain HTTP; 0 serves none. Ignored with --config.
            algorithm-provider string - DEPRECATED: plugins to use: ClusterAutoscalerProvider or DefaultProvider. Ignored with --config.
            policy-config-file string - DEPRECATED: file with a scheduling policy.
            policy-configmap string - DEPRECATED: ConfigMap with a scheduling policy.
            policy-configmap-namespace string kube-system DEPRECATED: namespace of that ConfigMap.
            use-legacy-policy-config bool - DEPRECATED: take the policy from the file alone.
            hard-pod-affinity-symmetric-weight int32 1 DEPRECATED: weight of required pod affinity, from 0 to 100. Ignored with --config.
            scheduler-name string default-scheduler DEPRECATED: name by which pods choose this scheduler. Ignored with --config.
            lock-object-namespace string kube-system DEPRECATED: namespace of the lock object.
            lock-object-name string kube-scheduler DEPRECATED: name of the lock object.

            # global
            help bool - Help for berth.
            version version false --version prints the Kubernetes version and exits, --version=raw all about it; --version=vX.Y.Z... reports another one.
            """;

    static final FlagSet SET = new FlagSet(read());

    private SchedulerFlags() {}

    private static List<Flag> read() {
        var flags = new ArrayList<Flag>();
        String group = "";
        for (String line : TABLE.lines().toList()) {
            if (line.startsWith("# ")) {
                group = line.substring(2);
            } else if (!line.isEmpty()) {
                flags.add(flag(group, line.split(" ", 4)));
            }
        }
        return flags;
    }

    private static Flag flag(String group, String[] words) {
        String name = words[0];
        char shorthand = name.equals("v") || name.equals("help") ? name.charAt(0) : 0;
        String features = "\nThese can be chosen:\n" + String.join("\n", FeatureGates.helpLines());
        return new Flag(
                group,
                name,
                shorthand,
                Objects.requireNonNull(TYPES.get(words[1]), words[1]),
                words[2].equals("-") ? "" : words[2],
                words[3].replace("@", features));
    }

    private static void checkQuantity(String value) throws FlagException {
        try {
            Quantity.parse(value);
        } catch (IllegalArgumentException notOne) {
            throw new FlagException(
                    "quantities must match the regular expression"
                            + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
        }
    }

    private static void checkCertificate(String value) throws FlagException {
        try {
            SniPair.parse(value);
        } catch (IllegalArgumentException wrong) {
            throw new FlagException(String.valueOf(wrong.getMessage()));
        }
    }

    /// Gates by component, as `:Name=true` where none was named.
    private static String featureText(List<String> values) {
        Map<String, List<String>> byComponent = new TreeMap<>();
        for (String value : values) {
            for (String item : value.split(",", -1)) {
                int colon = item.indexOf(':');
                if (!item.isEmpty()) {
                    byComponent
                            .computeIfAbsent(
                                    colon < 0 ? "" : item.substring(0, colon).strip(),
                                    _ -> new ArrayList<>())
                            .add(item.substring(colon + 1).strip());
                }
            }
        }
        return byComponent.entrySet().stream()
                .flatMap(
                        entry -> entry.getValue().stream().map(gate -> entry.getKey() + ":" + gate))
                .collect(Collectors.joining(","));
    }
}
