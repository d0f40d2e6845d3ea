package io.berth.plugins.dynamicresources;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.amount.Quantity;
import io.berth.api.device.DeviceClaim;
import io.berth.api.model.DeviceClass;
import io.berth.api.model.GeneratedClaims.Mapping;
import io.berth.api.model.Pod;
import io.berth.api.model.ResourceClaim;
import io.berth.api.spec.Container;
import io.berth.api.spec.PodSpec;
import io.berth.plugins.device.ExtendedClasses;
import java.time.Instant;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Devices that stand for extended resources, and claims that give way.
class ExtendedResourcesTest {
    @Nested
    @Tag("DR-60")
    class Classes {
        private final ExtendedClasses classes = new ExtendedClasses();

        private DeviceClass add(String name, long second, @Nullable String resource) {
            var result =
                    new DeviceClass(
                            name, Instant.ofEpochSecond(second), List.of(), List.of(), resource);
            classes.changed(null, result);
            return result;
        }

        @Test
        void eachHasItsOwnResource() {
            var gpu = add("gpu", 1, null);
            assertThat(classes.of("deviceclass.resource.kubernetes.io/gpu")).isEqualTo(gpu);
            assertThat(classes.of("example.com/gpu")).isNull();
        }

        @Test
        void newestStandsForASharedNameThenFirstByName() {
            var old = add("a", 1, "example.com/gpu");
            var second = add("c", 2, "example.com/gpu");
            assertThat(classes.of("example.com/gpu")).isEqualTo(second);
            var first = add("b", 2, "example.com/gpu");
            assertThat(classes.of("example.com/gpu")).isEqualTo(first);
            classes.changed(first, null);
            classes.changed(second, null);
            assertThat(classes.of("example.com/gpu")).isEqualTo(old);
            var other =
                    new DeviceClass("a", old.createdAt(), List.of(), List.of(), "example.com/x");
            classes.changed(old, other);
            assertThat(classes.of("example.com/gpu")).isNull();
            assertThat(classes.of("example.com/x")).isEqualTo(other);
        }
    }

    @Nested
    @Tag("DR-63")
    class Requests {
        private static final String GPU = "example.com/gpu";

        private static Container container(String name, long gpus, boolean isSidecar) {
            var requests = new HashMap<String, Quantity>(Map.of("cpu", Quantity.of(1)));
            if (gpus > 0) {
                requests.put(GPU, Quantity.of(gpus));
            }
            return new Container(name, "i", requests, Map.of(), List.of(), isSidecar);
        }

        private static ExtendedRequests of(PodSpec spec) {
            return ExtendedRequests.of(spec, Set.of(GPU), _ -> "class");
        }

        private static List<String> shown(ExtendedRequests requests) {
            return requests.requests().stream()
                    .map(DeviceClaim.Request::exactly)
                    .map(ask -> ask == null ? "" : ask.name() + "=" + ask.count())
                    .toList();
        }

        private static List<String> used(ExtendedRequests requests) {
            return requests.mappings().stream().map(Requests::text).toList();
        }

        private static String text(Mapping mapping) {
            return mapping.container() + ":" + mapping.request();
        }

        @Test
        void oneForEachContainerThatLivesOn() {
            var spec =
                    PodSpec.builder()
                            .container(container("a", 2, false))
                            .container(container("b", 0, false))
                            .container(container("c", 1, false))
                            .build();
            assertThat(shown(of(spec)))
                    .containsExactly("container-0-request-1=2", "container-2-request-1=1");
            assertThat(used(of(spec)))
                    .containsExactly("a:container-0-request-1", "c:container-2-request-1");
        }

        @Test
        void initContainersUseWhatComesAfterThemAndShareTheRest() {
            var spec =
                    PodSpec.builder()
                            .initContainer(container("i0", 5, false))
                            .initContainer(container("side", 1, true))
                            .initContainer(container("i2", 3, false))
                            .initContainer(container("i3", 1, false))
                            .container(container("a", 2, false))
                            .build();
            assertThat(shown(of(spec)))
                    .containsExactly(
                            "container-0-request-1=2",
                            "container-1-request-1=1",
                            "container-4-request-1=2");
            assertThat(used(of(spec)))
                    .containsExactly(
                            "side:container-1-request-1",
                            "a:container-4-request-1",
                            "i0:container-1-request-1",
                            "i0:container-4-request-1",
                            "i0:container-0-request-1",
                            "i2:container-4-request-1",
                            "i2:container-0-request-1",
                            "i3:container-4-request-1");
        }

        @Test
        void requestsAreInTheOrderOfTheirNames() {
            var spec = PodSpec.builder();
            for (int i = 0; i < 11; i++) {
                spec.container(container("c" + i, i == 2 || i == 10 ? 1 : 0, false));
            }
            assertThat(shown(of(spec.build())))
                    .containsExactly("container-10-request-1=1", "container-2-request-1=1");
        }

        @Test
        void resourceWithoutAClassIsLeftOut() {
            var spec = PodSpec.builder().container(container("a", 2, false)).build();
            assertThat(ExtendedRequests.of(spec, Set.of(GPU), _ -> null).requests()).isEmpty();
        }
    }

    @Nested
    @Tag("DR-15")
    class GivingWay {
        private final Pod pod = Pod.builder("ns", "p").uid("u").build();

        private static ResourceClaim claim(String name, String... users) {
            var reservedFor =
                    Arrays.stream(users)
                            .map(uid -> new ResourceClaim.Consumer("", "pods", uid, uid))
                            .toList();
            return new ResourceClaim(
                    "ns",
                    name,
                    name,
                    "1",
                    null,
                    false,
                    false,
                    false,
                    DeviceClaim.NOTHING,
                    null,
                    reservedFor,
                    List.of());
        }

        private @Nullable ResourceClaim choose(int bits, ResourceClaim... claims) {
            return Deallocation.choose(
                    pod, List.of(claims), BitSet.valueOf(new long[] {bits}), new Random(1));
        }

        @Test
        void onlyClaimsInTheWayThatNobodyElseUses() {
            var free = claim("free");
            var own = claim("own", "u");
            var others = claim("others", "v");
            var both = claim("both", "u", "v");
            assertThat(choose(0b1111, others, both, own, others)).isEqualTo(own);
            assertThat(choose(0b0010, own, free)).isEqualTo(free);
            assertThat(choose(0b0001, both, free)).isNull();
            assertThat(choose(0, free)).isNull();
        }
    }
}
