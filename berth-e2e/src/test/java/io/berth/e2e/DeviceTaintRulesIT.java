package io.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.e2e.fixture.DeviceFacts;
import io.berth.e2e.fixture.Manifest;
import io.berth.e2e.fixture.PackagedScheduler;
import io.berth.e2e.fixture.RealControlPlane;
import io.berth.e2e.fixture.RealScheduler;
import io.berth.e2e.fixture.Thorough;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/// Rules by which an administrator taints devices that others wrote down: they count from when they
/// come until they go. Off by default, so both the API server and the scheduler are told. The same
/// facts hold for the real kube-scheduler.
@Thorough
final class DeviceTaintRulesIT {
    private static final String GATE = "--feature-gates=DRADeviceTaintRules=true";
    private static final String SERVED = "--runtime-config=resource.k8s.io/v1beta2=true";

    @Nested
    @PackagedScheduler
    @RealControlPlane(flags = {GATE, SERVED})
    class Berth extends Facts {}

    @Nested
    @RealScheduler
    @RealControlPlane(flags = {GATE, SERVED})
    class KubeScheduler extends Facts {}

    abstract static class Facts extends DeviceFacts {
        private static final String RULES = "/apis/resource.k8s.io/v1beta2/devicetaintrules";
        private static final String EARLY = "early";
        private static final String LATE = "late";
        private static final String NONE_LEFT =
                "0/1 nodes are available: 1 cannot allocate all claims. still not schedulable,"
                        + " preemption: 0/1 nodes are available: 1 Preemption is not helpful for"
                        + " scheduling.";

        @Override
        protected String[] flags() {
            return new String[] {"--leader-elect=false", GATE};
        }

        /// A rule that is there before the scheduler is known to it when it looks at its first pod.
        @Override
        protected void prepare() {
            rule(EARLY, "g0", "NoExecute");
        }

        @AfterAll
        void forgetRules() {
            plane().admin().delete(RULES + "/" + EARLY);
            plane().admin().delete(RULES + "/" + LATE);
        }

        @Test
        void rulesCountFromWhenTheyComeUntilTheyGo() {
            node("a", "{}");
            gpuClass();
            slice("a", "[{name: 'g0'}, {name: 'g1'}]");
            awaitKnown(1, 0);
            claim("c1", one(""));
            podWith("p", "c1", "");
            assertThat(placeOf("p")).isEqualTo("a");
            assertThat(devicesOf("c1")).containsExactly("r=a/g1");
            claim("c2", one(""));
            podWith("q", "c2", "");
            assertUnplaced("q", NONE_LEFT);

            node("b", "{metadata: {labels: {disk: 'fast'}}}");
            slice("b", "[{name: 'g0'}]");
            claim("c3", one(", tolerations: [{key: 'worn', operator: 'Exists'}]"));
            podWith("r", "c3", ", nodeSelector: {disk: 'fast'}");
            assertThat(placeOf("r")).as("who tolerates it").isEqualTo("b");
            assertThat(devicesOf("c3")).containsExactly("r=b/g0");

            rule(LATE, "g2", "NoSchedule");
            plane().admin().delete(RULES + "/" + EARLY).ok();
            assertThat(placeOf("q")).as("who waited").isEqualTo("a");
            assertThat(devicesOf("c2")).containsExactly("r=a/g0");
            // Who has heard that one rule is gone has heard before that the other has come.
            node("c", "{}");
            slice("c", "[{name: 'g2'}, {name: 'g3'}]");
            claim("c4", one(""));
            podWith("s", "c4", "");
            assertThat(placeOf("s")).isEqualTo("c");
            assertThat(devicesOf("c4")).containsExactly("r=c/g3");
        }

        private void rule(String name, String device, String effect) {
            plane().admin()
                    .post(
                            RULES,
                            Manifest.of(
                                    """
                                    {apiVersion: 'resource.k8s.io/v1beta2', kind: 'DeviceTaintRule',
                                     metadata: {name: '%s'}, spec: {
                                       deviceSelector: {driver: '%s', device: '%s'},
                                       taint: {key: 'worn', effect: '%s'}}}
                                    """
                                            .formatted(name, DRIVER, device, effect)))
                    .ok();
        }
    }
}
