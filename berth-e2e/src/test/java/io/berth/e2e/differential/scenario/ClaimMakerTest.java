package io.berth.e2e.differential.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class ClaimMakerTest {
    @Test
    void sameSeedMakesTheSameScenario() {
        var one = new ClaimMaker(42);
        var other = new ClaimMaker(42);

        assertThat(one.objects()).isEqualTo(other.objects());
        assertThat(one.pod(7)).isEqualTo(other.pod(7));
        assertThat(one.pod(8)).isNotEqualTo(other.pod(7));
    }

    /// What an allocator reads of slices, classes and claims turns up.
    @Test
    void everythingAnAllocatorReadsTurnsUp() {
        var text = new StringBuilder();
        var kinds = new HashSet<String>();
        LongStream.rangeClosed(1, 60)
                .mapToObj(ClaimMaker::new)
                .forEach(maker -> {
                    maker.objects().forEach(o -> kinds.add(o.at("/kind").asText()));
                    maker.objects().forEach(text::append);
                    for (int i = 1; i <= 20; i++) {
                        text.append(maker.pod(i));
                    }
                });

        assertThat(kinds)
                .containsExactlyInAnyOrder("Node", "DeviceClass", "ResourceSlice", "ResourceClaim");
        assertThat(text.toString())
                .contains(
                        "perDeviceNodeSelection",
                        "allNodes",
                        "nodeSelector",
                        "sharedCounters",
                        "consumesCounters",
                        "allowMultipleAllocations",
                        "validValues",
                        "validRange",
                        "taints",
                        "\"generation\":2",
                        "extendedResourceName",
                        "example.com/card\":\"2",
                        "firstAvailable",
                        "matchAttribute",
                        "distinctAttribute",
                        "\"allocationMode\":\"All\"",
                        "tolerations",
                        "\"generated\":true",
                        "resourceClaimName",
                        "reservedFor",
                        "\"absent\"",
                        "opaque",
                        "shareID",
                        "initContainers",
                        "\"restartPolicy\":\"Always\"",
                        "deviceclass.resource.kubernetes.io/card",
                        "semver(");
    }
}
