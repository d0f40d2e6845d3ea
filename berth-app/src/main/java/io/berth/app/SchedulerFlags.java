package io.berth.app;

import static io.berth.app.flag.FlagType.BOOL;
import static io.berth.app.flag.FlagType.DURATION;
import static io.berth.app.flag.FlagType.FLOAT32;
import static io.berth.app.flag.FlagType.INT;
import static io.berth.app.flag.FlagType.INT32;
import static io.berth.app.flag.FlagType.INT32_LIST;
import static io.berth.app.flag.FlagType.IP;
import static io.berth.app.flag.FlagType.LEVEL;
import static io.berth.app.flag.FlagType.MAP;
import static io.berth.app.flag.FlagType.STRING;
import static io.berth.app.flag.FlagType.STRINGS;
import static io.berth.app.flag.FlagType.VERSION;

import io.berth.app.flag.Flag;
import io.berth.app.flag.FlagSet;
import io.berth.app.flag.FlagType;
import java.util.List;

/// All flags of kube-scheduler, in its groups and with its defaults.
final class SchedulerFlags {
    private static final String MISC = "misc";
    private static final String SERVING = "secure serving";
    private static final String AUTHENTICATION = "authentication";
    private static final String AUTHORIZATION = "authorization";
    private static final String DEPRECATED = "deprecated";
    private static final String ELECTION = "leader election";
    private static final String GATES = "feature gate";
    private static final String METRICS = "metrics";
    private static final String LOGS = "logs";

    /// Flags that kube-scheduler does not have.
    private static final String BERTH = "berth";

    private static final String GLOBAL = "global";

    static final FlagSet SET =
            new FlagSet(
                    List.of(
                            flag(
                                    MISC,
                                    "config",
                                    STRING,
                                    "",
                                    "File with the scheduler's configuration."),
                            flag(
                                    MISC,
                                    "master",
                                    STRING,
                                    "",
                                    "Address of the API server; overrides the kubeconfig."),
                            flag(
                                    MISC,
                                    "write-config-to",
                                    STRING,
                                    "",
                                    "Write the configuration in effect to this file and exit."),
                            flag(
                                    SERVING,
                                    "bind-address",
                                    IP,
                                    "0.0.0.0",
                                    "Address on which to serve HTTPS."),
                            flag(
                                    SERVING,
                                    "secure-port",
                                    INT,
                                    "10259",
                                    "Port on which to serve HTTPS; 0 serves none."),
                            flag(
                                    SERVING,
                                    "cert-dir",
                                    STRING,
                                    "",
                                    "Directory of the generated serving certificate."),
                            flag(
                                    SERVING,
                                    "tls-cert-file",
                                    STRING,
                                    "",
                                    "Serving certificate, followed by its chain."),
                            flag(
                                    SERVING,
                                    "tls-private-key-file",
                                    STRING,
                                    "",
                                    "Key of the serving certificate."),
                            flag(
                                    SERVING,
                                    "tls-cipher-suites",
                                    STRINGS,
                                    "",
                                    "Cipher suites to offer."),
                            flag(
                                    SERVING,
                                    "tls-curve-preferences",
                                    INT32_LIST,
                                    "[]",
                                    "Key exchanges to offer, by number."),
                            flag(
                                    SERVING,
                                    "tls-min-version",
                                    STRING,
                                    "",
                                    "Lowest TLS version: VersionTLS10, VersionTLS11, VersionTLS12 or VersionTLS13."),
                            flag(
                                    SERVING,
                                    "tls-sni-cert-key",
                                    STRING,
                                    "[]",
                                    "Certificate and key for some server names; may be repeated."),
                            flag(
                                    SERVING,
                                    "disable-http2-serving",
                                    BOOL,
                                    "",
                                    "Serve HTTP/1.1 only."),
                            flag(
                                    SERVING,
                                    "http2-max-streams-per-connection",
                                    INT,
                                    "",
                                    "Streams that a client may open on one connection; 0 leaves the server's default."),
                            flag(
                                    SERVING,
                                    "permit-port-sharing",
                                    BOOL,
                                    "",
                                    "Bind the port with SO_REUSEPORT."),
                            flag(
                                    SERVING,
                                    "permit-address-sharing",
                                    BOOL,
                                    "",
                                    "Bind the port with SO_REUSEADDR."),
                            flag(
                                    AUTHENTICATION,
                                    "authentication-kubeconfig",
                                    STRING,
                                    "",
                                    "Kubeconfig for reviewing the tokens of callers."),
                            flag(
                                    AUTHENTICATION,
                                    "authentication-skip-lookup",
                                    BOOL,
                                    "",
                                    "Do not read authentication settings from the cluster."),
                            flag(
                                    AUTHENTICATION,
                                    "authentication-token-webhook-cache-ttl",
                                    DURATION,
                                    "10s",
                                    "How long a token review is remembered."),
                            flag(
                                    AUTHENTICATION,
                                    "authentication-tolerate-lookup-failure",
                                    BOOL,
                                    "true",
                                    "Go on when the authentication settings cannot be read."),
                            flag(
                                    AUTHENTICATION,
                                    "client-ca-file",
                                    STRING,
                                    "",
                                    "Authorities of client certificates."),
                            flag(
                                    AUTHENTICATION,
                                    "requestheader-allowed-names",
                                    STRINGS,
                                    "",
                                    "Common names of proxies that may name users in headers."),
                            flag(
                                    AUTHENTICATION,
                                    "requestheader-client-ca-file",
                                    STRING,
                                    "",
                                    "Authorities of such proxies' certificates."),
                            flag(
                                    AUTHENTICATION,
                                    "requestheader-extra-headers-prefix",
                                    STRINGS,
                                    "[x-remote-extra-]",
                                    "Prefixes of headers with more about the user."),
                            flag(
                                    AUTHENTICATION,
                                    "requestheader-group-headers",
                                    STRINGS,
                                    "[x-remote-group]",
                                    "Headers that name the user's groups."),
                            flag(
                                    AUTHENTICATION,
                                    "requestheader-uid-headers",
                                    STRINGS,
                                    "",
                                    "Headers that hold the user's UID."),
                            flag(
                                    AUTHENTICATION,
                                    "requestheader-username-headers",
                                    STRINGS,
                                    "[x-remote-user]",
                                    "Headers that name the user."),
                            flag(
                                    AUTHORIZATION,
                                    "authorization-always-allow-paths",
                                    STRINGS,
                                    "[/healthz,/readyz,/livez]",
                                    "Paths open to everyone."),
                            flag(
                                    AUTHORIZATION,
                                    "authorization-kubeconfig",
                                    STRING,
                                    "",
                                    "Kubeconfig for asking what callers may do."),
                            flag(
                                    AUTHORIZATION,
                                    "authorization-webhook-cache-authorized-ttl",
                                    DURATION,
                                    "10s",
                                    "How long a permission is remembered."),
                            flag(
                                    AUTHORIZATION,
                                    "authorization-webhook-cache-unauthorized-ttl",
                                    DURATION,
                                    "10s",
                                    "How long a refusal is remembered."),
                            flag(
                                    DEPRECATED,
                                    "profiling",
                                    BOOL,
                                    "true",
                                    "DEPRECATED: serve profiles."),
                            flag(
                                    DEPRECATED,
                                    "contention-profiling",
                                    BOOL,
                                    "true",
                                    "DEPRECATED: profile lock contention."),
                            flag(
                                    DEPRECATED,
                                    "kubeconfig",
                                    STRING,
                                    "",
                                    "DEPRECATED: file that says how to reach and authenticate to the API server."),
                            flag(
                                    DEPRECATED,
                                    "kube-api-content-type",
                                    STRING,
                                    "application/vnd.kubernetes.protobuf",
                                    "DEPRECATED: content type of requests."),
                            flag(
                                    DEPRECATED,
                                    "kube-api-qps",
                                    FLOAT32,
                                    "50",
                                    "DEPRECATED: requests per second to the API server."),
                            flag(
                                    DEPRECATED,
                                    "kube-api-burst",
                                    INT32,
                                    "100",
                                    "DEPRECATED: requests that may exceed the rate for a moment."),
                            flag(
                                    DEPRECATED,
                                    "pod-max-in-unschedulable-pods-duration",
                                    DURATION,
                                    "5m0s",
                                    "DEPRECATED: longest stay of a pod among the unschedulable ones."),
                            flag(
                                    ELECTION,
                                    "leader-elect",
                                    BOOL,
                                    "true",
                                    "Elect a leader before scheduling."),
                            flag(
                                    ELECTION,
                                    "leader-elect-lease-duration",
                                    DURATION,
                                    "15s",
                                    "How long others wait for a silent leader."),
                            flag(
                                    ELECTION,
                                    "leader-elect-renew-deadline",
                                    DURATION,
                                    "10s",
                                    "How long the leader tries to renew before it gives up."),
                            flag(
                                    ELECTION,
                                    "leader-elect-retry-period",
                                    DURATION,
                                    "2s",
                                    "Pause between two tries."),
                            flag(
                                    ELECTION,
                                    "leader-elect-resource-lock",
                                    STRING,
                                    "\"leases\"",
                                    "Kind of the lock object; only leases."),
                            flag(
                                    ELECTION,
                                    "leader-elect-resource-name",
                                    STRING,
                                    "\"kube-scheduler\"",
                                    "Name of the lock object."),
                            flag(
                                    ELECTION,
                                    "leader-elect-resource-namespace",
                                    STRING,
                                    "\"kube-system\"",
                                    "Namespace of the lock object."),
                            flag(
                                    GATES,
                                    "feature-gates",
                                    STRINGS,
                                    "",
                                    "Features to switch on or off: Name=true,Other=false."),
                            flag(
                                    GATES,
                                    "emulated-version",
                                    STRINGS,
                                    "",
                                    "Release whose features to emulate."),
                            flag(
                                    GATES,
                                    "min-compatibility-version",
                                    STRINGS,
                                    "",
                                    "Oldest release to stay compatible with."),
                            flag(
                                    METRICS,
                                    "show-hidden-metrics-for-version",
                                    STRING,
                                    "",
                                    "Show metrics that were hidden in this release."),
                            flag(METRICS, "disabled-metrics", STRINGS, "", "Metrics to leave out."),
                            flag(
                                    METRICS,
                                    "allow-metric-labels",
                                    MAP,
                                    "[]",
                                    "Values that a metric's label may take."),
                            flag(
                                    METRICS,
                                    "allow-metric-labels-manifest",
                                    STRING,
                                    "",
                                    "File with the values that labels may take."),
                            flag(
                                    LOGS,
                                    "logging-format",
                                    STRING,
                                    "\"text\"",
                                    "Form of log lines: text or json."),
                            flag(
                                    LOGS,
                                    "log-flush-frequency",
                                    DURATION,
                                    "5s",
                                    "Longest time between two flushes of the log."),
                            new Flag(LOGS, "v", 'v', LEVEL, "", "Verbosity of the log."),
                            flag(
                                    LOGS,
                                    "vmodule",
                                    STRING,
                                    "",
                                    "Verbosity by source file: pattern=N,..."),
                            flag(
                                    LOGS,
                                    "log-text-split-stream",
                                    BOOL,
                                    "",
                                    "Text form: errors to standard error, the rest to standard output."),
                            flag(
                                    LOGS,
                                    "log-text-info-buffer-size",
                                    STRING,
                                    "",
                                    "Text form: size of the buffer of information lines."),
                            flag(
                                    LOGS,
                                    "log-json-split-stream",
                                    BOOL,
                                    "",
                                    "JSON form: errors to standard error, the rest to standard output."),
                            flag(
                                    LOGS,
                                    "log-json-info-buffer-size",
                                    STRING,
                                    "",
                                    "JSON form: size of the buffer of information lines."),
                            flag(
                                    BERTH,
                                    "plugin-dir",
                                    STRING,
                                    "",
                                    "Folder with plugin jars; their plugins come last in the profile."),
                            new Flag(GLOBAL, "help", 'h', BOOL, "", "Help for berth."),
                            flag(
                                    GLOBAL,
                                    "version",
                                    VERSION,
                                    "",
                                    "Print the Kubernetes version and exit.")));

    private SchedulerFlags() {}

    private static Flag flag(
            String group, String name, FlagType type, String defaultValue, String help) {
        return new Flag(group, name, (char) 0, type, defaultValue, help);
    }
}
