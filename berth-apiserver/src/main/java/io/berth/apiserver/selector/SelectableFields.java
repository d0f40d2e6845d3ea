package io.berth.apiserver.selector;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.apiserver.json.Json;
import io.berth.apiserver.resource.ResourceType;
import io.berth.apiserver.status.ApiErrors;
import java.util.List;
import java.util.Map;

/// The fields of a kind that a field selector may ask for, besides `metadata.name` and
/// `metadata.namespace`.
public final class SelectableFields {
    private static final List<String> POD =
            List.of(
                    "spec.nodeName",
                    "spec.restartPolicy",
                    "spec.schedulerName",
                    "spec.serviceAccountName",
                    "spec.hostNetwork",
                    "status.phase",
                    "status.podIP",
                    "status.nominatedNodeName");
    private static final List<String> EVENT =
            List.of(
                    "involvedObject.kind",
                    "involvedObject.namespace",
                    "involvedObject.name",
                    "involvedObject.uid",
                    "involvedObject.apiVersion",
                    "involvedObject.resourceVersion",
                    "involvedObject.fieldPath",
                    "reason",
                    "reportingComponent",
                    "source",
                    "type");
    private static final Map<String, List<String>> BY_KIND =
            Map.of(
                    "Pod", POD,
                    "Event", EVENT,
                    "Node", List.of("spec.unschedulable"),
                    "Namespace", List.of("status.phase"),
                    "Secret", List.of("type"),
                    "Service", List.of("spec.clusterIP", "spec.type"),
                    "ReplicationController", List.of("status.replicas"),
                    "ResourceSlice", List.of("spec.nodeName", "spec.driver"));

    /// Kinds whose fields are checked by their own rule and so are refused with its words.
    private static final List<String> SHORT_REFUSAL =
            List.of(
                    "Pod",
                    "Event",
                    "Node",
                    "Namespace",
                    "Secret",
                    "Service",
                    "ReplicationController");

    private SelectableFields() {}

    /// The names of a kind's fields in a fixed order, the order of [#values].
    public static List<String> names(ResourceType type) {
        return BY_KIND.getOrDefault(type.builtInKind(), List.of());
    }

    public static String[] values(ResourceType type, JsonNode object) {
        return names(type).stream().map(n -> value(n, object)).toArray(String[]::new);
    }

    private static String value(String name, JsonNode object) {
        String text = Json.text(object, name);
        return switch (name) {
            case "spec.unschedulable", "spec.hostNetwork" -> text.isEmpty() ? "false" : text;
            case "status.replicas" -> text.isEmpty() ? "0" : text;
            case "source" -> {
                String component = Json.text(object, "source.component");
                yield component.isEmpty() ? Json.text(object, "reportingComponent") : component;
            }
            default -> text;
        };
    }

    /// The selector in terms of [#names], or a refusal of fields that the kind does not offer.
    public static FieldSelector checked(ResourceType type, FieldSelector selector) {
        return selector.mapFields(label -> translate(type, label));
    }

    private static String translate(ResourceType type, String label) {
        String field = label;
        if (type.builtInKind().equals("Pod") && label.equals("spec.host")) {
            field = "spec.nodeName";
        } else if (type.group().equals("events.k8s.io")) {
            field = eventField(label);
        }
        boolean namespaceField = field.equals("metadata.namespace");
        // A namespace and a node have no namespace to select by; other cluster kinds let it pass.
        if (namespaceField
                && (type.builtInKind().equals("Namespace") || type.builtInKind().equals("Node"))) {
            throw unsupported(type, label);
        }
        if (field.equals("metadata.name") || namespaceField || names(type).contains(field)) {
            return field;
        }
        throw unsupported(type, label);
    }

    private static String eventField(String label) {
        if (label.equals("reportingController")) {
            return "reportingComponent";
        }
        if (label.startsWith("regarding.")) {
            return "involvedObject." + label.substring("regarding.".length());
        }
        // The other group's names do not exist in this one.
        return label.startsWith("involvedObject.")
                        || label.equals("reportingComponent")
                        || label.equals("source")
                ? "unknown"
                : label;
    }

    private static RuntimeException unsupported(ResourceType type, String label) {
        if (SHORT_REFUSAL.contains(type.builtInKind())) {
            return ApiErrors.badRequest("field label not supported: " + label);
        }
        if (type.builtInKind().equals("ResourceSlice")) {
            return ApiErrors.badRequest(
                    "field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: "
                            + label);
        }
        return ApiErrors.badRequest(
                "\""
                        + label
                        + "\" is not a known field selector: only \"metadata.name\","
                        + " \"metadata.namespace\"");
    }
}
