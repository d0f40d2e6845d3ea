package io.berth.ui;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.config.text.FieldsBuilder;
import io.berth.config.text.ObjectStream;
import io.berth.config.text.TextException;
import io.berth.config.text.Value;
import io.berth.kube.codec.AnyReader;
import io.berth.lab.explain.PlacementStudy;
import io.berth.lab.explain.PlacementStudy.Placement;
import io.berth.serving.http.Call;
import io.berth.serving.http.Endpoint;
import io.berth.serving.http.Reply;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// `POST /berth/v1/play`: where pods would go if they were created now, in thought. The body is
/// YAML or JSON: pods, nodes that there would be besides, and what makes pods of a template.
final class PlayPage implements Endpoint {
    static final int MOST_BYTES = 256 * 1024;
    static final int MOST_PODS = 200;
    static final int MOST_NODES = 200;

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Set<String> MAKERS =
            Set.of("Deployment", "ReplicaSet", "StatefulSet", "Job", "ReplicationController");

    private final Studies studies;

    PlayPage(Studies studies) {
        this.studies = studies;
    }

    /// What is wrong with the text.
    private static final class UnusableException extends Exception {
        private static final long serialVersionUID = 1L;

        UnusableException(String sentence) {
            super(sentence);
        }
    }

    @Override
    public Reply answer(Call call) {
        if (!call.method().equals("POST")) {
            return Reply.error(405, "method not allowed: send YAML with POST");
        }
        var body = call.body().get();
        if (body.length > MOST_BYTES) {
            return Reply.error(413, "more than " + MOST_BYTES / 1024 + " KiB of text");
        }
        var wishes = new Wishes();
        try {
            wishes.read(body);
        } catch (UnusableException unusable) {
            return MapPage.json(
                    Value.of("problem", Value.of(String.valueOf(unusable.getMessage()))));
        }
        return Answers.of(() ->
                studies.ask(study ->
                        MapPage.json(
                                json(
                                        new PlacementStudy(study).place(wishes.nodes, wishes.pods),
                                        wishes))));
    }

    private static Value json(List<Placement> placements, Wishes wishes) {
        return new FieldsBuilder()
                .put("pods", wishes.pods.size())
                .put("newNodes", wishes.nodes.size())
                .put("passedOver", Value.of(wishes.passedOver.stream().map(Value::of).toList()))
                .put(
                        "placements",
                        Value.of(
                                placements.stream()
                                        .map(one ->
                                                new FieldsBuilder()
                                                        .put("pod", one.pod())
                                                        .putIfSet("node", one.node())
                                                        .put("feasible", one.feasible())
                                                        .putIfSet("text", one.text())
                                                        .build())
                                        .toList()))
                .build();
    }

    /// What the text asks for.
    private static final class Wishes {
        private final List<Pod> pods = new ArrayList<>();
        private final List<Node> nodes = new ArrayList<>();
        private final List<String> passedOver = new ArrayList<>();
        private final AnyReader reader = new AnyReader();

        void read(byte[] body) throws UnusableException {
            try {
                ObjectStream.read(new ByteArrayInputStream(body), (json, _) -> add(json));
            } catch (TextException broken) {
                throw new UnusableException(broken.sentence());
            } catch (IOException broken) {
                throw new UnusableException(String.valueOf(broken.getMessage()));
            }
            if (pods.isEmpty()) {
                throw new UnusableException(
                        "there is no pod in it, and nothing that makes pods of a template");
            }
        }

        private void add(byte[] json) throws IOException {
            if (JSON.readTree(json) instanceof ObjectNode object) {
                var kind = object.path("kind").asText();
                if (kind.equals("Pod")) {
                    pod(object);
                } else if (kind.equals("Node")) {
                    limit(nodes.size(), MOST_NODES, "nodes");
                    if (object(object, Kind.NODE) instanceof Node node) {
                        nodes.add(node);
                    }
                } else if (MAKERS.contains(kind)) {
                    made(object, kind);
                } else if (!kind.isEmpty()) {
                    passedOver.add(kind);
                } else {
                    throw new IOException("an object has no kind");
                }
            }
        }

        private static void limit(int count, int most, String what) throws IOException {
            if (count >= most) {
                throw new IOException("more than " + most + " " + what);
            }
        }

        private void pod(ObjectNode object) throws IOException {
            limit(pods.size(), MOST_PODS, "pods");
            if (object.path("metadata") instanceof ObjectNode metadata) {
                if (!metadata.has("namespace")) {
                    metadata.put("namespace", "default");
                }
                metadata.put("uid", "play-" + pods.size());
            }
            if (object(object, Kind.POD) instanceof Pod pod) {
                pods.add(pod);
            }
        }

        /// So many pods as the object would have.
        private void made(ObjectNode object, String kind) throws IOException {
            var spec = object.path("spec");
            int count = spec.path(kind.equals("Job") ? "parallelism" : "replicas").asInt(1);
            var name = object.path("metadata").path("name").asText(kind.toLowerCase(Locale.ROOT));
            for (int i = 0; i < count; i++) {
                var pod = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "Pod");
                JsonNode template = spec.path("template");
                if (!template.isObject()) {
                    throw new IOException(kind + " " + name + " has no template");
                }
                var metadata =
                        template.path("metadata") instanceof ObjectNode given
                                ? given.deepCopy()
                                : JSON.createObjectNode();
                metadata.put("name", name + "-" + i);
                var namespace = object.path("metadata").path("namespace").asText("");
                if (!namespace.isEmpty()) {
                    metadata.put("namespace", namespace);
                }
                pod.set("metadata", metadata);
                pod.set("spec", template.path("spec"));
                pod(pod);
            }
        }

        private @Nullable ClusterObject object(ObjectNode tree, Kind kind) throws IOException {
            if (tree.path("metadata").path("name").asText().isEmpty()) {
                throw new IOException("a " + tree.path("kind").asText() + " has no metadata.name");
            }
            var read = reader.read(JSON.writeValueAsBytes(tree), kind);
            if (read.isEmpty()) {
                throw new IOException(
                        "the %s %s cannot be understood"
                                .formatted(
                                        tree.path("kind").asText(),
                                        tree.path("metadata").path("name").asText()));
            }
            return read.get();
        }
    }
}
