package io.berth.engine.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.amount.Quantity;
import io.berth.api.event.ClusterEvent;
import io.berth.api.label.Labels;
import io.berth.api.model.GeneratedClaims;
import io.berth.api.model.GeneratedClaims.Generated;
import io.berth.api.model.Pod;
import io.berth.api.model.PodCondition;
import io.berth.api.spec.Container;
import io.berth.api.spec.PodSpec;
import io.berth.api.spec.PodSpecBuilder;
import io.berth.api.spec.ResizeStatus;
import io.berth.api.spec.Toleration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("E-70")
class PodChangesTest {
    private static final Pod POD = with(spec -> spec);

    private static Pod with(UnaryOperator<PodSpecBuilder> change) {
        return Pod.builder("ns", "p").spec(change.apply(PodSpec.builder()).build()).build();
    }

    private static Pod asking(String... namesAndAmounts) {
        var requests = new java.util.HashMap<String, Quantity>();
        for (int i = 0; i < namesAndAmounts.length; i += 2) {
            requests.put(namesAndAmounts[i], Quantity.parse(namesAndAmounts[i + 1]));
        }
        return with(spec -> spec.container(Container.of("c", "image", requests)));
    }

    private static List<String> changes(Pod before, Pod after) {
        return PodChanges.between(before, after).stream().map(ClusterEvent::label).toList();
    }

    @Test
    void changeWithoutANameIsAPlainUpdate() {
        var condition = PodCondition.of("PodScheduled", "False", "Unschedulable", "");

        assertThat(changes(POD, POD)).containsExactly("UnschedulablePodUpdate");
        assertThat(changes(POD, POD.toBuilder().condition(condition).build()))
                .containsExactly("UnschedulablePodUpdate");
    }

    @Test
    void podWithANodeIsAnAssignedPod() {
        assertThat(changes(POD, POD.onNode("n"))).containsExactly("AssignedPodUpdate");
    }

    @Test
    void labels() {
        assertThat(changes(POD, POD.toBuilder().labels(Labels.of("a", "b")).build()))
                .containsExactly("UnschedulablePodUpdatePodLabel");
    }

    @Test
    void smallerRequestsAreAScaleDown() {
        assertThat(changes(asking("cpu", "2"), asking("cpu", "1999m")))
                .containsExactly("UnschedulablePodUpdatePodScaleDown");
        assertThat(changes(asking("memory", "2Gi"), asking("memory", "1Gi")))
                .containsExactly("UnschedulablePodUpdatePodScaleDown");
        assertThat(changes(asking("ephemeral-storage", "2Gi"), asking()))
                .containsExactly("UnschedulablePodUpdatePodScaleDown");
        assertThat(changes(asking("example.com/gpu", "2"), asking("example.com/gpu", "1")))
                .containsExactly("UnschedulablePodUpdatePodScaleDown");
        assertThat(changes(asking("example.com/gpu", "0"), asking()))
                .containsExactly("UnschedulablePodUpdatePodScaleDown");
    }

    @Test
    void oneSmallerRequestIsEnough() {
        assertThat(changes(asking("cpu", "1", "memory", "2"), asking("cpu", "2", "memory", "1")))
                .containsExactly("UnschedulablePodUpdatePodScaleDown");
    }

    @Test
    void largerRequestsHaveNoName() {
        assertThat(changes(asking("cpu", "1"), asking("cpu", "2", "memory", "1")))
                .containsExactly("UnschedulablePodUpdate");
    }

    @Test
    void resizeInPlaceCounts() {
        var small = Map.of("cpu", Quantity.parse("1"));
        var large = Map.of("cpu", Quantity.parse("4"));
        var given = new ResizeStatus.Given(large, large);
        var shrinking =
                asking("cpu", "1").toBuilder()
                        .nodeName("n")
                        .resize(new ResizeStatus(Map.of("c", given), null, false))
                        .build();
        var shrunk =
                shrinking.toBuilder()
                        .resize(
                                new ResizeStatus(
                                        Map.of("c", new ResizeStatus.Given(small, small)),
                                        null,
                                        false))
                        .build();

        assertThat(changes(shrinking, shrunk)).containsExactly("AssignedPodUpdatePodScaleDown");
        assertThat(changes(shrinking, shrinking.toBuilder().resize(null).build()))
                .containsExactly("AssignedPodUpdatePodScaleDown");
    }

    @Test
    void lastGateRemoved() {
        var two = with(spec -> spec.schedulingGate("a").schedulingGate("b"));
        var one = with(spec -> spec.schedulingGate("a"));

        assertThat(changes(two, one)).containsExactly("UnschedulablePodUpdate");
        assertThat(changes(one, POD))
                .containsExactly("UnschedulablePodUpdatePodSchedulingGatesEliminated");
        assertThat(changes(POD, one)).containsExactly("UnschedulablePodUpdate");
    }

    @Test
    void numberOfTolerations() {
        var a = with(spec -> spec.toleration(new Toleration("a", "Exists", "", "")));
        var b = with(spec -> spec.toleration(new Toleration("b", "Exists", "", "")));

        assertThat(changes(POD, a)).containsExactly("UnschedulablePodUpdatePodToleration");
        assertThat(changes(a, b)).containsExactly("UnschedulablePodUpdate");
    }

    @Test
    void claimsMadeForThePod() {
        var claims = new GeneratedClaims(List.of(new Generated("c", null)), null);
        var named = new GeneratedClaims(List.of(new Generated("c", "p-c")), null);
        var extended =
                new GeneratedClaims(List.of(), new GeneratedClaims.Extended("p-x", List.of()));
        var before = POD.toBuilder().generatedClaims(claims).build();

        for (var other : List.of(named, extended)) {
            assertThat(changes(before, POD.toBuilder().generatedClaims(other).build()))
                    .containsExactly("UnschedulablePodUpdatePodGeneratedResourceClaim");
        }
        assertThat(changes(POD, before))
                .containsExactly("UnschedulablePodUpdatePodGeneratedResourceClaim");
        assertThat(changes(before, POD.toBuilder().generatedClaims(claims).build()))
                .containsExactly("UnschedulablePodUpdate");
    }

    @Test
    void severalChangesComeInUpstreamsOrder() {
        var before =
                Pod.builder("ns", "p")
                        .spec(
                                PodSpec.builder()
                                        .schedulingGate("a")
                                        .container(
                                                Container.of(
                                                        "c",
                                                        "i",
                                                        Map.of("cpu", Quantity.parse("2"))))
                                        .build())
                        .build();
        var after =
                with(spec -> spec.toleration(new Toleration("a", "Exists", "", ""))).toBuilder()
                        .labels(Labels.of("a", "b"))
                        .generatedClaims(
                                new GeneratedClaims(List.of(new Generated("c", "p-c")), null))
                        .build();

        assertThat(changes(before, after))
                .containsExactly(
                        "UnschedulablePodUpdatePodLabel",
                        "UnschedulablePodUpdatePodScaleDown",
                        "UnschedulablePodUpdatePodSchedulingGatesEliminated",
                        "UnschedulablePodUpdatePodToleration",
                        "UnschedulablePodUpdatePodGeneratedResourceClaim");
    }
}
