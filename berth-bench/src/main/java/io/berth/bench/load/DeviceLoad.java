package io.berth.bench.load;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/// Devices beside a workload's nodes, and what its pods claim of them. Objects are JSON, as they
/// are sent. Claims are there before the scheduler starts, as if made from a template.
///
/// @param classes device classes
/// @param slices those of the i-th node
/// @param claim what the i-th pod claims; empty where a pod asks by an extended resource
/// @param takenPerNode how many devices of each node are allocated already
record DeviceLoad(
        List<String> classes, IntFunction<List<String>> slices, String claim, int takenPerNode) {
    static final DeviceLoad NONE = new DeviceLoad(List.of(), _ -> List.of(), "", 0);

    static final String CLAIM_NAME = "gpu";

    private static final String DRIVER = "gpu.example.com";
    private static final int DEVICES = 10;
    private static final int CLASSES = 25;
    private static final int SHARED = 4;
    private static final int COUNTER_SETS = 4;

    DeviceLoad {
        classes = List.copyOf(classes);
    }

    boolean isNone() {
        return classes.isEmpty();
    }

    /// Ten devices on a node, one for a pod.
    static DeviceLoad whole(int takenPerNode) {
        return new DeviceLoad(
                List.of(deviceClass("gpu", "")),
                DeviceLoad::wholes,
                request("\"deviceClassName\":\"gpu\""),
                takenPerNode);
    }

    /// The same by extended resources of many classes; see [#resource].
    static DeviceLoad extended() {
        List<String> classes =
                IntStream.range(0, CLASSES)
                        .mapToObj(i ->
                                deviceClass(
                                        "gpu-" + i,
                                        ",\"extendedResourceName\":\"" + resource(i) + "\""))
                        .toList();
        return new DeviceLoad(classes, DeviceLoad::wholes, "", 0);
    }

    /// The extended resource that the i-th pod asks for.
    static String resource(int i) {
        return "example.com/gpu-" + i % CLASSES;
    }

    /// Counters of which devices of two sizes take one or two; a pod claims one of each size.
    static DeviceLoad partitionable() {
        String claim =
                """
                {"requests":[
                  {"name":"small","exactly":{"deviceClassName":"gpu","selectors":[{"cel":{
                    "expression":"device.attributes['%1$s'].counters == 1"}}]}},
                  {"name":"large","exactly":{"deviceClassName":"gpu","selectors":[{"cel":{
                    "expression":"device.attributes['%1$s'].counters == 2"}}]}}]}
                """
                        .formatted(DRIVER);
        return new DeviceLoad(List.of(deviceClass("gpu", "")), DeviceLoad::partitions, claim, 0);
    }

    /// Devices that many use at once; a pod claims a tenth of one's memory.
    static DeviceLoad consumable() {
        return new DeviceLoad(
                List.of(deviceClass("gpu", "")),
                DeviceLoad::shared,
                request(
                        "\"deviceClassName\":\"gpu\",\"capacity\":{\"requests\":{\"memory\":\"8Gi\"}}"),
                0);
    }

    private static String request(String exactly) {
        return "{\"requests\":[{\"name\":\"r\",\"exactly\":{" + exactly + "}}]}";
    }

    private static String deviceClass(String name, String more) {
        return """
        {"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"%s"},
         "spec":{"selectors":[{"cel":{"expression":"device.driver == '%s'"}}]%s}}
        """
                .formatted(name, DRIVER, more);
    }

    private static List<String> wholes(int node) {
        List<String> devices =
                IntStream.range(0, DEVICES)
                        .mapToObj(i ->
                                "{\"name\":\"d%1$d\",\"attributes\":{\"index\":{\"int\":%1$d}}}"
                                        .formatted(i))
                        .toList();
        return List.of(slice(node, "devices", 1, devices));
    }

    private static List<String> partitions(int node) {
        var sets = new ArrayList<String>();
        var devices = new ArrayList<String>();
        for (int set = 0; set < COUNTER_SETS; set++) {
            sets.add(
                    "{\"name\":\"set-%d\",\"counters\":{%s}}"
                            .formatted(set, counters("c1", "c2", "c3", "c4")));
            devices.add(partition(set, "large-1", 2, "c1", "c2"));
            devices.add(partition(set, "large-2", 2, "c3", "c4"));
            for (int counter = 1; counter <= 4; counter++) {
                devices.add(partition(set, "small-" + counter, 1, "c" + counter));
            }
        }
        return List.of(slice(node, "sharedCounters", 2, sets), slice(node, "devices", 2, devices));
    }

    private static String partition(int set, String name, int size, String... counters) {
        return """
        {"name":"set-%1$d-%2$s","attributes":{"counters":{"int":%3$d}},
         "consumesCounters":[{"counterSet":"set-%1$d","counters":{%4$s}}]}
        """
                .formatted(set, name, size, counters(counters));
    }

    private static String counters(String... names) {
        return String.join(
                ",", List.of(names).stream().map(n -> "\"" + n + "\":{\"value\":\"1\"}").toList());
    }

    private static List<String> shared(int node) {
        List<String> devices =
                IntStream.range(0, SHARED)
                        .mapToObj(i ->
                                """
                                {"name":"d%d","allowMultipleAllocations":true,
                                 "capacity":{"memory":{"value":"80Gi","requestPolicy":{
                                  "default":"1Gi","validRange":{"min":"1Gi"}}}}}
                                """
                                        .formatted(i))
                        .toList();
        return List.of(slice(node, "devices", 1, devices));
    }

    private static String slice(int node, String field, int slices, List<String> content) {
        return """
        {"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice",
         "metadata":{"name":"node-%1$d-%2$s"},
         "spec":{"driver":"%3$s","nodeName":"node-%1$d",
          "pool":{"name":"node-%1$d","generation":1,"resourceSliceCount":%4$d},"%5$s":[%6$s]}}
        """
                .formatted(
                        node,
                        field.toLowerCase(Locale.ROOT),
                        DRIVER,
                        slices,
                        field,
                        String.join(",", content));
    }

    /// The claim of a pod, which it refers to by its own name.
    String claimOf(String pod) {
        return """
        {"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"%s"},
         "spec":{"devices":%s}}
        """
                .formatted(pod, claim);
    }

    /// The status of a claim that has the i-th device of a node.
    static String taken(int node, int device) {
        return """
        {"status":{"allocation":{
          "devices":{"results":[{"request":"r","driver":"%1$s","pool":"node-%2$d","device":"d%3$d"}]},
          "nodeSelector":{"nodeSelectorTerms":[{"matchFields":[
            {"key":"metadata.name","operator":"In","values":["node-%2$d"]}]}]}}}}
        """
                .formatted(DRIVER, node, device);
    }

    /// The status of a claim that has got devices for a pod, some that may not be there: the API
    /// server does not look.
    static String given(JsonNode claim, JsonNode pod, String node, int device) {
        var results = new ArrayList<String>();
        for (var request : claim.at("/spec/devices/requests")) {
            results.add(
                    """
                    {"request":"%s","driver":"%s","pool":"%s","device":"d%d"}
                    """
                            .formatted(request.path("name").asText(), DRIVER, node, device));
        }
        return """
        {"status":{"allocation":{
          "devices":{"results":[%1$s]},
          "nodeSelector":{"nodeSelectorTerms":[{"matchFields":[
            {"key":"metadata.name","operator":"In","values":["%2$s"]}]}]}},
         "reservedFor":[{"resource":"pods","name":"%3$s","uid":"%4$s"}]}}
        """
                .formatted(
                        String.join(",", results),
                        node,
                        pod.at("/metadata/name").asText(),
                        pod.at("/metadata/uid").asText());
    }
}
