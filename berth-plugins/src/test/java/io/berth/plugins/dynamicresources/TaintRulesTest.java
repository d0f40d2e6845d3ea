package io.berth.plugins.dynamicresources;

import static io.berth.plugins.dynamicresources.DeviceBed.ask;
import static io.berth.plugins.dynamicresources.DeviceBed.exactly;
import static io.berth.plugins.dynamicresources.DeviceBed.gpu;
import static io.berth.plugins.dynamicresources.DeviceBed.tolerating;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.device.DeviceClaim;
import io.berth.api.model.CustomObject;
import io.berth.api.model.Kind;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Taints that operators put on devices by rules.
@Tag("DR-51")
class TaintRulesTest {
    private static final Kind RULES = Kind.of("resource.k8s.io", "v1beta2", "devicetaintrules");
    private static final DeviceClaim ONE = exactly(ask("r", "gpu", 1));

    private DeviceBed bed = new DeviceBed(Set.of("DRADeviceTaintRules"), profile -> profile);

    private void addDevices() {
        bed.node("a");
        bed.deviceClass("gpu", null);
        bed.slice("a", gpu("g0"), gpu("g1"));
    }

    private void rule(String name, Map<String, @Nullable Object> selector, String effect) {
        Map<String, @Nullable Object> taint =
                Map.of("key", "broken", "value", "yes", "effect", effect);
        bed.scheduler.add(
                CustomObject.of(
                        RULES,
                        "",
                        name,
                        Map.of("spec", Map.of("deviceSelector", selector, "taint", taint))));
    }

    private String gets(String name, DeviceClaim claim) {
        bed.claim(name, claim);
        bed.create(bed.pod("pod-" + name, name));
        return bed.nodeOf("pod-" + name).isEmpty() ? "" : bed.devicesOf(name).getFirst();
    }

    @Test
    void rulesKeepClaimsFromTheDevicesThatTheyName() {
        addDevices();
        rule("one", Map.of("driver", DeviceBed.DRIVER, "pool", "a", "device", "g0"), "NoSchedule");
        rule("other", Map.of("driver", "other.example.com"), "NoSchedule");
        rule("harmless", Map.of(), "None");
        assertThat(gets("c1", ONE)).isEqualTo("r=a/g1");
        assertThat(gets("c2", ONE)).isEmpty();
        assertThat(gets("c3", exactly(tolerating("r", "gpu")))).isEqualTo("r=a/g0");
    }

    @Test
    void ruleWithoutASelectorIsForAllAndItsEndWakesWhoWaits() {
        addDevices();
        rule("all", Map.of(), "NoExecute");
        assertThat(gets("c1", ONE)).isEmpty();
        rule("all", Map.of("pool", "b"), "NoExecute");
        bed.pass(20);
        assertThat(bed.nodeOf("pod-c1")).isEqualTo("a");
        rule("all", Map.of(), "NoExecute");
        assertThat(gets("c2", ONE)).isEmpty();
        bed.scheduler.engine().gone(RULES, "", "all");
        bed.pass(20);
        assertThat(bed.nodeOf("pod-c2")).isEqualTo("a");
    }

    @Test
    void slicesThatComeLaterAreTaintedToo() {
        bed.node("a");
        bed.deviceClass("gpu", null);
        rule("one", Map.of("device", "g0"), "NoSchedule");
        bed.slice("a", gpu("g0"));
        assertThat(gets("c1", ONE)).isEmpty();
        bed.slice("a", gpu("g0"), gpu("g1"));
        bed.pass(20);
        assertThat(bed.devicesOf("c1")).containsExactly("r=a/g1");
    }

    @Test
    void withoutTheGateNobodyLooks() {
        bed = new DeviceBed();
        addDevices();
        assertThat(bed.scheduler.engine().followedKinds()).doesNotContain(RULES);
        assertThat(gets("c1", ONE)).isEqualTo("r=a/g0");
    }
}
