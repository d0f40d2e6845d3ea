package io.berth.app.input;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/// Command lines that are wrong in one place, made from good ones by a seeded generator.
final class BrokenCommandLines {
    /// @param named what the message must name
    record Case(List<String> words, String named) {
        @Override
        public String toString() {
            return String.join(" ", words);
        }
    }

    /// Values that no flag of that kind takes.
    private static final List<Kind> KINDS =
            List.of(
                    new Kind(
                            List.of("maybe", "2", "yes", "TrUe", " true"),
                            List.of(
                                    "leader-elect",
                                    "profiling",
                                    "contention-profiling",
                                    "disable-http2-serving",
                                    "permit-port-sharing",
                                    "permit-address-sharing",
                                    "authentication-skip-lookup",
                                    "authentication-tolerate-lookup-failure",
                                    "log-text-split-stream",
                                    "use-legacy-policy-config",
                                    "version",
                                    "help")),
                    new Kind(
                            List.of(
                                    "x",
                                    "",
                                    "1.5",
                                    "99999999999999999999",
                                    "0x",
                                    "1 ",
                                    "--1",
                                    "1_",
                                    "08",
                                    "1__0"),
                            List.of("secure-port", "http2-max-streams-per-connection", "port")),
                    new Kind(
                            List.of("x", "", "2147483648", "1e3", "-2147483649"),
                            List.of(
                                    "kube-api-burst",
                                    "tls-curve-preferences",
                                    "hard-pod-affinity-symmetric-weight")),
                    new Kind(List.of("x", "", "1,5", "1e99", "5f"), List.of("kube-api-qps")),
                    new Kind(
                            List.of("5", "x", "", "1d", "1.5.5s", "s", "-", "9999999h", "1s1"),
                            List.of(
                                    "leader-elect-lease-duration",
                                    "leader-elect-renew-deadline",
                                    "leader-elect-retry-period",
                                    "authentication-token-webhook-cache-ttl",
                                    "authorization-webhook-cache-authorized-ttl",
                                    "authorization-webhook-cache-unauthorized-ttl",
                                    "pod-max-in-unschedulable-pods-duration",
                                    "log-flush-frequency")),
                    new Kind(
                            List.of("x", "1.2.3", "256.1.1.1", "[::1]", "1.2.3.4:80", "localhost"),
                            List.of("bind-address", "address")),
                    new Kind(List.of("-1", "x", "1.5", "2147483648", ""), List.of("v")),
                    new Kind(
                            List.of("x", "", "1KiB", "1 Ki", "--1"),
                            List.of(
                                    "log-text-info-buffer-size",
                                    "log-json-info-buffer-size",
                                    "explain-memory")),
                    new Kind(List.of("a", "=1", "a=", "a=x", "a=1=2", "a=1,b"), List.of("vmodule")),
                    new Kind(
                            List.of("a", "a,b,c", ",", "a,b:", "a,b: "),
                            List.of("tls-sni-cert-key")),
                    new Kind(
                            List.of("a\"b", "\"a", "a,\"b\"c"),
                            List.of(
                                    "tls-cipher-suites",
                                    "requestheader-username-headers",
                                    "requestheader-group-headers",
                                    "authorization-always-allow-paths",
                                    "disabled-metrics",
                                    "emulated-version")),
                    new Kind(List.of("a", "a=b,c,d=e", ""), List.of("allow-metric-labels")));

    private record Kind(List<String> values, List<String> flags) {}

    /// Values of the right kind that cannot be used, with what the message names.
    private static final List<String> UNUSABLE =
            List.of(
                    "--secure-port=-1 secure-port",
                    "--secure-port=65536 secure-port",
                    "--secure-port=70000 secure-port",
                    "--port=70000 port",
                    "--port=-1 port",
                    "--requestheader-username-headers=, requestheader-username-headers",
                    "--requestheader-group-headers=a,,b requestheader-group-headers",
                    "--requestheader-extra-headers-prefix=,a requestheader-extra-headers-prefix",
                    "--requestheader-allowed-names=, requestheader-allowed-names",
                    "--requestheader-uid-headers=foo requestheader-uid-headers",
                    "--authorization-always-allow-paths=/a*b a*b",
                    "--tls-min-version=TLS13 TLS13",
                    "--tls-min-version=versiontls12 versiontls12",
                    "--tls-cipher-suites=AES AES",
                    "--tls-cipher-suites=TLS_AES_128_GCM_SHA256,NONE NONE",
                    "--tls-curve-preferences=0 curve",
                    "--tls-curve-preferences=29,29 curve",
                    "--tls-curve-preferences=7 curve",
                    "--show-hidden-metrics-for-version=1.36 showHiddenMetricsForVersion",
                    "--disabled-metrics=a-b disabledMetrics",
                    "--allow-metric-labels=a=b allowListMapping",
                    "--allow-metric-labels-manifest=/nowhere/x allowListMappingManifest",
                    "--emulated-version=1.20 emulation",
                    "--emulated-version=1.37 emulation",
                    "--emulated-version=2.0 emulation",
                    "--emulated-version=wardle=1.36 wardle",
                    "--emulated-version=1.36.4 1.36.4",
                    "--emulated-version=1 version",
                    "--emulated-version=x version",
                    "--min-compatibility-version=1.20 minCompatibilityVersion",
                    "--min-compatibility-version=1.37 minCompatibilityVersion",
                    "--min-compatibility-version=x version",
                    "--feature-gates=AllAlpha AllAlpha",
                    "--feature-gates=AllAlpha=on AllAlpha",
                    "--feature-gates=Nope=true Nope",
                    "--feature-gates=other:AllAlpha=true other",
                    "--feature-gates=kube:AllAlpha=true,AllBeta=false kube:",
                    "--feature-gates=DynamicResourceAllocation=false DynamicResourceAllocation",
                    "--feature-gates=GangScheduling=true GenericWorkload",
                    "--logging-format=xml format",
                    "--logging-format= format",
                    "--log-flush-frequency=0 flushFrequency",
                    "--log-flush-frequency=-1s flushFrequency",
                    "--log-text-split-stream options.text.splitStream",
                    "--log-json-split-stream options.json.splitStream",
                    "--log-text-info-buffer-size=1 options.text.infoBufferSize",
                    "--log-json-info-buffer-size=1Ki options.json.infoBufferSize",
                    "--explain-memory=-1 explain-memory",
                    "--explain-memory=5Gi explain-memory",
                    "--leader-elect-lease-duration=0s leaseDuration",
                    "--leader-elect-lease-duration=10s leaseDuration",
                    "--leader-elect-renew-deadline=15s leaseDuration",
                    "--leader-elect-renew-deadline=0s renewDeadline",
                    "--leader-elect-retry-period=0s retryPeriod",
                    "--leader-elect-retry-period=9s retryPeriod",
                    "--leader-elect-resource-lock=endpoints resourceLock",
                    "--leader-elect-resource-lock= resourceLock",
                    "--leader-elect-resource-name= resourceName",
                    "--leader-elect-resource-namespace= resourceNamespace",
                    "--kube-api-burst=-1 burst",
                    "--kube-api-burst=0 burst",
                    "--hard-pod-affinity-symmetric-weight=101 hardPodAffinity",
                    "--hard-pod-affinity-symmetric-weight=-1 hardPodAffinity",
                    "--use-legacy-policy-config policyConfigFile",
                    "--config=/nowhere/file /nowhere/file",
                    "--plugin-dir=/nowhere/folder /nowhere/folder",
                    "--kubeconfig=/nowhere/kubeconfig /nowhere/kubeconfig",
                    "--write-config-to=/nowhere/out /nowhere/out",
                    "--version=v1.35.0 version",
                    "--version=vx version",
                    "word word",
                    "-x x",
                    "-config config");

    private BrokenCommandLines() {}

    static List<Case> cases(Random random) {
        var cases = new ArrayList<Case>();
        for (Kind kind : KINDS) {
            for (String flag : kind.flags()) {
                for (String value : kind.values()) {
                    if (!(flag.equals("address") && value.equals(""))) {
                        cases.add(among(random, "--" + flag + "=" + value, flag));
                    }
                }
            }
        }
        for (String line : UNUSABLE) {
            int space = line.lastIndexOf(' ');
            cases.add(among(random, line.substring(0, space), line.substring(space + 1)));
        }
        unknown(random, cases);
        return cases;
    }

    /// Names with one letter too many or too few, and flags that lack their value.
    private static void unknown(Random random, List<Case> cases) {
        var flags =
                Invocation.of("--help").out().lines().filter(line -> line.startsWith("      --"));
        for (String line : flags.toList()) {
            String name = line.strip().substring(2).split(" ", -1)[0];
            int at = 1 + random.nextInt(name.length() - 1);
            String wrong =
                    random.nextBoolean()
                            ? name.substring(0, at) + "q" + name.substring(at)
                            : name.substring(0, at - 1) + name.substring(at) + "q";
            cases.add(among(random, "--" + wrong + "=1", wrong));
            boolean takesValue = !line.strip().substring(2 + name.length()).startsWith("  ");
            if (takesValue && !name.equals("version")) {
                cases.add(new Case(List.of("--" + name), name));
            }
        }
    }

    /// Puts a wrong word among good ones.
    private static Case among(Random random, String word, String named) {
        var good = new TreeMap<String, String>();
        good.put("--v=2", "v");
        good.put("--profiling=false", "profiling");
        good.put("--kube_api_qps=20", "kube-api-qps");
        good.put("--feature-gates=SchedulerAsyncAPICalls=true", "feature-gates");
        good.put("--disabled-metrics=a_b", "disabled-metrics");
        var words = new ArrayList<String>();
        // An older release does not know the gate, and says so first.
        if (word.contains("-version=")) {
            good.remove("--feature-gates=SchedulerAsyncAPICalls=true");
        }
        good.forEach((flag, name) -> {
            if (random.nextBoolean() && !word.contains(name)) {
                words.add(flag);
            }
        });
        words.add(random.nextInt(words.size() + 1), word);
        if (!word.startsWith("-") && words.getFirst().equals(word)) {
            words.addFirst("--secure-port=0");
        }
        return new Case(words, named);
    }
}
