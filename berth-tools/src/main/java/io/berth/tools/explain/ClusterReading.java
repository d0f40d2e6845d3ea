package io.berth.tools.explain;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.engine.port.ClusterImage;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiException;
import io.berth.kube.client.ApiRequest;
import io.berth.kube.read.ClusterLists;
import io.berth.lab.explain.ExplainException;
import io.berth.lab.explain.PriorityClass;
import io.berth.lab.explain.Source;
import io.berth.tools.cluster.ClusterAccess;
import io.berth.tools.cluster.Rights;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Reads a cluster through its API server, with the rights of whoever asks: pods and nodes are
/// needed, what else may not be read is told.
final class ClusterReading {
    private static final String PRIORITY_CLASSES = "/apis/scheduling.k8s.io/v1/priorityclasses";

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
            var access = ClusterAccess.find(options.kubeconfig(), options.context(), environment);
            try (var client = access.client("explain")) {
                return read(client, kinds, access.namespace(), begin);
            }
        } finally {
            progress.done();
        }
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
            if (refused.code() == 404 || refused.code() == 403 && Rights.isSpare(kind)) {
                if (refused.code() == 403) {
                    uncertain.add(
                            "you may not list %s: %s"
                                    .formatted(kind.plural(), Rights.consequence(kind)));
                }
                return new ClusterLists.Listed(List.of(), "", 0);
            }
            throw Rights.failed(
                    refused,
                    kind,
                    client,
                    "ask for list on pods and nodes, or read a dump with --from FILE");
        } catch (IOException broken) {
            throw new ExplainException(
                    "reading %s from %s broke off: %s"
                            .formatted(kind.plural(), client.server(), broken.getMessage()),
                    broken);
        }
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
