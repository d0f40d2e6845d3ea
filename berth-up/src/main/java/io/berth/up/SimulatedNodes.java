package io.berth.up;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.app.Version;
import io.berth.up.device.MadeUpDevices;
import io.berth.up.device.MadeUpDevices.Sort;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// The nodes that `berth up` creates: four processors and 16 Gi of memory each, spread over zones,
/// every third one with a local disk.
final class SimulatedNodes {
    static final String DISK_LABEL = "disktype";
    static final String SSD = "ssd";

    private static final String RESOURCES =
            """
            {"cpu": "4", "memory": "16Gi", "ephemeral-storage": "100Gi", "pods": "110"}\
            """;

    private SimulatedNodes() {}

    static List<ObjectNode> create(int count, int zones) {
        return IntStream.rangeClosed(1, count).mapToObj(number -> node(number, zones)).toList();
    }

    /// Classes, and the devices of those of that many nodes that have some: of four nodes the first
    /// has GPUs, the second some to split, the third some to share.
    static List<ObjectNode> devices(int count) {
        var objects = new ArrayList<>(MadeUpDevices.classes());
        for (int number = 1; number <= count; number++) {
            String node = "node-" + number;
            switch (number % 4) {
                case 1 -> objects.addAll(MadeUpDevices.slices(node, Sort.GPUS));
                case 2 -> objects.addAll(MadeUpDevices.slices(node, Sort.PARTITIONS));
                case 3 -> objects.addAll(MadeUpDevices.slices(node, Sort.SHARED));
                default -> {
                    // A node like any other.
                }
            }
        }
        return objects;
    }

    /// The address of a node; nodes that somebody else created share one.
    static String address(String nodeName) {
        String digits = nodeName.startsWith("node-") ? nodeName.substring(5) : "";
        return digits.matches("[0-9]{1,5}") ? address(Integer.parseInt(digits)) : "172.16.0.0";
    }

    private static String address(int number) {
        return "172.%d.%d.%d".formatted(16 + (number >> 16), number >> 8 & 255, number & 255);
    }

    /// Whether the node of that number has a local disk.
    static boolean hasSsd(int number) {
        return number % 3 == 1;
    }

    private static ObjectNode node(int number, int zones) {
        ObjectNode node =
                Json.parse(
                        """
                        {
                          "apiVersion": "v1",
                          "kind": "Node",
                          "metadata": {
                            "name": "%1$s",
                            "labels": {
                              "kubernetes.io/hostname": "%1$s",
                              "kubernetes.io/os": "linux",
                              "kubernetes.io/arch": "amd64",
                              "topology.kubernetes.io/region": "local",
                              "topology.kubernetes.io/zone": "%2$s",
                              "node.kubernetes.io/instance-type": "simulated-4x16"
                            },
                            "annotations": {"berth.io/simulated": "true"}
                          },
                          "spec": {"podCIDR": "%3$s"},
                          "status": {
                            "capacity": %4$s,
                            "allocatable": %4$s,
                            "addresses": [
                              {"type": "InternalIP", "address": "%5$s"},
                              {"type": "Hostname", "address": "%1$s"}
                            ],
                            "nodeInfo": {
                              "kubeletVersion": "%6$s",
                              "osImage": "Simulated by Berth",
                              "operatingSystem": "linux",
                              "architecture": "amd64",
                              "kernelVersion": "0.0.0",
                              "containerRuntimeVersion": "simulated://%6$s",
                              "kubeProxyVersion": "%6$s",
                              "machineID": "",
                              "systemUUID": "",
                              "bootID": ""
                            },
                            "conditions": []
                          }
                        }
                        """
                                .formatted(
                                        "node-" + number,
                                        zone((number - 1) % zones),
                                        "10.%d.%d.0/24".formatted(64 + number / 256, number % 256),
                                        RESOURCES,
                                        address(number),
                                        Version.KUBERNETES));
        if (hasSsd(number)) {
            node.withObject("/metadata/labels").put(DISK_LABEL, SSD);
        }
        addConditions(node);
        return node;
    }

    private static void addConditions(ObjectNode node) {
        String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        addCondition(node, "MemoryPressure", "False", "KubeletHasSufficientMemory", now);
        addCondition(node, "DiskPressure", "False", "KubeletHasNoDiskPressure", now);
        addCondition(node, "PIDPressure", "False", "KubeletHasSufficientPID", now);
        addCondition(node, "Ready", "True", "KubeletReady", now);
    }

    private static void addCondition(
            ObjectNode node, String type, String status, String reason, String now) {
        node.withArray("/status/conditions")
                .addObject()
                .put("type", type)
                .put("status", status)
                .put("reason", reason)
                .put("lastHeartbeatTime", now)
                .put("lastTransitionTime", now);
    }

    /// zone-a to zone-z, then zone-27 and so on.
    private static String zone(int index) {
        return index < 26 ? "zone-" + (char) ('a' + index) : "zone-" + (index + 1);
    }
}
