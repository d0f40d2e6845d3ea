package io.berth.config;

import io.berth.api.amount.GoDuration;
import io.berth.config.argument.ArgumentChecks;
import io.berth.config.gate.FeatureGates;
import io.berth.config.text.ConfigurationException;
import io.berth.config.text.JsonWriter;
import io.berth.config.text.Problems;
import io.berth.config.text.Value;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Checks a complete configuration (sections 3.4 to 3.6 of the contract).
public final class Validation {
    /// Volume plugins of the time before CSI. They are no more in v1.
    private static final Set<String> GONE =
            Set.of("AzureDiskLimits", "CinderLimits", "EBSLimits", "GCEPDLimits");

    private final SchedulerConfiguration configuration;
    private final ArgumentChecks arguments;
    private final Problems problems = new Problems();

    private Validation(SchedulerConfiguration configuration, FeatureGates gates) {
        this.configuration = configuration;
        this.arguments = new ArgumentChecks(problems, gates);
    }

    /// @return all that is wrong, in upstream's order; empty where all is well
    public static List<String> check(SchedulerConfiguration configuration, FeatureGates gates) {
        var validation = new Validation(configuration, gates);
        validation.run();
        return validation.problems.messages();
    }

    /// @throws ConfigurationException with all that is wrong
    public static void require(SchedulerConfiguration configuration, FeatureGates gates)
            throws ConfigurationException {
        var found = check(configuration, gates);
        if (!found.isEmpty()) {
            throw new ConfigurationException(found);
        }
    }

    private void run() {
        clientConnection();
        leaderElection(configuration.leaderElection());
        if (configuration.parallelism() <= 0) {
            problems.invalid(
                    "parallelism",
                    configuration.parallelism(),
                    "should be an integer value greater than zero");
        }
        profiles();
        percentage("percentageOfNodesToScore", configuration.percentageOfNodesToScore());
        backoff();
        new ExtenderChecks(problems).check(configuration.extenders());
    }

    private void clientConnection() {
        int burst = configuration.clientConnection().burst();
        if (burst < 0) {
            problems.invalid("clientConnection.burst", burst, "must be non-negative");
        }
    }

    private void leaderElection(LeaderElectionConfiguration election) {
        if (!election.leaderElect()) {
            return;
        }
        positive("leaderElection.leaseDuration", election.leaseDuration());
        positive("leaderElection.renewDeadline", election.renewDeadline());
        positive("leaderElection.retryPeriod", election.retryPeriod());
        if (election.leaseDuration().compareTo(election.renewDeadline()) <= 0) {
            problems.invalid(
                    "leaderElection.leaseDuration",
                    GoDuration.format(election.leaseDuration()),
                    "must be greater than `RenewDeadline`");
        }
        present("leaderElection.resourceLock", election.resourceLock());
        present("leaderElection.resourceNamespace", election.resourceNamespace());
        present("leaderElection.resourceName", election.resourceName());
        if (!election.resourceLock().equals("leases")) {
            problems.invalid(
                    "leaderElection.resourceLock",
                    election.resourceLock(),
                    "resourceLock value must be \"leases\"");
        }
    }

    private void positive(String path, Duration duration) {
        if (!duration.isPositive()) {
            problems.invalid(path, GoDuration.format(duration), "must be greater than zero");
        }
    }

    private void present(String path, String text) {
        if (text.isEmpty()) {
            problems.required(path, "");
        }
    }

    private void percentage(String path, int percentage) {
        if (percentage < 0 || percentage > 100) {
            problems.invalid(path, percentage, "not in valid range [0-100]");
        }
    }

    private void backoff() {
        long initial = configuration.podInitialBackoffSeconds();
        long max = configuration.podMaxBackoffSeconds();
        if (initial <= 0) {
            problems.invalid("podInitialBackoffSeconds", initial, "must be greater than 0");
        }
        if (max < initial) {
            problems.invalid(
                    "podMaxBackoffSeconds",
                    max,
                    "must be greater than or equal to PodInitialBackoffSeconds");
        }
    }

    private void profiles() {
        var profiles = configuration.profiles();
        if (profiles.isEmpty()) {
            problems.required("profiles", "");
            return;
        }
        var seen = new HashMap<String, Integer>();
        for (int i = 0; i < profiles.size(); i++) {
            var profile = profiles.get(i);
            var path = "profiles[" + i + "]";
            if (profile.schedulerName().isEmpty()) {
                problems.required(path + ".schedulerName", "");
            }
            if (profile.percentageOfNodesToScore().isPresent()) {
                percentage(
                        path + ".percentageOfNodesToScore",
                        profile.percentageOfNodesToScore().getAsInt());
            }
            plugins(path, profile);
            pluginConfig(path, profile);
            if (seen.put(profile.schedulerName(), i) != null) {
                problems.duplicate(path + ".schedulerName", profile.schedulerName());
            }
        }
        queueSorts(profiles);
    }

    /// Upstream leaves multiPoint and the placement points to a later, poorer message.
    private void plugins(String path, ProfileConfiguration profile) {
        profile.plugins()
                .forEach((point, set) -> {
                    for (int k = 0; k < set.enabled().size(); k++) {
                        var name = set.enabled().get(k).name();
                        if (GONE.contains(name)) {
                            gone(path + ".plugins." + point + ".enabled[" + k + "]", name);
                        }
                    }
                });
    }

    private void pluginConfig(String path, ProfileConfiguration profile) {
        var seen = new HashSet<String>();
        for (int j = 0; j < profile.pluginConfig().size(); j++) {
            var config = profile.pluginConfig().get(j);
            var here = path + ".pluginConfig[" + j + "]";
            if (!seen.add(config.name())) {
                problems.duplicate(here, config.name());
            }
            if (GONE.contains(config.name())) {
                gone(here, config.name());
            } else if (config.args() instanceof Value.Fields args) {
                arguments.check(here + ".args", config.name(), args);
            }
        }
    }

    private void gone(String path, String name) {
        problems.invalid(
                path,
                name,
                "was invalid in version \"v1\" (KubeSchedulerConfiguration is version %s)"
                        .formatted(JsonWriter.quoted(configuration.apiVersion())));
    }

    /// There is one queue, so there is one order.
    private void queueSorts(List<ProfileConfiguration> profiles) {
        var first = profiles.getFirst();
        var sort = first.at("queueSort");
        if (sort.enabled().size() > 1) {
            problems.invalid(
                    "profiles[0].plugins.queueSort.Enabled",
                    sort.enabled().size(),
                    "only one queue sort plugin can be enabled");
        }
        var name = sort.enabled().isEmpty() ? "" : sort.enabled().getFirst().name();
        var args = arguments(first, name);
        for (int i = 1; i < profiles.size(); i++) {
            var profile = profiles.get(i);
            if (!profile.at("queueSort").equals(sort)) {
                problems.invalidShown(
                        "profiles[" + i + "].plugins.queueSort",
                        JsonWriter.write(profile.at("queueSort").internal()),
                        "must be the same for all profiles");
            }
            if (!name.isEmpty() && !arguments(profile, name).equals(args)) {
                problems.invalidShown(
                        "profiles[" + i + "].pluginConfig.args",
                        arguments(profile, name),
                        "queueSort must be the same for all profiles");
            }
        }
    }

    private static String arguments(ProfileConfiguration profile, String plugin) {
        for (var config : profile.pluginConfig()) {
            if (config.name().equals(plugin)) {
                return JsonWriter.write(config.args());
            }
        }
        return "null";
    }
}
