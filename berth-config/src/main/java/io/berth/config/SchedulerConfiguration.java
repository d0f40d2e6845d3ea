package io.berth.config;

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
    public static final String GROUP = "kubescheduler.config.k8s.io";
    public static final String V1 = GROUP + "/v1";
    public static final String KIND = "KubeSchedulerConfiguration";
    public static final String DEFAULT_SCHEDULER = "default-scheduler";

    public SchedulerConfiguration {
        profiles = List.copyOf(profiles);
        extenders = List.copyOf(extenders);
    }

    /// What applies without a file (rule P-80).
    public static SchedulerConfiguration defaults(FeatureGates gates) {
        return new Completion(gates).complete(Fields.EMPTY, V1);
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
