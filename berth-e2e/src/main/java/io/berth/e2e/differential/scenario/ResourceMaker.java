package io.berth.e2e.differential.scenario;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes containers: what they ask for, in every place where a pod may say so, images and ports.
final class ResourceMaker {
    private final Draw draw;
    private final Theme theme;

    /// Those that no container of the pod has yet.
    private List<Integer> freePorts = new ArrayList<>();

    ResourceMaker(Draw draw, Theme theme) {
        this.draw = draw;
        this.theme = theme;
    }

    /// Fills in containers and whatever else says how much a pod needs.
    void addTo(ObjectNode spec, boolean isSmall) {
        freePorts = new ArrayList<>(draw.some(List.of(80, 443, 8080), 3, 3));
        boolean isPodLevel = !isSmall && draw.percent(8);
        var containers = Json.array();
        for (int i = draw.percent(25) ? 2 : 1; i > 0; i--) {
            containers.add(container("main-" + i, isSmall || isPodLevel));
        }
        spec.set("containers", containers);
        if (draw.percent(20)) {
            spec.set("initContainers", initContainers());
        }
        if (draw.percent(6)) {
            spec.put("runtimeClassName", Vocabulary.RUNTIME_CLASS);
        }
        if (isPodLevel) {
            spec.set("resources", podLevel());
        }
        if (!isSmall && draw.percent(4)) {
            spec.put("hostNetwork", true);
        }
    }

    private ObjectNode container(String name, boolean isSmall) {
        var container = Json.object("name", name, "image", draw.oneOf(Vocabulary.IMAGES));
        if (draw.percent(theme.resources())) {
            container.set("resources", resources(isSmall));
        }
        if (draw.percent(theme.ports())) {
            container.set("ports", ports());
        }
        if (!isSmall && draw.percent(2)) {
            container.put("restartPolicy", "Never");
            container.set(
                    "restartPolicyRules",
                    Json.array(
                            Json.object(
                                    "action",
                                    "RestartAllContainers",
                                    "exitCodes",
                                    Json.object("operator", "In", "values", Json.array(42)))));
        }
        return container;
    }

    private ArrayNode initContainers() {
        var result = Json.array();
        for (int i = draw.between(1, 3); i > 0; i--) {
            var container = container("init-" + i, true);
            if (draw.percent(40)) {
                container.remove("restartPolicyRules");
                container.put("restartPolicy", "Always");
            }
            result.add(container);
        }
        return result;
    }

    private ObjectNode resources(boolean isSmall) {
        var requests = Json.object();
        var limits = Json.object();
        if (draw.percent(80)) {
            requests.put(
                    "cpu",
                    isSmall
                            ? draw.oneOf("0", "50m", "100m", "250m", "500m")
                            : theme.isTight()
                                    ? draw.oneOf("300m", "500m", "800m", "1")
                                    : draw.oneOf(
                                            "1m", "100m", "300m", "750m", "1", "1500m", "3", "7"));
        }
        if (draw.percent(70)) {
            requests.put(
                    "memory",
                    isSmall
                            ? draw.oneOf("0", "64Mi", "100M", "256Mi", "500Mi")
                            : theme.isTight()
                                    ? draw.oneOf("200M", "500Mi", "800Mi")
                                    : draw.oneOf(
                                            "1", "128Mi", "600M", "1Gi", "1500Mi", "3Gi", "6Gi"));
        }
        if (draw.percent(12)) {
            requests.put("ephemeral-storage", draw.oneOf("1Gi", "4Gi", "15G"));
        }
        if (draw.percent(10)) {
            both(requests, limits, "example.com/gpu", draw.oneOf("0", "1", "2"));
        }
        if (draw.percent(4)) {
            both(requests, limits, "example.com/fpga", "1");
        }
        if (draw.percent(4) && (requests.has("cpu") || requests.has("memory"))) {
            both(requests, limits, "hugepages-2Mi", draw.oneOf("4Mi", "100Mi"));
        }
        if (draw.percent(15)) {
            // Limits alone become requests.
            for (var name : List.of("cpu", "memory")) {
                if (requests.has(name) && !requests.get(name).asText().equals("0")) {
                    limits.set(name, requests.remove(name));
                }
            }
        }
        return Json.object(
                "requests",
                requests.isEmpty() ? null : requests,
                "limits",
                limits.isEmpty() ? null : limits);
    }

    private static void both(ObjectNode requests, ObjectNode limits, String name, String amount) {
        requests.put(name, amount);
        limits.put(name, amount);
    }

    /// Large enough for small containers; the API server refuses less than their sum.
    private ObjectNode podLevel() {
        var requests = Json.object();
        if (draw.percent(70)) {
            requests.put("cpu", draw.oneOf("2", "3", "15"));
        }
        if (draw.percent(70) || requests.isEmpty()) {
            requests.put("memory", draw.oneOf("2Gi", "3Gi", "14Gi"));
        }
        return Json.object("requests", requests);
    }

    private ArrayNode ports() {
        var ports = Json.array();
        for (int i = Math.min(freePorts.size(), draw.between(1, 2)); i > 0; i--) {
            int number = freePorts.removeLast();
            ports.add(
                    Json.object(
                            "containerPort",
                            number,
                            "hostPort",
                            number,
                            "protocol",
                            protocol(),
                            "hostIP",
                            draw.percent(40)
                                    ? draw.oneOf("0.0.0.0", "127.0.0.1", "10.1.2.3")
                                    : null));
        }
        return ports;
    }

    private @Nullable String protocol() {
        return draw.percent(30) ? draw.oneOf("TCP", "UDP", "SCTP") : null;
    }
}
