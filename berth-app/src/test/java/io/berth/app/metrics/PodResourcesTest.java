package io.berth.app.metrics;

import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.amount.Quantity;
import io.berth.api.model.Pod;
import io.berth.api.spec.Container;
import io.berth.serving.metrics.MetricsSettings;
import io.berth.serving.metrics.PrometheusText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PodResourcesTest {
    private final ProcessMetrics metrics = new ProcessMetrics(MetricsSettings.DEFAULT);

    private List<String> lines(Pod... pods) {
        var text = metrics.resources(CompletableFuture.completedFuture(Arrays.asList(pods)));
        PrometheusText.read(text);
        return new String(text, StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.startsWith("#"))
                .toList();
    }

    private static Container limited(String name, String memory, boolean restartable) {
        return new Container(
                name,
                "image",
                Map.of(),
                Map.of("memory", Quantity.parse(memory)),
                List.of(),
                restartable);
    }

    @Test
    @Tag("P-280")
    @Tag("P-281")
    void requestsAreShownByResourceWithTheirUnit() {
        assertThat(
                        lines(
                                pod("p").cpu("1500m")
                                        .memory("64Mi")
                                        .request("example.com/x", "2")
                                        .request("hugepages-2Mi", "4Mi")
                                        .request("ephemeral-storage", "0")
                                        .priority(7)
                                        .onNode("n")
                                        .build()))
                .containsExactly(
                        line("p", "n", 7, "cpu", "cores", "1.5"),
                        line("p", "n", 7, "example.com/x", "", "2"),
                        line("p", "n", 7, "hugepages-2Mi", "bytes", "4.194304e+06"),
                        line("p", "n", 7, "memory", "bytes", "6.7108864e+07"));
    }

    private static String line(
            String pod, String node, int priority, String resource, String unit, String value) {
        return ("kube_pod_resource_request{namespace=\"default\",node=\"%s\",pod=\"%s\","
                        + "priority=\"%d\",resource=\"%s\",scheduler=\"default-scheduler\","
                        + "unit=\"%s\"} %s")
                .formatted(node, pod, priority, resource, unit, value);
    }

    @Test
    @Tag("P-280")
    void podWithoutNodeIsShownAndOneThatEndedIsNot() {
        assertThat(
                        lines(
                                pod("waits").cpu("1").build(),
                                pod("ended")
                                        .cpu("1")
                                        .onNode("n")
                                        .with(p -> p.phase("Succeeded"))
                                        .build()))
                .containsExactly(line("waits", "", 0, "cpu", "cores", "1"));
    }

    @Test
    @Tag("P-281")
    void limitsAddUpAndInitContainersCountByTheirPeak() {
        var pod =
                pod("p").container(limited("app", "100", false))
                        .spec(spec ->
                                spec.initContainer(limited("sidecar", "10", true))
                                        .initContainer(limited("init", "200", false))
                                        .overhead("memory", Quantity.of(5))
                                        .overhead("cpu", Quantity.of(1)))
                        .build();
        assertThat(lines(pod).stream().filter(line -> line.startsWith("kube_pod_resource_limit")))
                .singleElement()
                .asString()
                .contains("resource=\"memory\"")
                .endsWith(" 215");
    }

    @Test
    @Tag("P-281")
    void unitsFollowTheNames() {
        assertThat(
                        List.of(
                                PodResources.unit("cpu"),
                                PodResources.unit("storage"),
                                PodResources.unit("hugepages-1Gi"),
                                PodResources.unit("attachable-volumes-aws-ebs"),
                                PodResources.unit("example.com/gpu")))
                .containsExactly("cores", "bytes", "bytes", "integer", "");
    }

    @Test
    void engineThatBrokeIsTold() {
        var broken = new CompletableFuture<List<Pod>>();
        broken.completeExceptionally(new IllegalStateException("no"));
        assertThatThrownBy(() -> metrics.resources(broken))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the engine did not list its pods");
    }
}
