package io.berth.up;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/// Pods that claim devices: two GPUs of one board, a quarter of one, a part of one's memory; and
/// one that takes whatever is there.
final class DeviceDemo {
    private static final String BOARD =
            """
            {"requests": [{"name": "gpus",
               "exactly": {"deviceClassName": "gpu.example.com", "count": 2}}],
             "constraints": [{"requests": ["gpus"], "matchAttribute": "gpu.example.com/board"}]}
            """;
    static final String WHOLE =
            """
            {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu.example.com"}}]}
            """;
    static final String QUARTER =
            """
            {"requests": [{"name": "gpu", "exactly": {
               "deviceClassName": "partition.gpu.example.com",
               "selectors": [{"cel": {"expression":
                 "device.attributes['gpu.example.com'].profile == 'quarter'"}}]}}]}
            """;
    static final String MEMORY =
            """
            {"requests": [{"name": "gpu", "exactly": {
               "deviceClassName": "shared.gpu.example.com",
               "capacity": {"requests": {"memory": "8Gi"}}}}]}
            """;
    private static final String ANY =
            """
            {"requests": [{"name": "gpu", "firstAvailable": [
               {"name": "whole", "deviceClassName": "gpu.example.com"},
               {"name": "part", "deviceClassName": "partition.gpu.example.com"}]}]}
            """;

    private DeviceDemo() {}

    static List<ObjectNode> create() {
        var objects = new ArrayList<ObjectNode>();
        objects.add(template("board", BOARD));
        objects.add(template("quarter", QUARTER));
        objects.add(template("memory", MEMORY));
        objects.add(template("any", ANY));
        for (String name : List.of("train-1", "train-2")) {
            objects.add(pod(name, "train", "board"));
        }
        objects.add(pod("notebook-1", "notebook", "quarter"));
        objects.add(pod("notebook-2", "notebook", "any"));
        for (String name : List.of("serve-1", "serve-2")) {
            objects.add(pod(name, "serve", "memory"));
        }
        return objects;
    }

    private static ObjectNode template(String name, String devices) {
        ObjectNode template = Json.object();
        template.put("apiVersion", "resource.k8s.io/v1").put("kind", "ResourceClaimTemplate");
        template.putObject("metadata").put("name", name).put("namespace", DemoWorkload.NAMESPACE);
        template.withObject("/spec/spec").set("devices", Json.parse(devices));
        return template;
    }

    /// A claim that is there without a template.
    static ObjectNode claim(String name, String devices) {
        ObjectNode claim = Json.object();
        claim.put("apiVersion", "resource.k8s.io/v1").put("kind", "ResourceClaim");
        claim.putObject("metadata").put("name", name).put("namespace", DemoWorkload.NAMESPACE);
        claim.withObject("/spec").set("devices", Json.parse(devices));
        return claim;
    }

    private static ObjectNode pod(String name, String app, String template) {
        return pod(
                name,
                app,
                Json.object().put("name", "gpu").put("resourceClaimTemplateName", template));
    }

    /// A pod with one claim, called `gpu`.
    static ObjectNode pod(String name, String app, ObjectNode claim) {
        return DemoWorkload.pod(
                name,
                app,
                """
                {
                  "resourceClaims": [%s],
                  "containers": [{
                    "name": "c", "image": "cuda:1",
                    "resources": {
                      "requests": {"cpu": "100m", "memory": "256Mi"},
                      "claims": [{"name": "gpu"}]
                    }
                  }]
                }
                """
                        .formatted(claim));
    }
}
