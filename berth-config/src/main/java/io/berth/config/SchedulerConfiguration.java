package io.berth.config;

import io.berth.config.gate.FeatureGates;
import io.berth.config.schema.ConfigurationTypes;
import io.berth.config.text.FieldsBuilder;
import io.berth.config.text.Value.Fields;
import java.util.List;

/// A complete configuration in the shape of v1, defaults filled in.
///
/// @param apiVersion the version of the file it comes from, such as
///   `kubescheduler.config.k8s.io/v1`
/// @param percentageOfNodesToScore 0: as many as the scheduler sees fit
/// @param alwaysCheckAllPredicates whether a filter that refuses a node does not keep the next one
///   from looking at it; only a legacy policy can ask for it
public record SchedulerConfiguration(
        String apiVersion,
        int parallelism,
        LeaderElectionConfiguration leaderElection,
        ClientConnectionConfiguration clientConnection,
        boolean enableProfiling,
        boolean enableContentionProfiling,
        int percentageOfNodesToScore,
        long podInitialBackoffSeconds,
        long podMaxBackoffSeconds,
        List<ProfileConfiguration> profiles,
        List<ExtenderConfiguration> extenders,
        boolean delayCacheUntilActive,
        boolean alwaysCheckAllPredicates) {
    public static final String GROUP = ConfigurationTypes.GROUP;
    public static final String V1 = GROUP + "/v1";
    public static final String KIND = "KubeSchedulerConfiguration";
    public static final String DEFAULT_SCHEDULER = "default-scheduler";

    public SchedulerConfiguration {
        profiles = List.copyOf(profiles);
        extenders = List.copyOf(extenders);
    }

    /// What applies without a file (rule P-80).
    public static SchedulerConfiguration defaults(FeatureGates gates) {
        return of(Fields.EMPTY, V1, gates);
    }

    /// Of a v1 file that has been compared with its types (sections 3.2 and 3.3 of the contract).
    ///
    /// @param version of the file before it was converted
    static SchedulerConfiguration of(Fields file, String version, FeatureGates gates) {
        boolean profiling = file.flag("enableProfiling", true);
        return new SchedulerConfiguration(
                version,
                (int) file.number("parallelism", 16),
                LeaderElectionConfiguration.of(file.fields("leaderElection")),
                ClientConnectionConfiguration.of(file.fields("clientConnection")),
                profiling,
                file.flag("enableContentionProfiling", profiling),
                (int) file.number("percentageOfNodesToScore", 0),
                file.number("podInitialBackoffSeconds", 1),
                file.number("podMaxBackoffSeconds", 10),
                new ProfileCompletion(gates).profiles(file.objects("profiles")),
                file.objects("extenders").stream().map(ExtenderConfiguration::of).toList(),
                file.flag("delayCacheUntilActive", false),
                false);
    }

    /// In the form of v1, every default shown.
    Fields fields() {
        return new FieldsBuilder()
                .put("kind", KIND)
                .put("apiVersion", V1)
                .put("parallelism", parallelism)
                .put("leaderElection", leaderElection.fields())
                .put("clientConnection", clientConnection.fields())
                .put("enableProfiling", enableProfiling)
                .put("enableContentionProfiling", enableContentionProfiling)
                .put("percentageOfNodesToScore", percentageOfNodesToScore)
                .put("podInitialBackoffSeconds", podInitialBackoffSeconds)
                .put("podMaxBackoffSeconds", podMaxBackoffSeconds)
                .putIfSet("profiles", profiles.stream().map(ProfileConfiguration::fields).toList())
                .putIfSet(
                        "extenders", extenders.stream().map(ExtenderConfiguration::fields).toList())
                .putIfSet("delayCacheUntilActive", delayCacheUntilActive)
                .build();
    }

    public SchedulerConfiguration withLeaderElection(LeaderElectionConfiguration other) {
        return new SchedulerConfiguration(
                apiVersion,
                parallelism,
                other,
                clientConnection,
                enableProfiling,
                enableContentionProfiling,
                percentageOfNodesToScore,
                podInitialBackoffSeconds,
                podMaxBackoffSeconds,
                profiles,
                extenders,
                delayCacheUntilActive,
                alwaysCheckAllPredicates);
    }

    public SchedulerConfiguration withClientConnection(ClientConnectionConfiguration other) {
        return new SchedulerConfiguration(
                apiVersion,
                parallelism,
                leaderElection,
                other,
                enableProfiling,
                enableContentionProfiling,
                percentageOfNodesToScore,
                podInitialBackoffSeconds,
                podMaxBackoffSeconds,
                profiles,
                extenders,
                delayCacheUntilActive,
                alwaysCheckAllPredicates);
    }

    public SchedulerConfiguration withProfiling(boolean profiling, boolean contentionProfiling) {
        return new SchedulerConfiguration(
                apiVersion,
                parallelism,
                leaderElection,
                clientConnection,
                profiling,
                contentionProfiling,
                percentageOfNodesToScore,
                podInitialBackoffSeconds,
                podMaxBackoffSeconds,
                profiles,
                extenders,
                delayCacheUntilActive,
                alwaysCheckAllPredicates);
    }

    public SchedulerConfiguration withProfiles(List<ProfileConfiguration> other) {
        return new SchedulerConfiguration(
                apiVersion,
                parallelism,
                leaderElection,
                clientConnection,
                enableProfiling,
                enableContentionProfiling,
                percentageOfNodesToScore,
                podInitialBackoffSeconds,
                podMaxBackoffSeconds,
                other,
                extenders,
                delayCacheUntilActive,
                alwaysCheckAllPredicates);
    }

    /// For a legacy policy, which brings its own extenders (rule P-119).
    public SchedulerConfiguration withPolicy(
            List<ExtenderConfiguration> policyExtenders, boolean checkAllPredicates) {
        return new SchedulerConfiguration(
                apiVersion,
                parallelism,
                leaderElection,
                clientConnection,
                enableProfiling,
                enableContentionProfiling,
                percentageOfNodesToScore,
                podInitialBackoffSeconds,
                podMaxBackoffSeconds,
                profiles,
                policyExtenders,
                delayCacheUntilActive,
                checkAllPredicates);
    }
}
