package io.berth.up.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// A cluster as `kubectl get -o yaml` or `-o json` printed it: nodes and bound pods appear as they
/// are, pending pods wait to be placed.
///
/// @param objects in the order in which they can be created
public record Dump(List<ObjectNode> objects) {
    private static final List<String> ORDER =
            List.of(
                    "Namespace",
                    "PriorityClass",
                    "StorageClass",
                    "CSIDriver",
                    "DeviceClass",
                    "Node",
                    "CSINode",
                    "ResourceSlice",
                    "PersistentVolume",
                    "PersistentVolumeClaim",
                    "ResourceClaimTemplate",
                    "ResourceClaim");
    private static final List<String> SERVERS_OWN =
            List.of(
                    "uid",
                    "resourceVersion",
                    "generation",
                    "creationTimestamp",
                    "managedFields",
                    "selfLink",
                    "ownerReferences",
                    "finalizers");

    public Dump {
        objects = List.copyOf(objects);
    }

    /// Without reading it, which may take long.
    ///
    /// @throws FileProblem with a sentence
    public static void checkIsThere(Path file) {
        if (!Files.exists(file)) {
            throw new FileProblem("there is no file " + file + "; give the path of one");
        }
    }

    /// @throws FileProblem with a sentence
    public static Dump read(Path file) {
        var objects = new ArrayList<ObjectNode>();
        for (JsonNode document : Manifests.documents(Manifests.read(file), file.toString())) {
            Manifests.objects(document, file.toString()).stream()
                    .filter(Dump::isAlive)
                    .forEach(each -> objects.add(cleaned(each)));
        }
        if (objects.isEmpty()) {
            throw new FileProblem(
                    file + " holds no objects; make one with 'kubectl get nodes,pods -A -o yaml'");
        }
        addNamespaces(objects);
        objects.sort(Comparator.comparingInt(Dump::rank));
        return new Dump(objects);
    }

    private static int rank(ObjectNode object) {
        int rank = ORDER.indexOf(object.path("kind").asText());
        return rank < 0 ? ORDER.size() : rank;
    }

    /// What is over, or on its way out, is left behind.
    private static boolean isAlive(ObjectNode object) {
        String phase = object.path("status").path("phase").asText();
        return !object.path("metadata").has("deletionTimestamp")
                && !phase.equals("Succeeded")
                && !phase.equals("Failed")
                && !object.path("kind").asText().equals("Event");
    }

    /// Owners have other identities here; those that come along find their pods by label.
    private static ObjectNode cleaned(ObjectNode object) {
        if (object.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove(SERVERS_OWN);
        }
        return object;
    }

    private static void addNamespaces(List<ObjectNode> objects) {
        List<String> named =
                objects.stream()
                        .map(each -> each.path("metadata").path("namespace").asText(""))
                        .filter(name -> !name.isEmpty())
                        .distinct()
                        .toList();
        List<String> there =
                objects.stream()
                        .filter(each -> each.path("kind").asText().equals("Namespace"))
                        .map(each -> each.path("metadata").path("name").asText())
                        .toList();
        for (String name : named) {
            if (!there.contains(name)) {
                ObjectNode namespace = objects.getFirst().objectNode();
                namespace.put("apiVersion", "v1").put("kind", "Namespace");
                namespace.putObject("metadata").put("name", name);
                objects.add(namespace);
            }
        }
    }
}
