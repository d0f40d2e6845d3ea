package io.berth.e2e.differential;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class ScenarioMakerTest {
    @Test
    void sameSeedMakesTheSameScenario() {
        var one = new ScenarioMaker(42);
        var other = new ScenarioMaker(42);

        assertThat(one.objects(5)).isEqualTo(other.objects(5));
        assertThat(one.pod(7)).isEqualTo(other.pod(7));
        assertThat(one.pod(8)).isNotEqualTo(other.pod(7));
    }

    @Test
    void someClustersChangeFromCaseToCase() {
        var changing =
                LongStream.rangeClosed(1, 20)
                        .mapToObj(ScenarioMaker::new)
                        .filter(maker -> !maker.objects(1).equals(maker.objects(20)))
                        .count();

        assertThat(changing).isBetween(3L, 17L);
    }

    /// Otherwise chance decides between two victims that are equal in all other respects.
    @Test
    void noTwoRivalsStartAtTheSameTime() {
        var starts =
                new ScenarioMaker(5)
                        .objects(1).stream()
                                .map(object -> object.at("/status/startTime").asText())
                                .filter(start -> !start.isEmpty())
                                .toList();

        assertThat(starts).hasSizeGreaterThan(5).doesNotHaveDuplicates();
    }

    /// What the default profile reads of a pod, a node and their surroundings turns up.
    @Test
    void everythingTheProfileReadsTurnsUp() {
        var text = new StringBuilder();
        var kinds = new HashSet<String>();
        LongStream.rangeClosed(1, 60)
                .mapToObj(ScenarioMaker::new)
                .forEach(maker -> {
                    maker.objects(1).forEach(o -> kinds.add(o.at("/kind").asText()));
                    maker.objects(1).forEach(text::append);
                    for (int i = 1; i <= 20; i++) {
                        text.append(maker.pod(i));
                    }
                });

        assertThat(kinds)
                .contains(
                        "Node",
                        "Pod",
                        "Service",
                        "ReplicaSet",
                        "StatefulSet",
                        "ReplicationController",
                        "PodDisruptionBudget");
        assertThat(text.toString())
                .contains(
                        "unschedulable",
                        "taints",
                        "hugepages-2Mi",
                        "example.com/gpu",
                        "declaredFeatures",
                        "sizeBytes",
                        "initContainers",
                        "\"restartPolicy\":\"Always\"",
                        "runtimeClassName",
                        "\"resources\":{\"requests\"",
                        "hostPort",
                        "hostIP",
                        "nodeSelector",
                        "matchFields",
                        "\"Gt\"",
                        "DoesNotExist",
                        "tolerations",
                        "minDomains",
                        "nodeAffinityPolicy",
                        "nodeTaintsPolicy",
                        "matchLabelKeys",
                        "mismatchLabelKeys",
                        "namespaceSelector",
                        "podAntiAffinity",
                        "priorityClassName",
                        "schedulingGates",
                        "nominatedNodeName",
                        "ownerReferences");
    }
}
