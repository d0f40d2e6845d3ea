package io.berth.ui;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.engine.port.ClusterImage;
import io.berth.kube.codec.AnyReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class NodeDevicesTest {
    private static final int NONE = 255;

    private static ClusterObject read(Kind kind, String json) {
        try {
            return new AnyReader()
                    .read(json.getBytes(StandardCharsets.UTF_8), kind)
                    .map(ClusterObject.class::cast)
                    .orElseThrow();
        } catch (IOException broken) {
            throw new AssertionError(json, broken);
        }
    }

    private static ClusterObject slice(String devices) {
        return read(
                Kind.RESOURCE_SLICE,
                """
                {"metadata": {"name": "s"}, "spec": {"driver": "gpu.example.com", "nodeName": "gpu",
                  "pool": {"name": "gpu", "generation": 1, "resourceSliceCount": 1},
                  "devices": [%s]}}
                """
                        .formatted(devices));
    }

    private static ClusterObject claim(String name, String device, String more) {
        return read(
                Kind.RESOURCE_CLAIM,
                """
                {"metadata": {"namespace": "default", "name": "%s", "uid": "%1$s"},
                 "spec": {"devices": {"requests": [{"name": "r", "exactly": {
                   "deviceClassName": "gpu.example.com"}}]}},
                 "status": {"allocation": {"devices": {"results": [{"request": "r",
                   "driver": "gpu.example.com", "pool": "gpu", "device": "%s"%s}]}}}}
                """
                        .formatted(name, device, more));
    }

    private static List<Integer> percents(ClusterObject... objects) {
        var map = NodeMap.empty().next(ClusterImage.of(List.of(objects)));
        var percents = new ArrayList<Integer>();
        for (byte one : map.devices) {
            percents.add(one & 0xff);
        }
        return percents;
    }

    @Test
    void extendedResourcesCountAsPodsAskForThem() {
        assertThat(
                        percents(
                                node("gpu").allocatable("nvidia.com/gpu", "8").build(),
                                node("plain").cpu("4").build(),
                                pod("a").uid("a")
                                        .request("nvidia.com/gpu", "2")
                                        .onNode("gpu")
                                        .build(),
                                pod("b").uid("b").request("nvidia.com/gpu", "8").build()))
                .containsExactly(25, NONE);
    }

    @Test
    void ofSeveralSortsTheFullestCounts() {
        assertThat(
                        percents(
                                node("gpu")
                                        .allocatable("nvidia.com/gpu", "2")
                                        .allocatable("example.com/port", "1000")
                                        .build(),
                                pod("a").uid("a")
                                        .request("nvidia.com/gpu", "1")
                                        .request("example.com/port", "1")
                                        .onNode("gpu")
                                        .build()))
                .containsExactly(50);
    }

    @Test
    void hugePagesAreNoDevices() {
        assertThat(percents(node("gpu").allocatable("hugepages-2Mi", "1Gi").build()))
                .containsExactly(NONE);
    }

    @Test
    void devicesOfDriversCountAsClaimsHaveThem() {
        assertThat(
                        percents(
                                node("gpu").build(),
                                slice(
                                        "{\"name\": \"d-0\"}, {\"name\": \"d-1\"}, {\"name\": \"d-2\"}, {\"name\": \"d-3\"}"),
                                claim("one", "d-0", ""),
                                claim("same", "d-0", ""),
                                claim("look", "d-1", ", \"adminAccess\": true"),
                                claim("lost", "d-9", "")))
                .containsExactly(25);
    }

    @Test
    void devicesThatAreTakenInPartsAreLeftOut() {
        assertThat(
                        percents(
                                node("gpu").build(),
                                slice(
                                        """
                                        {"name": "whole"},
                                        {"name": "shared", "allowMultipleAllocations": true},
                                        {"name": "part", "consumesCounters": [{"counterSet": "c",
                                          "counters": {"memory": {"value": "1Gi"}}}]}
                                        """),
                                claim("one", "shared", "")))
                .containsExactly(0);
    }
}
