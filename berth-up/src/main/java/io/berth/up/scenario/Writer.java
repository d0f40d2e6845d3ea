package io.berth.up.scenario;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.resource.ResourceTable;
import io.berth.apiserver.resource.ResourceType;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiException;
import io.berth.kube.client.ApiRequest;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Writes a scenario's objects to a cluster, as many clients would.
public final class Writer {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String MERGE = "application/merge-patch+json";
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final int INVALID = 422;
    private static final int AT_ONCE = 16;

    private final ApiClient client;

    public Writer(ApiClient client) {
        this.client = client;
    }

    /// Creates objects, kind after kind as they come; one that is there is changed.
    ///
    /// @throws FileProblem if one of them is refused
    public void apply(List<ObjectNode> objects) throws InterruptedException {
        int from = 0;
        for (int i = 1; i <= objects.size(); i++) {
            boolean last =
                    i == objects.size() || !kind(objects.get(i)).equals(kind(objects.get(from)));
            if (last) {
                together(objects.subList(from, i));
                from = i;
            }
        }
    }

    private static String kind(ObjectNode object) {
        return object.path("kind").asText();
    }

    private void together(List<ObjectNode> objects) throws InterruptedException {
        try (var threads = Executors.newFixedThreadPool(AT_ONCE, Thread.ofVirtual().factory())) {
            List<Future<?>> running =
                    objects.stream()
                            .<Future<?>>map(each -> threads.submit(() -> apply(each)))
                            .toList();
            for (Future<?> each : running) {
                each.get();
            }
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(failed);
        }
    }

    private void apply(ObjectNode object) {
        String path = path(object);
        String name = object.path("metadata").path("name").asText("");
        try {
            client.send(ApiRequest.create(path, bytes(object)));
        } catch (ApiException refused) {
            // A part of an object is enough to change it, and too little to create it.
            boolean mayBeThere = refused.code() == CONFLICT || refused.code() == INVALID;
            if (!mayBeThere || name.isEmpty() || !isThere(path + "/" + name)) {
                throw refusal(object, refused);
            }
            change(object, path + "/" + name);
        }
    }

    private void change(ObjectNode object, String path) {
        try {
            client.send(ApiRequest.patch(path, MERGE, bytes(object)));
        } catch (ApiException refused) {
            throw refusal(object, refused);
        }
    }

    private boolean isThere(String path) {
        try {
            client.send(ApiRequest.get(path));
            return true;
        } catch (ApiException answer) {
            if (answer.code() == NOT_FOUND) {
                return false;
            }
            throw answer;
        }
    }

    private static FileProblem refusal(ObjectNode object, ApiException refused) {
        return new FileProblem(
                "%s %s was refused: %s"
                        .formatted(
                                kind(object),
                                object.path("metadata").path("name").asText(),
                                refused.getMessage()));
    }

    private static String path(ObjectNode object) {
        String apiVersion = object.path("apiVersion").asText();
        ResourceType type =
                ResourceTable.ALL.stream()
                        .filter(each ->
                                each.apiVersion().equals(apiVersion)
                                        && each.kind().equals(kind(object)))
                        .findFirst()
                        .orElseThrow(() ->
                                new FileProblem(
                                        "%s of %s is not known to this cluster; leave it out"
                                                .formatted(kind(object), apiVersion)));
        String root = type.group().isEmpty() ? "/api/v1" : "/apis/" + apiVersion;
        String namespace = object.path("metadata").path("namespace").asText("default");
        return type.namespaced()
                ? root + "/namespaces/" + namespace + "/" + type.plural()
                : root + "/" + type.plural();
    }

    void scale(String plural, String name, int replicas) {
        ObjectNode patch = MAPPER.createObjectNode();
        patch.putObject("spec").put("replicas", replicas);
        client.send(
                ApiRequest.patch(
                        "/apis/apps/v1/namespaces/default/" + plural + "/" + name,
                        MERGE,
                        bytes(patch)));
    }

    void delete(String plural, String name) {
        ObjectNode options = MAPPER.createObjectNode().put("propagationPolicy", "Background");
        client.send(
                ApiRequest.delete(
                        "/apis/apps/v1/namespaces/default/" + plural + "/" + name, bytes(options)));
    }

    /// Nodes with a label fall silent, or go.
    void lose(String label, String value, boolean gone) {
        for (JsonNode node : list("/api/v1/nodes", label + "=" + value)) {
            String path = "/api/v1/nodes/" + node.path("metadata").path("name").asText();
            if (gone) {
                client.send(ApiRequest.delete(path, null));
            } else {
                ObjectNode patch = MAPPER.createObjectNode();
                patch.putObject("status")
                        .putArray("conditions")
                        .addObject()
                        .put("type", "Ready")
                        .put("status", "Unknown")
                        .put("reason", "NodeStatusUnknown")
                        .put("message", "Kubelet stopped posting node status.");
                client.send(
                        ApiRequest.patch(
                                path + "/status", ApiRequest.STRATEGIC_MERGE_PATCH, bytes(patch)));
            }
        }
    }

    JsonNode list(String path, String selector) {
        String query =
                selector.isEmpty()
                        ? ""
                        : "?labelSelector="
                                + java.net.URLEncoder.encode(
                                        selector, java.nio.charset.StandardCharsets.UTF_8);
        try {
            return MAPPER.readTree(client.send(ApiRequest.get(path + query)).text()).path("items");
        } catch (JsonProcessingException notJson) {
            throw new IllegalStateException("The API server answered no JSON", notJson);
        }
    }

    private static byte[] bytes(ObjectNode tree) {
        try {
            return MAPPER.writeValueAsBytes(tree);
        } catch (JsonProcessingException mistake) {
            throw new IllegalStateException("A tree cannot be written", mistake);
        }
    }
}
