package io.berth.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.apiserver.resource.ResourceType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/// The rules of `metadata`, the same for every kind but for the syntax of names.
final class MetadataValidation {
    private static final int MAX_ANNOTATION_BYTES = 256 * 1024;
    private static final List<String> STANDARD_FINALIZERS =
            List.of("kubernetes", "orphan", "foregroundDeletion");
    private static final List<String> IMMUTABLE =
            List.of(
                    "name",
                    "namespace",
                    "uid",
                    "creationTimestamp",
                    "deletionTimestamp",
                    "deletionGracePeriodSeconds");

    private MetadataValidation() {}

    static void check(ResourceType type, JsonNode metadata, Problems problems) {
        String generateName = metadata.path("generateName").asText("");
        if (!generateName.isEmpty()) {
            String stem = generateName.replaceFirst("-+$", "");
            problems.invalid("metadata.generateName", generateName, nameProblems(type, stem));
        }
        String name = metadata.path("name").asText("");
        if (name.isEmpty()) {
            problems.required("metadata.name", "name or generateName is required");
        } else {
            problems.invalid("metadata.name", name, nameProblems(type, name));
        }
        checkContent(type, metadata, problems);
    }

    /// What holds on updates too.
    static void checkUpdate(ResourceType type, JsonNode old, JsonNode metadata, Problems problems) {
        if (old.has("deletionTimestamp")) {
            requireNoNewFinalizers(old, metadata, problems);
        }
        for (String field : IMMUTABLE) {
            if (!old.path(field).equals(metadata.path(field))) {
                problems.invalid("metadata." + field, metadata.path(field), "field is immutable");
            }
        }
        checkContent(type, metadata, problems);
    }

    private static List<String> nameProblems(ResourceType type, String name) {
        return switch (type.builtInKind()) {
            case "Namespace", "Service", "StatefulSet" -> Names.dnsLabel(name);
            case "LeaseCandidate", "Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding" ->
                    Names.pathSegment(name);
            default -> Names.dnsSubdomain(name);
        };
    }

    private static void checkContent(ResourceType type, JsonNode metadata, Problems problems) {
        labels(metadata.path("labels"), "metadata.labels", problems);
        long size = 0;
        for (var entry : metadata.path("annotations").properties()) {
            problems.invalid(
                    "metadata.annotations", entry.getKey(), Names.annotationKey(entry.getKey()));
            size += bytes(entry.getKey()) + bytes(entry.getValue().asText());
        }
        if (size > MAX_ANNOTATION_BYTES) {
            problems.tooLong("metadata.annotations", MAX_ANNOTATION_BYTES);
        }
        finalizers(type, metadata.path("finalizers"), problems);
        ownerReferences(metadata.path("ownerReferences"), problems);
    }

    /// Keys and values of labels, or of a node selector.
    static void labels(JsonNode labels, String field, Problems problems) {
        for (var entry : labels.properties()) {
            problems.invalid(field, entry.getKey(), Names.labelKey(entry.getKey()));
            String value = entry.getValue().asText();
            problems.invalid(field, value, Names.labelValue(value));
        }
    }

    private static void finalizers(ResourceType type, JsonNode finalizers, Problems problems) {
        // Custom kinds are looked after by a server within the server, which lets more names pass.
        boolean anyName = type.custom() || type.group().equals("apiextensions.k8s.io");
        for (int i = 0; i < finalizers.size(); i++) {
            String name = finalizers.get(i).asText();
            problems.invalid("metadata.finalizers", name, Names.labelKey(name));
            if (!anyName && !name.contains("/") && !STANDARD_FINALIZERS.contains(name)) {
                problems.invalid(
                        "metadata.finalizers[" + i + "]",
                        name,
                        "name is neither a standard finalizer name nor is it fully qualified");
            }
        }
    }

    private static void ownerReferences(JsonNode references, Problems problems) {
        String field = "metadata.ownerReferences";
        String controller = "";
        for (JsonNode reference : references) {
            if (reference.path("apiVersion").asText("").isEmpty()) {
                problems.invalid(field + ".apiVersion", "", "version must not be empty");
            }
            for (String part : List.of("kind", "name", "uid")) {
                if (reference.path(part).asText("").isEmpty()) {
                    problems.invalid(field + "." + part, "", "must not be empty");
                }
            }
            if (reference.path("controller").asBoolean()) {
                String current =
                        reference.path("kind").asText() + "/" + reference.path("name").asText();
                if (!controller.isEmpty()) {
                    problems.invalid(
                            field,
                            references,
                            "Only one reference can have Controller set to true. Found \"true\" in"
                                    + " references for "
                                    + controller
                                    + " and "
                                    + current);
                }
                controller = current;
            }
        }
    }

    private static void requireNoNewFinalizers(JsonNode old, JsonNode metadata, Problems problems) {
        var before = old.path("finalizers").valueStream().map(JsonNode::asText).toList();
        var added =
                metadata.path("finalizers")
                        .valueStream()
                        .map(JsonNode::asText)
                        .filter(each -> !before.contains(each))
                        .toList();
        if (!added.isEmpty()) {
            problems.forbidden(
                    "metadata.finalizers",
                    "no new finalizers can be added if the object is being deleted, found new"
                            + " finalizers []string{"
                            + added.stream()
                                    .map(each -> '"' + each + '"')
                                    .collect(Collectors.joining(", "))
                            + "}");
        }
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
