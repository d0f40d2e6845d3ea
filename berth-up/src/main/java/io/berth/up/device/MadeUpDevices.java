package io.berth.up.device;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// Devices of a driver that does not exist, and the classes to ask for them by. Objects of
/// `resource.k8s.io/v1`, as trees.
public final class MadeUpDevices {
    public static final String DRIVER = "gpu.example.com";

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int GPUS = 4;
    private static final int GPUS_ON_A_BOARD = 2;
    private static final int GPUS_TO_SPLIT = 2;
    private static final int GPUS_TO_SHARE = 2;

    private MadeUpDevices() {}

    /// What a node has.
    public enum Sort {
        /// Four GPUs, two on a board.
        GPUS,
        /// Two GPUs, of which each may be taken as a whole, in halves or in quarters.
        PARTITIONS,
        /// Two GPUs that many may use at once, as long as their memory lasts.
        SHARED;

        /// The sort of that name, in small letters.
        public static Optional<Sort> named(String name) {
            return Arrays.stream(values()).filter(each -> each.word().equals(name)).findFirst();
        }

        public static String words() {
            return Arrays.stream(values()).map(Sort::word).collect(Collectors.joining(", "));
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// The classes. The first stands for an extended resource, too.
    public static List<ObjectNode> classes() {
        ObjectNode gpus = deviceClass(DRIVER, "gpu");
        gpus.withObject("/spec").put("extendedResourceName", "example.com/gpu");
        return List.of(
                gpus,
                deviceClass("partition." + DRIVER, "partition"),
                deviceClass("shared." + DRIVER, "shared"));
    }

    private static ObjectNode deviceClass(String name, String type) {
        return parse(
                """
                {
                  "apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass",
                  "metadata": {"name": "%1$s"},
                  "spec": {"selectors": [{"cel": {"expression":
                    "device.driver == '%2$s' && device.attributes['%2$s'].type == '%3$s'"
                  }}]}
                }
                """
                        .formatted(name, DRIVER, type));
    }

    /// The slices of a node's pool.
    public static List<ObjectNode> slices(String node, Sort sort) {
        return switch (sort) {
            case GPUS -> List.of(slice(node, "gpus", 1, "devices", gpus()));
            case PARTITIONS ->
                    List.of(
                            slice(node, "counters", 2, "sharedCounters", counters()),
                            slice(node, "partitions", 2, "devices", partitions()));
            case SHARED -> List.of(slice(node, "shared", 1, "devices", shared()));
        };
    }

    private static ObjectNode slice(
            String node, String part, int slices, String field, ArrayNode content) {
        ObjectNode slice =
                parse(
                        """
                        {
                          "apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice",
                          "metadata": {"name": "%1$s-%2$s"},
                          "spec": {
                            "driver": "%3$s",
                            "nodeName": "%1$s",
                            "pool": {"name": "%1$s", "generation": 1, "resourceSliceCount": %4$d}
                          }
                        }
                        """
                                .formatted(node, part, DRIVER, slices));
        slice.withObject("/spec").set(field, content);
        return slice;
    }

    private static ArrayNode gpus() {
        ArrayNode devices = MAPPER.createArrayNode();
        for (int i = 0; i < GPUS; i++) {
            ObjectNode gpu = device(devices, "gpu-" + i, "gpu", i, "80Gi");
            attribute(gpu, "board").put("string", "board-" + i / GPUS_ON_A_BOARD);
        }
        return devices;
    }

    private static ArrayNode counters() {
        ArrayNode sets = MAPPER.createArrayNode();
        for (int i = 0; i < GPUS_TO_SPLIT; i++) {
            ObjectNode set = sets.addObject().put("name", "gpu-" + i);
            set.withObject("/counters/memory").put("value", "80Gi");
        }
        return sets;
    }

    private static ArrayNode partitions() {
        ArrayNode devices = MAPPER.createArrayNode();
        for (int i = 0; i < GPUS_TO_SPLIT; i++) {
            partition(devices, i, "whole", 1, "80Gi");
            partition(devices, i, "half", 2, "40Gi");
            partition(devices, i, "quarter", 4, "20Gi");
        }
        return devices;
    }

    private static void partition(
            ArrayNode devices, int gpu, String profile, int count, String memory) {
        for (int i = 0; i < count; i++) {
            String name = "gpu-%d-%s-%d".formatted(gpu, profile, i);
            ObjectNode device = device(devices, name, "partition", gpu, memory);
            attribute(device, "profile").put("string", profile);
            ObjectNode consumed = device.putArray("consumesCounters").addObject();
            consumed.put("counterSet", "gpu-" + gpu);
            consumed.withObject("/counters/memory").put("value", memory);
        }
    }

    private static ArrayNode shared() {
        ArrayNode devices = MAPPER.createArrayNode();
        for (int i = 0; i < GPUS_TO_SHARE; i++) {
            ObjectNode device = device(devices, "gpu-" + i, "shared", i, "80Gi");
            device.put("allowMultipleAllocations", true);
            ObjectNode policy = device.withObject("/capacity/memory/requestPolicy");
            policy.put("default", "1Gi");
            policy.putObject("validRange").put("min", "1Gi").put("step", "1Gi");
        }
        return devices;
    }

    private static ObjectNode device(
            ArrayNode devices, String name, String type, int index, String memory) {
        ObjectNode device = devices.addObject().put("name", name);
        attribute(device, "type").put("string", type);
        attribute(device, "index").put("int", index);
        attribute(device, "model").put("string", "example-80g");
        attribute(device, "driverVersion").put("version", "1.36.0");
        device.withObject("/capacity/memory").put("value", memory);
        return device;
    }

    private static ObjectNode attribute(ObjectNode device, String name) {
        return device.withObject("/attributes").withObject("/" + name);
    }

    private static ObjectNode parse(String text) {
        try {
            JsonNode tree = MAPPER.readTree(text);
            return (ObjectNode) tree;
        } catch (JsonProcessingException mistake) {
            throw new IllegalStateException("A template is no JSON: " + text, mistake);
        }
    }
}
