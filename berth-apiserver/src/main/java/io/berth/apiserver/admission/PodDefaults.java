package io.berth.apiserver.admission;

import static io.berth.apiserver.admission.Nodes.child;
import static io.berth.apiserver.admission.Nodes.fill;
import static io.berth.apiserver.admission.Nodes.fillZero;
import static io.berth.apiserver.admission.Nodes.objects;
import static io.berth.apiserver.admission.Nodes.with;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/// The defaults of pod specs: those that every pod template gets, and those of pods alone.
final class PodDefaults {
    private static final List<String> CONTAINER_LISTS =
            List.of("initContainers", "containers", "ephemeralContainers");
    private static final List<String> PROBES =
            List.of("livenessProbe", "readinessProbe", "startupProbe");

    private PodDefaults() {}

    /// What pods get on top of what templates get.
    static void pod(ObjectNode pod) {
        ObjectNode spec = child(pod, "spec");
        spec(spec);
        for (String list : List.of("initContainers", "containers")) {
            for (ObjectNode container : objects(spec, list)) {
                with(container, "resources", PodDefaults::requestsFromLimits);
                if (spec.path("hostNetwork").asBoolean()) {
                    objects(container, "ports")
                            .forEach(port ->
                                    fillZero(port, "hostPort", port.path("containerPort").asInt()));
                }
            }
        }
        with(spec, "resources", PodDefaults::requestsFromLimits);
        fill(spec, "enableServiceLinks", true);
    }

    /// What every pod spec gets, in pods and in templates.
    static void spec(ObjectNode spec) {
        for (String list : CONTAINER_LISTS) {
            objects(spec, list).forEach(PodDefaults::container);
        }
        objects(spec, "volumes").forEach(PodDefaults::volume);
        fill(spec, "restartPolicy", "Always");
        fill(spec, "terminationGracePeriodSeconds", 30);
        fill(spec, "dnsPolicy", "ClusterFirst");
        child(spec, "securityContext");
        fill(spec, "schedulerName", "default-scheduler");
        if (!Nodes.unset(spec, "serviceAccountName")) {
            fill(spec, "serviceAccount", spec.path("serviceAccountName").asText());
        }
    }

    /// The `spec` of a `template` field, if there is one.
    static void template(ObjectNode ownerSpec) {
        with(ownerSpec, "template", template -> spec(child(template, "spec")));
    }

    private static void container(ObjectNode container) {
        child(container, "resources");
        fill(container, "terminationMessagePath", "/dev/termination-log");
        fill(container, "terminationMessagePolicy", "File");
        fill(container, "imagePullPolicy", pullPolicy(container.path("image").asText("")));
        objects(container, "ports").forEach(port -> fill(port, "protocol", "TCP"));
        for (String probe : PROBES) {
            with(container, probe, PodDefaults::probe);
        }
        for (ObjectNode variable : objects(container, "env")) {
            with(variable, "valueFrom", from -> with(from, "fieldRef", PodDefaults::fieldRef));
        }
    }

    private static void probe(ObjectNode probe) {
        fillZero(probe, "timeoutSeconds", 1);
        fillZero(probe, "periodSeconds", 10);
        fillZero(probe, "successThreshold", 1);
        fillZero(probe, "failureThreshold", 3);
        with(
                probe,
                "httpGet",
                get -> {
                    fill(get, "path", "/");
                    fill(get, "scheme", "HTTP");
                });
    }

    private static void fieldRef(ObjectNode selector) {
        fill(selector, "apiVersion", "v1");
    }

    private static void volume(ObjectNode volume) {
        if (volume.size() <= 1) {
            volume.putObject("emptyDir");
        }
        for (String source : List.of("secret", "configMap", "downwardAPI", "projected")) {
            with(volume, source, found -> fill(found, "defaultMode", 420));
        }
        with(
                volume,
                "hostPath",
                path -> {
                    if (!path.has("type")) {
                        path.put("type", "");
                    }
                });
        with(
                volume,
                "ephemeral",
                ephemeral ->
                        with(
                                ephemeral,
                                "volumeClaimTemplate",
                                template ->
                                        fill(child(template, "spec"), "volumeMode", "Filesystem")));
    }

    /// `Always` for images that may change under their name: no tag, or `latest`.
    static String pullPolicy(String image) {
        if (image.contains("@")) {
            return "IfNotPresent";
        }
        int colon = image.lastIndexOf(':');
        boolean tagged = colon > image.lastIndexOf('/');
        return !tagged || image.endsWith(":latest") ? "Always" : "IfNotPresent";
    }

    private static void requestsFromLimits(ObjectNode resources) {
        with(
                resources,
                "limits",
                limits -> {
                    ObjectNode requests = child(resources, "requests");
                    limits.properties()
                            .forEach(limit -> {
                                if (!requests.has(limit.getKey())) {
                                    requests.set(limit.getKey(), limit.getValue());
                                }
                            });
                });
    }
}
