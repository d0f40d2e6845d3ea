package io.berth.tools.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.EmbeddedApiServer;
import io.berth.apiserver.patch.JsonPatch;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiRequest;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.connection.KubeConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Patches as they are printed, applied to pods as an API server has them: each gets its pod a
/// place.
final class PatchesTest {
    private static final String NODES = "/api/v1/nodes";
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final ObjectMapper JSON = new ObjectMapper();

    /// By name: what a pod has in its spec beside its container's name and image.
    private static final Map<String, String> WISHES =
            Map.of(
                    "cpu",
                            "'containers': [{'name': 'c', 'image': 'i', 'resources': {'requests': {'cpu': '3'}}}], 'nodeSelector': {'pool': 'web'}",
                    "gpu",
                            "'containers': [{'name': 'c', 'image': 'i', 'resources': {'requests': {'example.com/gpu': '8'}, 'limits': {'example.com/gpu': '8'}}}]",
                    "selector", "'nodeSelector': {'example.com/disk': 'nvme', 'pool': 'web'}",
                    "affinity",
                            "'affinity': {'nodeAffinity': {'requiredDuringSchedulingIgnoredDuringExecution': {'nodeSelectorTerms': [{'matchExpressions': [{'key': 'pool', 'operator': 'In', 'values': ['db']}, {'key': 'zone', 'operator': 'Exists'}]}]}}}",
                    "taint", "'nodeSelector': {'pool': 'batch'}",
                    "near",
                            "'affinity': {'podAffinity': {'requiredDuringSchedulingIgnoredDuringExecution': [{'labelSelector': {'matchLabels': {'app': 'cache'}}, 'topologyKey': 'kubernetes.io/hostname'}]}}",
                    "away",
                            "'affinity': {'podAntiAffinity': {'requiredDuringSchedulingIgnoredDuringExecution': [{'labelSelector': {'matchLabels': {'app': 'base'}}, 'topologyKey': 'cluster'}]}}",
                    "port",
                            "'nodeSelector': {'zone': 'a'}, 'containers': [{'name': 'c', 'image': 'i', 'ports': [{'containerPort': 80}, {'containerPort': 81, 'hostPort': 8080}]}]",
                    "spread",
                            "'nodeSelector': {'zone': 'a'}, 'topologySpreadConstraints': [{'maxSkew': 1, 'minDomains': 5, 'topologyKey': 'zone', 'whenUnsatisfiable': 'DoNotSchedule', 'labelSelector': {'matchLabels': {'app': 'base'}}}]");

    @TempDir Path folder;

    @Test
    void everyPrintedPatchGetsItsPodAPlace() throws IOException {
        try (var server = EmbeddedApiServer.start(EmbeddedApiServer.Options.DEFAULT)) {
            var file = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
            try (var client =
                    new ApiClient(
                            KubeConfig.load(file).connection(""),
                            ClientOptions.DEFAULT.withRate(-1, 0))) {
                fill(client);
                var words = new HashSet<String>();
                for (var name : WISHES.keySet().stream().sorted().toList()) {
                    words.addAll(tryAll(name, client, file.toString()));
                }
                assertThat(words).contains("request", "drop", "allow", "tolerate", "spread");
            }
        }
    }

    private static void fill(ApiClient client) {
        node(client, "web-1", "a", "web", "");
        node(client, "web-2", "b", "web", "");
        node(
                client,
                "batch-1",
                "b",
                "batch",
                "{'key': 'only', 'value': 'batch', 'effect': 'NoSchedule'}");
        pod(
                client,
                "base-1",
                "base",
                "'nodeName': 'web-1', 'containers': [{'name': 'c', 'image': 'i', 'ports': [{'containerPort': 8080, 'hostPort': 8080}], 'resources': {'requests': {'cpu': '2'}}}]");
        pod(
                client,
                "base-2",
                "base",
                "'nodeName': 'web-2', 'containers': [{'name': 'c', 'image': 'i', 'resources': {'requests': {'cpu': '2'}}}]");
    }

    private static void node(
            ApiClient client, String name, String zone, String pool, String taint) {
        create(
                client,
                NODES,
                """
                {'metadata': {'name': '%s', 'labels': {'kubernetes.io/hostname': '%s', 'zone': '%s',
                  'pool': '%s', 'cluster': 'one'}}, 'spec': {'taints': [%s]},
                 'status': {'allocatable': {'cpu': '4', 'memory': '8Gi', 'pods': '10',
                  'example.com/gpu': '4'}}}
                """
                        .formatted(name, name, zone, pool, taint));
    }

    private static void pod(ApiClient client, String name, String app, String spec) {
        var containers =
                spec.contains("'containers'")
                        ? ""
                        : ", 'containers': [{'name': 'c', 'image': 'i'}]";
        create(
                client,
                PODS,
                "{'metadata': {'name': '%s', 'labels': {'app': '%s'}}, 'spec': {%s%s}}"
                        .formatted(name, app, spec, containers));
    }

    /// Most fields of a pod cannot be changed, so it is made anew, as the server has it.
    private static void recreate(ApiClient client, String name, String copy, JsonNode patch)
            throws IOException {
        var original =
                (ObjectNode) JSON.readTree(client.send(ApiRequest.get(PODS + "/" + name)).body());
        var patched = JsonPatch.apply(original, patch);
        var labels = patched.at("/metadata/labels");
        patched.remove("status");
        patched.putObject("metadata").put("name", copy).set("labels", labels);
        client.send(ApiRequest.create(PODS, JSON.writeValueAsBytes(patched)));
    }

    private static void create(ApiClient client, String path, String json) {
        client.send(
                ApiRequest.create(path, json.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
    }

    /// Tries all patches for a pod, each on a pod of its own that is like it.
    ///
    /// @return the first words of what was tried
    private static List<String> tryAll(String name, ApiClient client, String kubeconfig)
            throws IOException {
        var wishes = WISHES.getOrDefault(name, "");
        pod(client, name, "base", wishes);
        var told =
                JSON.readTree(Run.of("pod", name, "--kubeconfig", kubeconfig, "-o", "json").out());
        assertThat(told.at("/counts/feasible").asInt()).as(name).isZero();
        var words = new ArrayList<String>();
        for (JsonNode fix : told.path("fixes")) {
            if (fix.has("patch") && fix.path("who").asText().equals("owner")) {
                var copy = name + "-" + fix.path("id").asInt();
                recreate(client, name, copy, fix.path("patch"));
                var patched =
                        JSON.readTree(
                                Run.of("pod", copy, "--kubeconfig", kubeconfig, "-o", "json")
                                        .out());
                assertThat(patched.at("/counts/feasible").asInt())
                        .as("%s: %s", name, fix)
                        .isEqualTo(fix.path("nodes").asInt());
                words.add(fix.path("sentence").asText().split(" ", -1)[0]);
            }
        }
        assertThat(words).as(told.toPrettyString()).isNotEmpty();
        return words;
    }
}
