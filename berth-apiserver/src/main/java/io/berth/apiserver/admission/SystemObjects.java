package io.berth.apiserver.admission;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Stream;

/// What a fresh cluster holds: the namespaces and priority classes that an API server creates when
/// it starts.
public final class SystemObjects {
    private SystemObjects() {}

    public static List<ObjectNode> namespaces() {
        return Stream.of("default", "kube-system", "kube-public", "kube-node-lease")
                .map(name -> object("v1", "Namespace", name))
                .toList();
    }

    public static List<ObjectNode> priorityClasses() {
        return List.of(
                priorityClass("system-cluster-critical", 2_000_000_000),
                priorityClass("system-node-critical", 2_000_001_000));
    }

    private static ObjectNode priorityClass(String name, int value) {
        ObjectNode object = object("scheduling.k8s.io/v1", "PriorityClass", name);
        String place = name.equals("system-node-critical") ? "node" : "cluster";
        return object.put("value", value)
                .put("description", "For pods that the " + place + " cannot run without.")
                .put("preemptionPolicy", "PreemptLowerPriority");
    }

    private static ObjectNode object(String apiVersion, String kind, String name) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("apiVersion", apiVersion).put("kind", kind);
        object.putObject("metadata").put("name", name);
        return object;
    }
}
