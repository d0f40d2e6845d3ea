package io.berth.up;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.api.handle.Log;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiRequest;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.connection.KubeConfig;
import java.util.ArrayList;
import java.util.List;

/// A cluster with its page, as `berth up` starts them.
public final class PageOfCluster implements AutoCloseable {
    private final LocalCluster cluster;
    private final UpPage page;

    private PageOfCluster(LocalCluster cluster, UpPage page) {
        this.cluster = cluster;
        this.page = page;
        page.show(cluster::knowledge);
    }

    public static PageOfCluster start(int nodes, int pods, int port, Log log)
            throws InterruptedException {
        return start(nodes, pods, new UpPage(true, port), log);
    }

    /// Another one where a browser knew one before.
    public static PageOfCluster again(int nodes, int pods, int port, String key, Log log)
            throws InterruptedException {
        return start(nodes, pods, new UpPage(true, port, key), log);
    }

    private static PageOfCluster start(int nodes, int pods, UpPage page, Log log)
            throws InterruptedException {
        var options = UpOptions.simple(nodes, pods, 0, 3, true);
        return new PageOfCluster(LocalCluster.start(options, log, _ -> {}), page);
    }

    public String link() {
        return page.link();
    }

    public int port() {
        return Integer.parseInt(link().replaceAll(".*:(\\d+)/.*", "$1"));
    }

    public String key() {
        return link().replaceAll(".*key=", "");
    }

    /// Creates a pod that fits anywhere.
    public void createPod(String name) throws InterruptedException {
        create(List.of(pod(name, "")));
    }

    /// Creates pods that wait, each sort for another reason: what a cluster looks like on a bad
    /// day.
    ///
    /// @return how many
    public int createTrouble() throws InterruptedException {
        var pods = new ArrayList<ObjectNode>();
        for (int i = 0; i < 12; i++) {
            pods.add(pod("train-" + i, ", \"nodeSelector\": {\"disktype\": \"nvme\"}"));
        }
        for (int i = 0; i < 5; i++) {
            pods.add(
                    pod(
                            "index-" + i,
                            """
                            , "affinity": {"podAffinity": {
                              "requiredDuringSchedulingIgnoredDuringExecution": [{
                                "topologyKey": "topology.kubernetes.io/zone",
                                "labelSelector": {"matchLabels": {"app": "search"}}}]}}
                            """));
        }
        for (int i = 0; i < 3; i++) {
            pods.add(
                    pod(
                            "report-" + i,
                            ", \"schedulingGates\": [{\"name\": \"example.com/quota\"}]"));
        }
        create(pods);
        return pods.size();
    }

    private static ObjectNode pod(String name, String more) {
        return Json.parse(
                """
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s"},
                 "spec": {"containers": [{"name": "a", "image": "a"}]%s}}
                """
                        .formatted(name, more));
    }

    private void create(List<ObjectNode> pods) throws InterruptedException {
        try (var client = client()) {
            Creation.create(client, "/api/v1/namespaces/default/pods", pods);
        }
    }

    /// Has a node take no more pods.
    public void cordon(String node) {
        var change = Json.parse("{\"spec\": {\"unschedulable\": true}}");
        try (var client = client()) {
            client.send(
                    ApiRequest.patch(
                            "/api/v1/nodes/" + node,
                            "application/merge-patch+json",
                            Json.bytes(change)));
        }
    }

    private ApiClient client() {
        return new ApiClient(
                KubeConfig.load(cluster.kubeconfig()).connection(""), ClientOptions.DEFAULT);
    }

    @Override
    public void close() {
        page.close();
        cluster.close();
    }
}
