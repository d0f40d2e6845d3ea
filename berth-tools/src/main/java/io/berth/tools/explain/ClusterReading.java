package io.berth.tools.explain;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.engine.port.ClusterImage;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiException;
import io.berth.kube.client.ApiRequest;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.connection.ConfigException;
import io.berth.kube.connection.Connection;
import io.berth.kube.connection.Connections;
import io.berth.kube.connection.KubeConfig;
import io.berth.kube.read.ClusterLists;
import io.berth.lab.explain.ExplainException;
import io.berth.lab.explain.PriorityClass;
import io.berth.lab.explain.Source;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Reads a cluster through its API server, with the rights of whoever asks: pods and nodes are
/// needed, what else may not be read is told.
final class ClusterReading {
    private static final Set<Kind> SPREADING =
            Set.of(Kind.SERVICE, Kind.REPLICATION_CONTROLLER, Kind.REPLICA_SET, Kind.STATEFUL_SET);

    private static final String PRIORITY_CLASSES = "/apis/scheduling.k8s.io/v1/priorityclasses";
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(8);

    private final ExplainOptions options;
    private final Map<String, String> environment;
    private final Progress progress;
    private final List<String> uncertain = new ArrayList<>();

    ClusterReading(ExplainOptions options, Map<String, String> environment, Progress progress) {
        this.options = options;
        this.environment = environment;
        this.progress = progress;
    }

    /// @param kinds those that plugins look at
    /// @throws ExplainException where the cluster cannot be read
    ClusterFacts read(Set<Kind> kinds) {
        long begin = System.nanoTime();
        try {
            var config =
                    options.kubeconfig().isPresent()
                            ? KubeConfig.load(options.kubeconfig().get())
                            : KubeConfig.fromEnvironment(environment);
            var context = options.context().isEmpty() ? config.currentContext() : options.context();
            try (var client = new ApiClient(connection(config, context), clientOptions())) {
                return read(client, kinds, config.namespace(context), begin);
            }
        } catch (ConfigException unusable) {
            throw new ExplainException(String.valueOf(unusable.getMessage()), unusable);
        } finally {
            progress.done();
        }
    }

    private Connection connection(KubeConfig config, String context) {
        if (!config.isEmpty()) {
            return config.connection(context, null);
        }
        if (environment.containsKey("KUBERNETES_SERVICE_HOST")) {
            return Connections.resolve("", "", environment);
        }
        throw new ExplainException(
                "no cluster is configured: give --kubeconfig, set KUBECONFIG, or read a dump with --from FILE");
    }

    private static ClientOptions clientOptions() {
        var usual = ClientOptions.DEFAULT;
        return new ClientOptions(
                0,
                0,
                CONNECT_LIMIT,
                usual.requestTimeout(),
                usual.readIdle(),
                usual.pingTimeout(),
                ClientOptions.agent("explain"),
                usual.accept());
    }

    private ClusterFacts read(ApiClient client, Set<Kind> kinds, String namespace, long begin) {
        var lists = new ClusterLists(client);
        var objects = new ArrayList<ClusterObject>();
        String version = "";
        for (var kind : wanted(kinds)) {
            var listed = list(lists, kind, client);
            objects.addAll(listed.objects());
            if (kind == Kind.POD) {
                version = listed.resourceVersion();
            }
            if (listed.unreadable() > 0) {
                uncertain.add(
                        "%d of the %s could not be read and were left out"
                                .formatted(listed.unreadable(), kind.plural()));
            }
        }
        var classes = classes(client);
        var image = ClusterImage.of(objects);
        var sentence =
                String.format(
                        Locale.ROOT,
                        "cluster, %,d nodes and %,d pods read in %.1f s",
                        image.of(Kind.NODE).size(),
                        image.of(Kind.POD).size(),
                        (System.nanoTime() - begin) / 1e9);
        return new ClusterFacts(
                Source.Kind.CLUSTER, sentence, version, namespace, image, classes, uncertain);
    }

    private static Set<Kind> wanted(Set<Kind> kinds) {
        var all = new TreeSet<>(kinds);
        all.addAll(List.of(Kind.NODE, Kind.POD));
        return all;
    }

    private ClusterLists.Listed list(ClusterLists lists, Kind kind, ApiClient client) {
        try {
            return lists.list(kind, count -> progress.show(kind.plural(), count));
        } catch (ApiException refused) {
            if (refused.code() == 404 || refused.code() == 403 && isSpare(kind)) {
                if (refused.code() == 403) {
                    uncertain.add(
                            "you may not list %s: %s".formatted(kind.plural(), consequence(kind)));
                }
                return new ClusterLists.Listed(List.of(), "", 0);
            }
            throw failed(refused, kind, client);
        } catch (IOException broken) {
            throw new ExplainException(
                    "reading %s from %s broke off: %s"
                            .formatted(kind.plural(), client.server(), broken.getMessage()),
                    broken);
        }
    }

    private static boolean isSpare(Kind kind) {
        return kind != Kind.POD && kind != Kind.NODE;
    }

    private static String consequence(Kind kind) {
        if (kind == Kind.POD_DISRUPTION_BUDGET) {
            return "evictions are told without budgets";
        }
        if (kind == Kind.NAMESPACE) {
            return "terms that choose namespaces by labels are judged as if none matched";
        }
        return SPREADING.contains(kind)
                ? "default spreading is rated without it"
                : "filters that need them judge as if there were none";
    }

    private static ExplainException failed(ApiException refused, Kind kind, ApiClient client) {
        var sentence =
                switch (refused.code()) {
                    case 401 ->
                            "the cluster at %s does not know you: %s"
                                    .formatted(client.server(), refused.getMessage());
                    case 403 ->
                            "you may not list %s, without which nothing can be judged: %s; ask for list on pods and nodes, or read a dump with --from FILE"
                                    .formatted(kind.plural(), refused.getMessage());
                    default ->
                            "cannot read %s from the cluster at %s: %s"
                                    .formatted(
                                            kind.plural(), client.server(), refused.getMessage());
                };
        return new ExplainException(sentence, refused);
    }

    private List<PriorityClass> classes(ApiClient client) {
        try {
            return PriorityClasses.ofList(client.send(ApiRequest.get(PRIORITY_CLASSES)).body());
        } catch (ApiException refused) {
            if (refused.code() == 403) {
                uncertain.add("you may not list priorityclasses: higher priorities were not tried");
            }
            return List.of();
        }
    }
}
