package io.berth.plugins.device;

import static io.berth.plugins.device.Devices.ask;
import static io.berth.plugins.device.Devices.claim;
import static io.berth.plugins.device.Devices.dev;
import static io.berth.plugins.device.Devices.exactly;
import static io.berth.plugins.device.Devices.slice;
import static io.berth.plugins.device.Devices.taking;
import static io.berth.plugins.device.Devices.tolerating;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.amount.Quantity;
import io.berth.api.device.Device;
import io.berth.api.device.DeviceToleration;
import io.berth.api.device.Reach;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Devices that several claims share, that are parts of others, or that nobody should take.
class DeviceCapacityTest extends AllocatorBed {
    @Nested
    @Tag("DR-44")
    @Tag("DR-45")
    @Tag("DR-46")
    @Tag("DR-47")
    class ConsumableCapacity {
        private static final Device.@Nullable Policy NONE = null;

        private static Device.Policy range(
                @Nullable String min, @Nullable String max, @Nullable String step) {
            return new Device.Policy(
                    Quantity.parse("2"),
                    List.of(),
                    new Device.Range(quantity(min), quantity(max), quantity(step)));
        }

        private static @Nullable Quantity quantity(@Nullable String text) {
            return text == null ? null : Quantity.parse(text);
        }

        private @Nullable Quantity taken(Device.@Nullable Policy policy, @Nullable String asked)
                throws AllocationException {
            offer(slice("a").of(dev("d").shared().holding("m", "10", policy)));
            var ask = asked == null ? one("r") : taking(one("r"), "m", asked);
            var found = allocate(claim("c", exactly(ask)));
            return found == null
                    ? null
                    : found.getFirst().results().getFirst().consumedCapacity().get("m");
        }

        @Test
        void amountsFollowThePolicy() throws Exception {
            assertThat(taken(NONE, null)).isEqualTo(Quantity.of(10));
            assertThat(taken(NONE, "3")).isEqualTo(Quantity.of(3));
            assertThat(taken(range("2", "9", "3"), null)).isEqualTo(Quantity.of(2));
            assertThat(taken(range("2", "9", "3"), "1")).isEqualTo(Quantity.of(2));
            assertThat(taken(range("2", "9", "3"), "3")).isEqualTo(Quantity.of(5));
            assertThat(taken(range("2", "9", "3"), "8")).isEqualTo(Quantity.of(8));
            assertThat(taken(range("2", "9", "3"), "9")).isNull();
            assertThat(taken(range("3", "9", null), "4.5")).isEqualTo(Quantity.parse("4.5"));
            var values = new Device.Policy(null, List.of(Quantity.of(1), Quantity.of(4)), null);
            assertThat(taken(values, "2")).isEqualTo(Quantity.of(4));
            assertThat(taken(values, "5")).isNull();
            assertThat(taken(NONE, "11")).isNull();
        }

        @Test
        void unknownCapacityIsNotHad() {
            offer(slice("a").of(dev("d").shared().holding("m", "10")));
            assertThat(got(claim("c", exactly(taking(one("r"), "x", "1"))))).isEqualTo("none");
        }

        @Test
        void sharesAddUp() throws Exception {
            offer(slice("a").of(dev("d").shared().holding("m", "10")));
            usage.add(allocation("a", "d", "s1", Map.of("m", Quantity.of(4))));
            var three = taking(one("r"), "m", "3");
            assertThat(got(claim("c1", exactly(three)), claim("c2", exactly(three))))
                    .isEqualTo("r=a/d | r=a/d");
            assertThat(
                            got(
                                    claim("c1", exactly(three)),
                                    claim("c2", exactly(three)),
                                    claim("c3", exactly(taking(one("r"), "m", "1")))))
                    .isEqualTo("none");
            var found = Objects.requireNonNull(allocate(claim("c", exactly(three))));
            assertThat(found.getFirst().results().getFirst().shareId()).isEqualTo("share");
        }

        @Test
        void wholeDevicesAreCheckedAndCarryNothing() throws Exception {
            offer(slice("a").of(dev("d1").holding("m", "2"), dev("d2").holding("m", "4")));
            var found =
                    Objects.requireNonNull(
                            allocate(claim("c", exactly(taking(one("r"), "m", "3")))));
            var result = found.getFirst().results().getFirst();
            assertThat(result.device().device()).isEqualTo("d2");
            assertThat(result.shareId()).isNull();
            assertThat(result.consumedCapacity()).isEmpty();
        }

        @Test
        void oldOwnerOfTheWholeBlocksShares() {
            offer(slice("a").of(dev("d").shared().holding("m", "10")));
            use("a", "d");
            assertThat(got(claim("c", exactly(taking(one("r"), "m", "3"))))).isEqualTo("none");
        }
    }

    @Nested
    @Tag("DR-48")
    @Tag("DR-49")
    class Partitions {
        private void offerParts() {
            offer(
                    slice("c").pool("p", 1, 2).counting("set", "c", 4),
                    slice("d")
                            .pool("p", 1, 2)
                            .of(
                                    dev("whole").taking("set", "c", 4),
                                    dev("half1").taking("set", "c", 2),
                                    dev("half2").taking("set", "c", 2),
                                    dev("quarter").taking("set", "c", 1)));
        }

        @Test
        void countersAreNotExceeded() {
            offerParts();
            assertThat(got(claim("c", exactly(one("r"))))).isEqualTo("r=p/whole");
            assertThat(got(claim("c", exactly(ask("r", "any", 2)))))
                    .isEqualTo("r=p/half1 r=p/half2");
            assertThat(got(claim("c", exactly(ask("r", "any", 3))))).isEqualTo("none");
            use("p", "half1");
            assertThat(got(claim("c", exactly(one("r"))))).isEqualTo("r=p/half2");
            use("p", "half2");
            assertThat(got(claim("c", exactly(one("r"))))).isEqualTo("none");
        }

        @Test
        void devicesOfOtherNodesCountToo() {
            offer(
                    slice("c").pool("p", 1, 3).counting("set", "c", 2).reaching(Reach.everywhere()),
                    slice("d").pool("p", 1, 3).of(dev("d1").taking("set", "c", 2)),
                    slice("e")
                            .pool("p", 1, 3)
                            .reaching(Reach.of("n2"))
                            .of(dev("d2").taking("set", "c", 1)));
            assertThat(got(claim("c", exactly(one("r"))))).isEqualTo("r=p/d1");
            use("p", "d2");
            assertThat(got(claim("c", exactly(one("r"))))).isEqualTo("none");
        }

        @Test
        void sharesOfOneDeviceAreChargedOnce() {
            offer(
                    slice("c").pool("p", 1, 2).counting("set", "c", 2),
                    slice("d")
                            .pool("p", 1, 2)
                            .of(dev("d1").shared().holding("m", "10").taking("set", "c", 2)));
            var three = taking(one("r"), "m", "3");
            assertThat(got(claim("c1", exactly(three)), claim("c2", exactly(three))))
                    .isEqualTo("r=p/d1 | r=p/d1");
        }

        @Test
        void withoutTheFeatureSuchDevicesAreNotHad() {
            features = new DeviceFeatures(true, true, false, true, false, true, true);
            offer(slice("a").of(dev("d1").taking("set", "c", 1), dev("d2")));
            assertThat(got(claim("c", exactly(one("r"))))).isEqualTo("r=a/d2");
        }
    }

    @Nested
    @Tag("DR-50")
    class Taints {
        @Test
        void mustBeTolerated() {
            offer(
                    slice("a")
                            .of(
                                    dev("d1").tainted("k", "NoSchedule"),
                                    dev("d2").tainted("k", "NoExecute"),
                                    dev("d3").tainted("k", "None")));
            assertThat(got(claim("c", exactly(one("r"))))).isEqualTo("r=a/d3");
            var exists = new DeviceToleration("k", "Exists", "", "NoExecute", null);
            assertThat(got(claim("c", exactly(tolerating(one("r"), exists))))).isEqualTo("r=a/d2");
            var equal = new DeviceToleration("k", "", "v", "", null);
            assertThat(got(claim("c", exactly(tolerating(one("r"), equal))))).isEqualTo("r=a/d1");
            var greater = new DeviceToleration("k", "Gt", "1", "", null);
            assertThat(got(claim("c", exactly(tolerating(one("r"), greater))))).isEqualTo("r=a/d3");
            features = new DeviceFeatures(true, true, true, false, false, true, true);
            assertThat(got(claim("c", exactly(one("r"))))).isEqualTo("r=a/d1");
        }
    }
}
