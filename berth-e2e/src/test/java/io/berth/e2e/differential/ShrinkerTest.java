package io.berth.e2e.differential;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.e2e.differential.scenario.Json;
import io.berth.e2e.differential.scenario.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ShrinkerTest {
    private static ObjectNode node(String name) {
        return Json.parse(
                """
                {"apiVersion":"v1","kind":"Node","metadata":{"name":"%s","labels":{"a":"1","b":"2"}},
                 "status":{"allocatable":{"cpu":"1"}}}
                """
                        .formatted(name));
    }

    private static ObjectNode pod(String name, String node) {
        return Json.parse(
                """
                {"apiVersion":"v1","kind":"Pod","metadata":{"namespace":"red","name":"%s"},
                 "spec":{"nodeName":"%s","containers":[{"name":"c","image":"i"}]}}
                """
                        .formatted(name, node));
    }

    @Test
    void whatDoesNotMatterGoes() {
        var pending =
                Json.parse(
                        """
                        {"apiVersion":"v1","kind":"Pod","metadata":{"namespace":"red","name":"pod"},
                         "spec":{"containers":[{"name":"c","image":"i"}],
                                 "tolerations":[{"key":"first"},{"key":"last","value":"v"}],
                                 "nodeSelector":{"a":"1","b":"2"}}}
                        """);
        var start =
                new Scenario(
                        List.of(node("n1"), node("n2"), node("n3"), pod("p", "n2"), pod("q", "n1")),
                        pending);

        var small =
                new Shrinker(
                                scenario ->
                                        scenario.yaml().contains("name: n2")
                                                && scenario.yaml().contains("key: last")
                                                && scenario.pod().at("/spec").has("containers"),
                                1000)
                        .shrink(start);

        assertThat(small.objects()).hasSize(1);
        assertThat(small.objects().getFirst().toString())
                .isEqualTo(
                        "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n2\"},\"status\":{}}");
        assertThat(small.pod().at("/spec/tolerations").toString())
                .isEqualTo("[{\"key\":\"last\"}]");
        assertThat(small.pod().at("/spec").has("nodeSelector")).isFalse();
    }

    @Test
    void podsGoWithTheirNode() {
        var start = new Scenario(List.of(node("n1"), node("n2"), pod("q", "n1")), pod("pod", ""));

        var small = new Shrinker(s -> s.yaml().contains("name: n2"), 1000).shrink(start);

        assertThat(small.yaml()).doesNotContain("n1");
    }

    @Test
    void limitEndsTheSearch() {
        var start = new Scenario(List.of(node("n1"), node("n2")), pod("pod", ""));

        assertThat(new Shrinker(_ -> true, 0).shrink(start)).isEqualTo(start);
    }
}
