package io.berth.config.schema;

import static io.berth.config.schema.Type.BOOL;
import static io.berth.config.schema.Type.BYTES;
import static io.berth.config.schema.Type.DURATION;
import static io.berth.config.schema.Type.FLOAT32;
import static io.berth.config.schema.Type.INT32;
import static io.berth.config.schema.Type.INT64;
import static io.berth.config.schema.Type.RAW;
import static io.berth.config.schema.Type.STRING;
import static io.berth.config.schema.Type.STRINGS;
import static io.berth.config.schema.Type.struct;

import io.berth.config.schema.Type.ListOf;
import io.berth.config.schema.Type.Struct;
import java.util.List;

/// The configuration itself in `kubescheduler.config.k8s.io/v1` (sections 3.2 and 3.5 of the
/// contract) and in the versions before it (section 3.8).
public final class ConfigurationTypes {
    public static final String GROUP = "kubescheduler.config.k8s.io";

    /// The extension points of a profile, in the order of the Go type, which is that of `/configz`.
    public static final List<String> POINTS =
            List.of(
                    "preEnqueue",
                    "queueSort",
                    "preFilter",
                    "filter",
                    "postFilter",
                    "preScore",
                    "score",
                    "reserve",
                    "permit",
                    "preBind",
                    "bind",
                    "postBind",
                    "multiPoint",
                    "placementGenerate",
                    "placementScore");

    private static final Struct LEADER_ELECTION =
            struct("v1alpha1.LeaderElectionConfiguration")
                    .and("leaderElect", BOOL)
                    .and("leaseDuration", DURATION)
                    .and("renewDeadline", DURATION)
                    .and("retryPeriod", DURATION)
                    .and("resourceLock", STRING)
                    .and("resourceName", STRING)
                    .and("resourceNamespace", STRING);

    private static final Struct CLIENT_CONNECTION =
            struct("v1alpha1.ClientConnectionConfiguration")
                    .and("kubeconfig", STRING)
                    .and("acceptContentTypes", STRING)
                    .and("contentType", STRING)
                    .and("qps", FLOAT32)
                    .and("burst", INT32);

    private static final Struct TLS =
            struct("v1.ExtenderTLSConfig")
                    .and("insecure", BOOL)
                    .and("serverName", STRING)
                    .and("certFile", STRING)
                    .and("keyFile", STRING)
                    .and("caFile", STRING)
                    .and("certData", BYTES)
                    .and("keyData", BYTES)
                    .and("caData", BYTES);

    private static final Struct MANAGED_RESOURCE =
            struct("v1.ExtenderManagedResource")
                    .and("name", STRING)
                    .and("ignoredByScheduler", BOOL);

    public static final Struct V1 =
            configuration("v1", POINTS)
                    .and(
                            "profiles",
                            new ListOf(
                                    profile("v1", POINTS).and("percentageOfNodesToScore", INT32)))
                    .and("delayCacheUntilActive", BOOL);

    /// A legacy policy (rule P-114).
    public static final Struct POLICY = policy();

    private ConfigurationTypes() {}

    /// The configuration in a version before v1.
    ///
    /// @param first of its extension points, by the order of [#POINTS]
    /// @param last of its extension points
    public static Struct older(String version, String first, String last) {
        return configuration(
                version, POINTS.subList(POINTS.indexOf(first), POINTS.indexOf(last) + 1));
    }

    private static Struct configuration(String version, List<String> points) {
        return struct(version + ".KubeSchedulerConfiguration")
                .and("apiVersion", STRING)
                .and("kind", STRING)
                .and("parallelism", INT32)
                .and("leaderElection", LEADER_ELECTION)
                .and("clientConnection", CLIENT_CONNECTION)
                .and("enableProfiling", BOOL)
                .and("enableContentionProfiling", BOOL)
                .and("percentageOfNodesToScore", INT32)
                .and("podInitialBackoffSeconds", INT64)
                .and("podMaxBackoffSeconds", INT64)
                .and("profiles", new ListOf(profile(version, points)))
                .and("extenders", new ListOf(extender(version)));
    }

    /// The fields by which the first versions had health and metrics on plain HTTP.
    public static Struct withInsecurePorts(Struct configuration) {
        return configuration.and("healthzBindAddress", STRING).and("metricsBindAddress", STRING);
    }

    private static Struct profile(String version, List<String> points) {
        var plugin = struct(version + ".Plugin").and("name", STRING).and("weight", INT32);
        var set =
                struct(version + ".PluginSet")
                        .and("enabled", new ListOf(plugin))
                        .and("disabled", new ListOf(plugin));
        var plugins = struct(version + ".Plugins");
        for (var point : points) {
            plugins = plugins.and(point, set);
        }
        var config = struct(version + ".PluginConfig").and("name", STRING).and("args", RAW);
        return struct(version + ".KubeSchedulerProfile")
                .and("schedulerName", STRING)
                .and("plugins", plugins)
                .and("pluginConfig", new ListOf(config));
    }

    private static Struct extender(String version) {
        return struct(version + ".Extender")
                .and("urlPrefix", STRING)
                .and("filterVerb", STRING)
                .and("preemptVerb", STRING)
                .and("prioritizeVerb", STRING)
                .and("weight", INT64)
                .and("bindVerb", STRING)
                .and("enableHTTPS", BOOL)
                .and("tlsConfig", TLS)
                .and("httpTimeout", DURATION)
                .and("nodeCacheCapable", BOOL)
                .and("managedResources", new ListOf(MANAGED_RESOURCE))
                .and("ignorable", BOOL);
    }

    private static Struct policy() {
        var predicateArgument =
                struct("v1.PredicateArgument")
                        .and("serviceAffinity", struct("v1.ServiceAffinity").and("labels", STRINGS))
                        .and(
                                "labelsPresence",
                                struct("v1.LabelsPresence")
                                        .and("labels", STRINGS)
                                        .and("presence", BOOL));
        var priorityArgument =
                struct("v1.PriorityArgument")
                        .and(
                                "serviceAntiAffinity",
                                struct("v1.ServiceAntiAffinity").and("label", STRING))
                        .and(
                                "labelPreference",
                                struct("v1.LabelPreference")
                                        .and("label", STRING)
                                        .and("presence", BOOL))
                        .and(
                                "requestedToCapacityRatioArguments",
                                struct("v1.RequestedToCapacityRatioArguments")
                                        .and("shape", ArgumentTypes.SHAPE)
                                        .and("resources", new ListOf(ArgumentTypes.RESOURCE)));
        return struct("v1.Policy")
                .and("apiVersion", STRING)
                .and("kind", STRING)
                .and(
                        "predicates",
                        new ListOf(
                                struct("v1.PredicatePolicy")
                                        .and("name", STRING)
                                        .and("argument", predicateArgument)))
                .and(
                        "priorities",
                        new ListOf(
                                struct("v1.PriorityPolicy")
                                        .and("name", STRING)
                                        .and("weight", INT64)
                                        .and("argument", priorityArgument)))
                .and(
                        "extenders",
                        new ListOf(
                                extender("v1")
                                        .without("enableHTTPS")
                                        .and("enableHttps", BOOL)
                                        .and("httpTimeout", INT64)))
                .and("hardPodAffinitySymmetricWeight", INT32)
                .and("alwaysCheckAllPredicates", BOOL);
    }
}
