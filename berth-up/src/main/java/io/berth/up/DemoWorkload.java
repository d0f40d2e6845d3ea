package io.berth.up;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/// Pods that show what a scheduler decides: some spread over zones, some that keep apart, some that
/// need a disk, and one that fits nowhere.
final class DemoWorkload {
    static final String NAMESPACE = "demo";
    static final int DEFAULT_PODS = 24;
    static final String TOO_BIG = "too-big";

    private final List<ObjectNode> pods = new ArrayList<>();

    private DemoWorkload() {}

    /// The wanted number of pods in a cluster of that many nodes. The one that fits nowhere comes
    /// last, so that its reason speaks of a cluster in use.
    static List<ObjectNode> create(int count, int nodes) {
        var workload = new DemoWorkload();
        int tooBig = count > 1 ? 1 : 0;
        int left = count - tooBig;
        // Those with hard rules stay few, so that all of them find a place.
        int cache = Math.min(left / 7, nodes / 2);
        int database = Math.min(left / 10, nodes / 4);
        left -= cache + database;
        int web = (left + 1) / 2;
        int backend = (left - web) / 2;
        int batch = left - web - backend;
        workload.add("web", web, WEB);
        workload.add("cache", cache, CACHE);
        workload.add("database", database, DATABASE);
        workload.add("backend", backend, BACKEND);
        workload.add("batch", batch, BATCH);
        if (tooBig == 1) {
            workload.pods.add(pod(TOO_BIG, TOO_BIG, HUGE));
        }
        return workload.pods;
    }

    static ObjectNode namespace() {
        return Json.parse(
                """
                {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "%s"}}
                """
                        .formatted(NAMESPACE));
    }

    private void add(String app, int count, String spec) {
        for (int i = 1; i <= count; i++) {
            pods.add(pod(app + "-" + i, app, spec));
        }
    }

    static ObjectNode pod(String name, String app, String spec) {
        ObjectNode pod =
                Json.parse(
                        """
                        {
                          "apiVersion": "v1",
                          "kind": "Pod",
                          "metadata": {
                            "name": "%s",
                            "namespace": "%s",
                            "labels": {"app": "%s"}
                          }
                        }
                        """
                                .formatted(name, NAMESPACE, app));
        pod.set("spec", Json.parse(spec));
        return pod;
    }

    /// Spreads evenly over zones.
    private static final String WEB =
            """
            {
              "containers": [{
                "name": "web", "image": "nginx:1.29",
                "resources": {"requests": {"cpu": "250m", "memory": "256Mi"}}
              }],
              "topologySpreadConstraints": [{
                "maxSkew": 1,
                "topologyKey": "topology.kubernetes.io/zone",
                "whenUnsatisfiable": "ScheduleAnyway",
                "labelSelector": {"matchLabels": {"app": "web"}}
              }]
            }
            """;

    /// Never two on one node.
    private static final String CACHE =
            """
            {
              "containers": [{
                "name": "cache", "image": "redis:8",
                "resources": {"requests": {"cpu": "500m", "memory": "2Gi"}}
              }],
              "affinity": {"podAntiAffinity": {
                "requiredDuringSchedulingIgnoredDuringExecution": [{
                  "topologyKey": "kubernetes.io/hostname",
                  "labelSelector": {"matchLabels": {"app": "cache"}}
                }]
              }}
            }
            """;

    /// Needs a local disk.
    private static final String DATABASE =
            """
            {
              "containers": [{
                "name": "database", "image": "postgres:18",
                "resources": {"requests": {"cpu": "1500m", "memory": "4Gi"}}
              }],
              "nodeSelector": {"disktype": "ssd"}
            }
            """;

    /// Likes to be in a zone with caches.
    private static final String BACKEND =
            """
            {
              "containers": [{
                "name": "backend", "image": "backend:1",
                "resources": {"requests": {"cpu": "400m", "memory": "512Mi"}}
              }],
              "affinity": {"podAffinity": {
                "preferredDuringSchedulingIgnoredDuringExecution": [{
                  "weight": 50,
                  "podAffinityTerm": {
                    "topologyKey": "topology.kubernetes.io/zone",
                    "labelSelector": {"matchLabels": {"app": "cache"}}
                  }
                }]
              }}
            }
            """;

    /// Goes anywhere.
    private static final String BATCH =
            """
            {
              "containers": [{
                "name": "batch", "image": "busybox:1",
                "resources": {"requests": {"cpu": "100m", "memory": "128Mi"}}
              }],
              "restartPolicy": "Never"
            }
            """;

    /// Fits on no simulated node.
    private static final String HUGE =
            """
            {
              "containers": [{
                "name": "huge", "image": "busybox:1",
                "resources": {"requests": {"cpu": "64", "memory": "8Gi"}}
              }]
            }
            """;
}
