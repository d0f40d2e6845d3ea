package io.berth.up;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoWorkloadTest {
    @ParameterizedTest
    @CsvSource({"0,8", "1,8", "2,8", "3,1", "24,8", "24,0", "100,3", "5000,1000"})
    void asManyPodsAsAskedForWithDifferentNames(int count, int nodes) {
        List<ObjectNode> pods = DemoWorkload.create(count, nodes);
        assertThat(pods).hasSize(count);
        assertThat(pods.stream().map(pod -> pod.at("/metadata/name").asText()))
                .doesNotHaveDuplicates();
    }

    @Test
    void defaultShowsEveryKindAndOnePodThatFitsNowhere() {
        assertThat(DemoWorkload.create(DemoWorkload.DEFAULT_PODS, 8))
                .extracting(pod -> pod.at("/metadata/labels/app").asText())
                .contains("web", "cache", "database", "backend", "batch")
                .containsOnlyOnce("too-big")
                .last()
                .isEqualTo("too-big");
    }

    @Test
    void nodesAreSpreadOverZones() {
        List<ObjectNode> nodes = SimulatedNodes.create(7, 3);
        assertThat(nodes)
                .extracting(
                        node -> node.at("/metadata/labels/topology.kubernetes.io~1zone").asText())
                .containsExactly(
                        "zone-a", "zone-b", "zone-c", "zone-a", "zone-b", "zone-c", "zone-a");
    }

    @Test
    void nodesHaveAddressesOfTheirOwn() {
        assertThat(SimulatedNodes.create(1000, 3))
                .extracting(node -> node.at("/status/addresses/0/address").asText())
                .doesNotHaveDuplicates()
                .allMatch(address -> address.matches("172\\.16\\.[0-9]+\\.[0-9]+"));
    }
}
