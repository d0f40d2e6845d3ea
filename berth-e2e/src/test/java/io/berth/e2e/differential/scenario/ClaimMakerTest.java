package io.berth.e2e.differential.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.HashSet;
import java.util.stream.IntStream;
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

    /// Which init container decides shows where the last one does not need most.
    @Test
    void initContainersOftenNeedMoreThanTheLastOfThem() {
        long count =
                LongStream.rangeClosed(1, 10)
                        .mapToObj(ClaimMaker::new)
                        .flatMap(maker -> IntStream.rangeClosed(1, 20).mapToObj(maker::pod))
                        .filter(ClaimMakerTest::needsLessAtLast)
                        .count();

        assertThat(count).isGreaterThan(5);
    }

    private static boolean needsLessAtLast(ObjectNode pod) {
        var amounts = pod.at("/spec/initContainers").findValuesAsText(DeviceMaker.EXTENDED);
        return !amounts.isEmpty() && amounts.getLast().compareTo(Collections.max(amounts)) < 0;
    }
}
