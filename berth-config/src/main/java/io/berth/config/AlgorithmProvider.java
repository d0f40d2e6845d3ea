package io.berth.config;

import io.berth.config.ConfigurationReader.Loaded;
import io.berth.config.gate.FeatureGates;
import io.berth.config.text.ConfigurationException;
import io.berth.config.text.JsonWriter;
import io.berth.config.text.Problems;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The sets of plugins that kube-scheduler 1.20 and 1.21 had names for (rules P-110 to P-112).
public enum AlgorithmProvider {
    DEFAULT("DefaultProvider", OldNames.LEAST),
    CLUSTER_AUTOSCALER("ClusterAutoscalerProvider", OldNames.MOST);

    private static final String DEPRECATED =
            "Algorithm providers are deprecated since v1.20 and were removed in v1.22; use a"
                    + " KubeSchedulerConfiguration instead (--write-config-to writes the equivalent one)";

    private final String text;
    private final String resourceScore;

    AlgorithmProvider(String text, String resourceScore) {
        this.text = text;
        this.resourceScore = resourceScore;
    }

    /// For the help of `--algorithm-provider`.
    public static String choices() {
        return CLUSTER_AUTOSCALER.text + " | " + DEFAULT.text;
    }

    /// @throws ConfigurationException where there is no provider of that name
    public static AlgorithmProvider named(String name) throws ConfigurationException {
        for (var provider : values()) {
            if (provider.text.equals(name)) {
                return provider;
            }
        }
        throw new ConfigurationException(
                "couldn't create scheduler using provider %s: algorithm provider %s is not registered"
                        .formatted(JsonWriter.quoted(name), JsonWriter.quoted(name)));
    }

    /// Gives the profiles of a configuration the plugins of this provider.
    ///
    /// @throws ConfigurationException never in practice: the lists are known to be good
    public Loaded apply(SchedulerConfiguration base, FeatureGates gates)
            throws ConfigurationException {
        var problems = new Problems();
        var profile =
                new OldNames("profiles[0]", "v1", problems)
                        .modern(OlderVersion.v1beta1(gates, resourceScore), Map.of());
        problems.throwIfAny();
        var profiles = new ArrayList<ProfileConfiguration>();
        for (var each : base.profiles()) {
            profiles.add(new ProfileCompletion(gates).profile(profile, each));
        }
        return new Loaded(base.withProfiles(profiles), List.of(DEPRECATED), List.of());
    }
}
