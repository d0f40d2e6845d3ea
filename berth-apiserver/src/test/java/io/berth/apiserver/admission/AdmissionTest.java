package io.berth.apiserver.admission;

import static io.berth.apiserver.Trees.object;
import static io.berth.apiserver.Trees.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.Recorded;
import io.berth.apiserver.resource.ResourceType;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What depends on the rest of the cluster or on options, and so was not recorded.
class AdmissionTest {
    private static final InstantSource CLOCK =
            InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z"));
    private static final ResourceType PODS = Recorded.type("pods");
    private static final ResourceType PRIORITY_CLASSES = Recorded.type("priorityclasses");

    private static Admission admission(
            List<ObjectNode> priorityClasses, List<ObjectNode> storageClasses) {
        var facts =
                new ClusterFacts() {
                    @Override
                    public List<ObjectNode> priorityClasses() {
                        return priorityClasses;
                    }

                    @Override
                    public List<ObjectNode> storageClasses() {
                        return storageClasses;
                    }
                };
        return new Admission(facts, CLOCK, Admission.Options.DEFAULT);
    }

    private static ObjectNode pod() {
        return object("{metadata:{name:'p'},spec:{containers:[{name:'c',image:'i'}]}}");
    }

    @Nested
    class Priority {
        private final ObjectNode low =
                object(
                        "{metadata:{name:'low'},value:5,globalDefault:true,preemptionPolicy:'Never'}");
        private final ObjectNode high =
                object("{metadata:{name:'high'},value:9,globalDefault:true}");

        @Test
        void podWithoutClassGetsTheDefaultOneAndOfTwoTheLower() {
            var spec = admission(List.of(high, low), List.of()).create(PODS, pod()).path("spec");
            assertThat(spec.path("priority").asInt()).isEqualTo(5);
            assertThat(spec.path("priorityClassName").asText()).isEqualTo("low");
            assertThat(spec.path("preemptionPolicy").asText()).isEqualTo("Never");
        }

        @Test
        void podGetsThePriorityOfItsClass() {
            ObjectNode pod = pod();
            ((ObjectNode) pod.path("spec")).put("priorityClassName", "high");
            var spec = admission(List.of(high, low), List.of()).create(PODS, pod).path("spec");
            assertThat(spec.path("priority").asInt()).isEqualTo(9);
            assertThat(spec.path("preemptionPolicy").asText()).isEqualTo("PreemptLowerPriority");
        }

        @Test
        void secondDefaultClassIsForbidden() {
            var admission = admission(List.of(low), List.of());
            assertThatThrownBy(() -> admission.create(PRIORITY_CLASSES, high))
                    .hasMessage(
                            "priorityclasses.scheduling.k8s.io \"high\" is forbidden: PriorityClass"
                                    + " low is already marked as default. Only one default can"
                                    + " exist");
            assertThat(admission.update(PRIORITY_CLASSES, "", low, low)).isNotNull();
        }
    }

    @Nested
    class StorageClass {
        private final ResourceType claims = Recorded.type("persistentvolumeclaims");
        private final ObjectNode older = storageClass("older", "2025-01-01T00:00:00Z");
        private final ObjectNode newer = storageClass("newer", "2025-06-01T00:00:00Z");

        private static ObjectNode storageClass(String name, String created) {
            return object(
                    "{metadata:{name:'%s',creationTimestamp:'%s',annotations:{'storageclass.kubernetes.io/is-default-class':'true'}}}"
                            .formatted(name, created));
        }

        @Test
        void claimWithoutClassGetsTheNewestDefault() {
            var claim =
                    admission(List.of(), List.of(newer, older)).create(claims, object("{spec:{}}"));
            assertThat(claim.path("spec").path("storageClassName").asText()).isEqualTo("newer");
        }

        @Test
        void claimThatAsksForNoClassKeepsNone() {
            var claim =
                    admission(List.of(), List.of(newer))
                            .create(claims, object("{spec:{storageClassName:''}}"));
            assertThat(claim.path("spec").path("storageClassName").asText("x")).isEmpty();
        }
    }

    @Test
    void newNodeIsTaintedOnlyIfAskedFor() {
        ResourceType nodes = Recorded.type("nodes");
        ObjectNode node = object("{metadata:{name:'n'}}");
        assertThat(admission(List.of(), List.of()).create(nodes, node).at("/spec/taints"))
                .isEmpty();
        var real = new Admission(ClusterFacts.NONE, CLOCK, new Admission.Options(true));
        assertThat(real.create(nodes, node).at("/spec/taints"))
                .isEqualTo(tree("[{key:'node.kubernetes.io/not-ready',effect:'NoSchedule'}]"));
    }

    @Test
    void statusUpdateLeavesTheSpecAlone() {
        var admission = admission(List.of(), List.of());
        ObjectNode stored = admission.create(PODS, pod());
        ObjectNode sent =
                object(
                        "{metadata:{name:'p',labels:{a:'b'}},spec:{nodeName:'x'},status:{phase:'Running'}}");
        ObjectNode updated = admission.update(PODS, "status", stored, sent);
        assertThat(updated.path("spec")).isEqualTo(stored.path("spec"));
        assertThat(updated.path("status"))
                .isEqualTo(tree("{phase:'Running',qosClass:'BestEffort'}"));
        assertThat(updated.path("metadata").path("labels")).isEqualTo(tree("{a:'b'}"));
    }

    @Test
    void updateKeepsWhatBelongsToTheServer() {
        var admission = admission(List.of(), List.of());
        ObjectNode stored = admission.create(PODS, pod());
        ((ObjectNode) stored.path("metadata"))
                .put("uid", "u1")
                .put("creationTimestamp", "2025-01-01T00:00:00Z")
                .put("deletionTimestamp", "2025-01-02T00:00:00Z");
        ObjectNode updated = admission.update(PODS, "", stored, pod());
        assertThat(updated.path("metadata")).isEqualTo(stored.path("metadata"));
        assertThat(Validation.update(PODS, "", stored, updated)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "nginx, Always",
        "nginx:latest, Always",
        "nginx:1, IfNotPresent",
        "reg.io:5000/nginx, Always",
        "reg.io:5000/nginx:1, IfNotPresent",
        "nginx@sha256:abc, IfNotPresent",
    })
    void pullPolicyFollowsTheTag(String image, String policy) {
        assertThat(PodDefaults.pullPolicy(image)).isEqualTo(policy);
    }

    @Test
    void freshClusterHasItsNamespacesAndClasses() {
        assertThat(SystemObjects.namespaces()).hasSize(4);
        for (ObjectNode each : SystemObjects.priorityClasses()) {
            assertThat(Validation.create(PRIORITY_CLASSES, each)).isEmpty();
        }
    }
}
