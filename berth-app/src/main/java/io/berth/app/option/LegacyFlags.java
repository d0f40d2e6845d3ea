package io.berth.app.option;

import io.berth.app.flag.ParsedFlags;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Flags of kube-scheduler 1.20 to 1.22 that are gone since, each only if it was given.
///
/// @param address,port where plain HTTP is served; nowhere unless one of them was given
/// @param besideFile whether a configuration file was given, too, which some of them give way to
public record LegacyFlags(
        Optional<String> address,
        Optional<Integer> port,
        Optional<String> algorithmProvider,
        Policy policy,
        Optional<Integer> hardPodAffinityWeight,
        Optional<String> schedulerName,
        List<String> given,
        boolean besideFile) {
    /// The names of all of them.
    public static final List<String> NAMES =
            List.of(
                    "address",
                    "port",
                    "algorithm-provider",
                    "policy-config-file",
                    "policy-configmap",
                    "policy-configmap-namespace",
                    "use-legacy-policy-config",
                    "hard-pod-affinity-symmetric-weight",
                    "scheduler-name",
                    "lock-object-namespace",
                    "lock-object-name");

    /// Those that a configuration file says better, so that they do not count beside one.
    private static final Set<String> GIVING_WAY =
            Set.of(
                    "address",
                    "port",
                    "algorithm-provider",
                    "hard-pod-affinity-symmetric-weight",
                    "scheduler-name");

    private static final int DEFAULT_PORT = 10251;
    private static final int MAX_PORT = 65535;

    public LegacyFlags {
        given = List.copyOf(given);
    }

    /// Where a scheduling policy comes from.
    ///
    /// @param fileOnly whether a ConfigMap is ignored
    public record Policy(
            Optional<Path> file,
            Optional<String> configMap,
            String configMapNamespace,
            boolean fileOnly) {
        /// The file, if it is what counts.
        public Optional<Path> effectiveFile() {
            return fileOnly || configMap.isEmpty() ? file : Optional.empty();
        }

        /// The ConfigMap's name, if it is what counts.
        public Optional<String> effectiveConfigMap() {
            return fileOnly ? Optional.empty() : configMap;
        }
    }

    static LegacyFlags from(ParsedFlags flags) {
        return new LegacyFlags(
                flags.text("address"),
                flags.integer("port")
                        .map(number -> Math.clamp(number, Integer.MIN_VALUE, Integer.MAX_VALUE)),
                flags.text("algorithm-provider"),
                new Policy(
                        flags.path("policy-config-file"),
                        flags.text("policy-configmap"),
                        flags.text("policy-configmap-namespace").orElse("kube-system"),
                        flags.isTrue("use-legacy-policy-config")),
                flags.integer("hard-pod-affinity-symmetric-weight").map(Math::toIntExact),
                flags.text("scheduler-name"),
                NAMES.stream().filter(flags::has).toList(),
                flags.has("config"));
    }

    /// The address of the plain HTTP port, if there is to be one.
    public Optional<Insecure> insecure() {
        boolean asked = address.isPresent() || port.isPresent();
        if (besideFile || !asked || port.orElse(DEFAULT_PORT) == 0) {
            return Optional.empty();
        }
        return Optional.of(new Insecure(address.orElse("0.0.0.0"), port.orElse(DEFAULT_PORT)));
    }

    /// A port without encryption and without any question who asks.
    public record Insecure(String address, int port) {}

    /// What is wrong with these flags, in the words of the releases that had them.
    public List<String> check() {
        var problems = new ArrayList<String>();
        if (policy.fileOnly() && policy.file().isEmpty()) {
            problems.add(
                    "policyConfigFile: Required value: required when --use-legacy-policy-config is"
                            + " true");
        }
        port.filter(number -> number < 0 || number > MAX_PORT)
                .ifPresent(number ->
                        problems.add(
                                "--port "
                                        + number
                                        + " must be between 0 and 65535, inclusive. 0 for turning"
                                        + " off insecure (HTTP) port"));
        address.filter(text -> !Addresses.isAddress(text))
                .ifPresent(text -> problems.add("--address " + text + " is an invalid IP address"));
        hardPodAffinityWeight
                .filter(weight -> weight < 0 || weight > 100)
                .ifPresent(weight ->
                        problems.add(
                                "hardPodAffinitySymmetricWeight: Invalid value: "
                                        + weight
                                        + ": not in valid range [0-100]"));
        return problems;
    }

    /// One line per flag that was given.
    public List<String> warnings() {
        return given.stream()
                .map(name ->
                        "Flag --"
                                + name
                                + " has been deprecated, kube-scheduler no longer has it; "
                                + (isIgnored(name)
                                        ? "it is ignored where --config is given"
                                        : instead(name)))
                .toList();
    }

    private boolean isIgnored(String name) {
        return besideFile && GIVING_WAY.contains(name);
    }

    private static String instead(String name) {
        return switch (name) {
            case "address", "port" ->
                    "health and metrics are served by HTTPS: see --bind-address and --secure-port";
            case "lock-object-namespace" -> "use --leader-elect-resource-namespace instead";
            case "lock-object-name" -> "use --leader-elect-resource-name instead";
            default -> "use the configuration file of --config instead";
        };
    }
}
