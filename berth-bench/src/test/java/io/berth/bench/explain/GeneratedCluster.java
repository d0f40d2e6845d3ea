package io.berth.bench.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Pod;
import io.berth.apiserver.patch.JsonPatch;
import io.berth.e2e.differential.scenario.About;
import io.berth.e2e.differential.scenario.ScenarioMaker;
import io.berth.e2e.differential.scenario.Vocabulary;
import io.berth.e2e.differential.scenario.VolumeMaker;
import io.berth.engine.port.ClusterImage;
import io.berth.kube.codec.AnyReader;
import io.berth.lab.explain.PriorityClass;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A cluster and a pod of the generator, as JSON and as an engine sees them. What an API server and
/// the controllers for claims would add is added here.
final class GeneratedCluster {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TEMPLATE = "ResourceClaimTemplate ";

    private final Map<String, ObjectNode> objects = new LinkedHashMap<>();
    private final String podKey;
    private final AnyReader reader = new AnyReader();

    GeneratedCluster(long seed, About about, int number) {
        var maker = new ScenarioMaker(seed, about);
        var pod = maker.pod(number).deepCopy();
        Vocabulary.furniture().forEach(this::put);
        maker.objects(number).forEach(this::put);
        podKey = put(withClaims(pod));
        objects.replaceAll((key, object) -> admitted(key, object));
    }

    private String put(ObjectNode object) {
        var key = key(object);
        objects.put(key, object.deepCopy());
        return key;
    }

    private static String key(JsonNode object) {
        var namespace = object.at("/metadata/namespace").asText("");
        return object.at("/kind").asText()
                + " "
                + (namespace.isEmpty() ? "" : namespace + "/")
                + object.at("/metadata/name").asText();
    }

    static List<PriorityClass> classes() {
        var classes = new ArrayList<PriorityClass>();
        for (var object : Vocabulary.furniture()) {
            if (object.at("/kind").asText().equals("PriorityClass")) {
                classes.add(
                        new PriorityClass(
                                object.at("/metadata/name").asText(),
                                object.at("/value").asInt(),
                                !object.at("/preemptionPolicy").asText("").equals("Never")));
            }
        }
        return classes;
    }

    /// A pod brings its claims for devices along; they become objects.
    private ObjectNode withClaims(ObjectNode pod) {
        var claims = pod.remove("claims");
        if (claims == null) {
            return pod;
        }
        ((ObjectNode) pod.at("/spec")).remove("schedulingGates");
        var statuses = JSON.createArrayNode();
        for (var claim : claims) {
            var name = "pod-" + claim.at("/name").asText();
            boolean isGenerated = claim.at("/generated").asBoolean();
            var object = JSON.createObjectNode();
            object.put("apiVersion", "resource.k8s.io/v1").put("kind", "ResourceClaim");
            var metadata = object.putObject("metadata");
            metadata.put("name", name).put("namespace", pod.at("/metadata/namespace").asText());
            object.set("spec", claim.get("spec"));
            for (var reference : pod.at("/spec/resourceClaims")) {
                if (reference.at("/name").equals(claim.at("/name"))) {
                    ((ObjectNode) reference)
                            .put(
                                    isGenerated ? "resourceClaimTemplateName" : "resourceClaimName",
                                    isGenerated ? "template-" + name : name);
                }
            }
            if (isGenerated) {
                metadata.set("ownerReferences", JSON.createArrayNode().add(owner()));
                statuses.addObject()
                        .put("name", claim.at("/name").asText())
                        .put("resourceClaimName", name);
                put(template(object));
            }
            put(object);
        }
        if (!statuses.isEmpty()) {
            pod.putObject("status").set("resourceClaimStatuses", statuses);
        }
        return pod;
    }

    private static ObjectNode owner() {
        return JSON.createObjectNode()
                .put("apiVersion", "v1")
                .put("kind", "Pod")
                .put("name", "pod")
                .put("uid", "pod")
                .put("controller", true);
    }

    private static ObjectNode template(ObjectNode claim) {
        var template = claim.deepCopy();
        template.put("kind", "ResourceClaimTemplate");
        ((ObjectNode) template.get("metadata"))
                .put("name", "template-" + claim.at("/metadata/name").asText())
                .remove("ownerReferences");
        template.set("spec", JSON.createObjectNode().set("spec", claim.get("spec").deepCopy()));
        return template;
    }

    /// What an API server would add.
    private ObjectNode admitted(String key, ObjectNode object) {
        var metadata = (ObjectNode) object.get("metadata");
        if (!metadata.has("uid")) {
            metadata.put("uid", key.equals(podKey) ? "pod" : key.replace(' ', '-'));
        }
        metadata.put("resourceVersion", "1");
        switch (object.at("/kind").asText()) {
            case "Pod" -> admitPod((ObjectNode) object.get("spec"));
            case "PersistentVolume" -> {
                if (object.at("/spec/claimRef/uid").asText().equals(VolumeMaker.UID_OF_CLAIM)) {
                    var reference = (ObjectNode) object.at("/spec/claimRef");
                    reference.put(
                            "uid",
                            "PersistentVolumeClaim-"
                                    + reference.at("/namespace").asText()
                                    + "/"
                                    + reference.at("/name").asText());
                }
            }
            case "ResourceClaim" ->
                    object.at("/spec/devices/requests")
                            .forEach(request -> {
                                admitAsk(request.path("exactly"));
                                request.path("firstAvailable").forEach(this::admitAsk);
                            });
            default -> {}
        }
        return object;
    }

    private void admitAsk(JsonNode ask) {
        if (ask instanceof ObjectNode fields) {
            if (!fields.has("allocationMode")) {
                fields.put("allocationMode", "ExactCount");
            }
            if (fields.at("/allocationMode").asText().equals("ExactCount")
                    && !fields.has("count")) {
                fields.put("count", 1);
            }
        }
    }

    private void admitPod(ObjectNode spec) {
        var priorityClass =
                objects.get("PriorityClass " + spec.at("/priorityClassName").asText(""));
        if (priorityClass != null) {
            spec.put("priority", priorityClass.at("/value").asInt());
            spec.put(
                    "preemptionPolicy",
                    priorityClass.at("/preemptionPolicy").asText("PreemptLowerPriority"));
        }
        for (var container : spec.path("containers")) {
            var resources = container.path("resources");
            if (resources instanceof ObjectNode fields && fields.has("limits")) {
                var requests = fields.withObjectProperty("requests");
                fields.get("limits")
                        .properties()
                        .forEach(limit -> requests.putIfAbsent(limit.getKey(), limit.getValue()));
            }
        }
    }

    Pod pod() {
        return (Pod) decoded(podKey);
    }

    ClusterImage image() {
        return image(Map.of());
    }

    /// The cluster with some objects as a patch makes them.
    private ClusterImage image(Map<String, ObjectNode> changed) {
        var all = new LinkedHashMap<>(objects);
        all.putAll(changed);
        var decoded = new ArrayList<ClusterObject>();
        all.forEach((_, object) -> read(object, decoded));
        return ClusterImage.of(decoded);
    }

    private ClusterObject decoded(String key) {
        var into = new ArrayList<ClusterObject>();
        var object = objects.get(key);
        if (object != null) {
            read(object, into);
        }
        return into.getFirst();
    }

    private void read(ObjectNode object, List<ClusterObject> into) {
        try {
            var bytes = object.toString().getBytes(StandardCharsets.UTF_8);
            var kind = reader.typeOf(bytes).known();
            if (kind.isPresent()) {
                into.add(reader.read(bytes, kind.get()).orElseThrow());
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /// The cluster after a patch as it is printed.
    ///
    /// @param target what it is for; empty for the pod
    ClusterImage patched(String target, String patch) {
        var key = target.isEmpty() ? podKey : target;
        var before = objects.get(key);
        if (before == null) {
            throw new IllegalArgumentException("there is no " + key);
        }
        JsonNode steps;
        try {
            steps = JSON.readTree(patch);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
        var changed = JsonPatch.apply(before, steps);
        if (key.startsWith("PersistentVolumeClaim ") && patch.contains("storageClassName")) {
            // Made anew: nobody has bound it yet, and no node was chosen for it.
            ((ObjectNode) changed.get("metadata")).put("uid", "again").remove("annotations");
            changed.putObject("status").put("phase", "Pending");
        }
        if (key.startsWith(TEMPLATE)) {
            return image(Map.of(generated(key), fromTemplate(key, changed)));
        }
        return image(Map.of(key, admitted(key, changed)));
    }

    private static String generated(String template) {
        return template.replace(TEMPLATE, "ResourceClaim ").replace("/template-", "/");
    }

    private ObjectNode fromTemplate(String template, ObjectNode changed) {
        var claim = objects.getOrDefault(generated(template), JSON.createObjectNode()).deepCopy();
        claim.set("spec", changed.at("/spec/spec"));
        return admitted(generated(template), claim);
    }
}
