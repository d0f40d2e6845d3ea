package io.berth.config.schema;

import static io.berth.config.schema.Type.BOOL;
import static io.berth.config.schema.Type.BYTES;
import static io.berth.config.schema.Type.DURATION;
import static io.berth.config.schema.Type.FLOAT32;
import static io.berth.config.schema.Type.INT32;
import static io.berth.config.schema.Type.INT64;
import static io.berth.config.schema.Type.RAW;
import static io.berth.config.schema.Type.STRING;
import static io.berth.config.schema.Type.struct;

import io.berth.config.schema.Type.ListOf;
import io.berth.config.schema.Type.Struct;
import java.util.List;

/// `kubescheduler.config.k8s.io/v1`: the configuration itself (section 3.2 and 3.5 of the
/// contract).
public final class V1 {
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

    static final Struct LEADER_ELECTION =
            struct("v1alpha1.LeaderElectionConfiguration")
                    .and("leaderElect", BOOL)
                    .and("leaseDuration", DURATION)
                    .and("renewDeadline", DURATION)
                    .and("retryPeriod", DURATION)
                    .and("resourceLock", STRING)
                    .and("resourceName", STRING)
                    .and("resourceNamespace", STRING);

    static final Struct CLIENT_CONNECTION =
            struct("v1alpha1.ClientConnectionConfiguration")
                    .and("kubeconfig", STRING)
                    .and("acceptContentTypes", STRING)
                    .and("contentType", STRING)
                    .and("qps", FLOAT32)
                    .and("burst", INT32);

    static final Struct PLUGIN = struct("v1.Plugin").and("name", STRING).and("weight", INT32);

    static final Struct PLUGIN_SET =
            struct("v1.PluginSet")
                    .and("enabled", new ListOf(PLUGIN))
                    .and("disabled", new ListOf(PLUGIN));

    static final Struct PLUGIN_CONFIG =
            struct("v1.PluginConfig").and("name", STRING).and("args", RAW);

    static final Struct PLUGINS = plugins(POINTS);

    static final Struct PROFILE =
            struct("v1.KubeSchedulerProfile")
                    .and("schedulerName", STRING)
                    .and("percentageOfNodesToScore", INT32)
                    .and("plugins", PLUGINS)
                    .and("pluginConfig", new ListOf(PLUGIN_CONFIG));

    static final Struct TLS =
            struct("v1.ExtenderTLSConfig")
                    .and("insecure", BOOL)
                    .and("serverName", STRING)
                    .and("certFile", STRING)
                    .and("keyFile", STRING)
                    .and("caFile", STRING)
                    .and("certData", BYTES)
                    .and("keyData", BYTES)
                    .and("caData", BYTES);

    static final Struct EXTENDER =
            struct("v1.Extender")
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
                    .and(
                            "managedResources",
                            new ListOf(
                                    struct("v1.ExtenderManagedResource")
                                            .and("name", STRING)
                                            .and("ignoredByScheduler", BOOL)))
                    .and("ignorable", BOOL);

    public static final Struct CONFIGURATION =
            struct("v1.KubeSchedulerConfiguration")
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
                    .and("profiles", new ListOf(PROFILE))
                    .and("extenders", new ListOf(EXTENDER))
                    .and("delayCacheUntilActive", BOOL);

    private V1() {}

    static Struct plugins(List<String> points) {
        var plugins = struct("v1.Plugins");
        for (var point : points) {
            plugins = plugins.and(point, PLUGIN_SET);
        }
        return plugins;
    }
}
