package io.berth.up;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/// The pods of the [Rehearsal]: those of the demo, many with all rules about other pods at once,
/// and some that claim devices.
///
/// The compiler keeps what it learned about a loop only where the loop ran often enough to be
/// compiled for good, which takes some hundred calls. One pod with all rules runs all loops.
final class RehearsalWorkload {
    private static final int DEMO = 200;
    private static final int RULED = 700;

    /// So many keep apart from each other: fewer than there are nodes.
    private static final int GROUP = 200;

    static final int PODS = DEMO + RULED;

    /// So many claim devices: half of them a whole one.
    static final int CLAIMING = 400;

    private RehearsalWorkload() {}

    static List<ObjectNode> create(int nodes) {
        var pods = new ArrayList<ObjectNode>();
        for (int i = 0; i < RULED; i++) {
            String group = "group-" + i / GROUP;
            pods.add(DemoWorkload.pod("ruled-" + i, group, rules(group)));
        }
        // These come last, since the last of them fits nowhere.
        pods.addAll(DemoWorkload.create(DEMO, nodes));
        return pods;
    }

    /// Claims, and then the pods that use them.
    static List<ObjectNode> claiming() {
        var claims = new ArrayList<ObjectNode>();
        var pods = new ArrayList<ObjectNode>();
        for (int i = 0; i < CLAIMING; i++) {
            String name = "claiming-" + i;
            claims.add(
                    switch (i % 4) {
                        case 0 -> DeviceDemo.claim(name, DeviceDemo.QUARTER);
                        case 1 -> DeviceDemo.claim(name, DeviceDemo.MEMORY);
                        default -> DeviceDemo.claim(name, DeviceDemo.WHOLE);
                    });
            pods.add(
                    DeviceDemo.pod(
                            name,
                            "claiming",
                            Json.object().put("name", "gpu").put("resourceClaimName", name)));
        }
        claims.addAll(pods);
        return claims;
    }

    private static String rules(String group) {
        return """
        {
          "containers": [{
            "name": "ruled", "image": "ruled:1",
            "resources": {"requests": {"cpu": "100m", "memory": "128Mi"}}
          }],
          "topologySpreadConstraints": [
            {
              "maxSkew": 5,
              "topologyKey": "topology.kubernetes.io/zone",
              "whenUnsatisfiable": "DoNotSchedule",
              "labelSelector": {"matchLabels": {"app": "%1$s"}}
            },
            {
              "maxSkew": 1,
              "topologyKey": "topology.kubernetes.io/zone",
              "whenUnsatisfiable": "ScheduleAnyway",
              "labelSelector": {"matchLabels": {"app": "%1$s"}}
            }
          ],
          "affinity": {
            "podAffinity": {
              "requiredDuringSchedulingIgnoredDuringExecution": [{
                "topologyKey": "kubernetes.io/os",
                "labelSelector": {"matchLabels": {"app": "%1$s"}}
              }],
              "preferredDuringSchedulingIgnoredDuringExecution": [{
                "weight": 10,
                "podAffinityTerm": {
                  "topologyKey": "topology.kubernetes.io/zone",
                  "labelSelector": {"matchLabels": {"app": "%1$s"}}
                }
              }]
            },
            "podAntiAffinity": {
              "requiredDuringSchedulingIgnoredDuringExecution": [{
                "topologyKey": "kubernetes.io/hostname",
                "labelSelector": {"matchLabels": {"app": "%1$s"}}
              }]
            }
          }
        }
        """
                .formatted(group);
    }
}
