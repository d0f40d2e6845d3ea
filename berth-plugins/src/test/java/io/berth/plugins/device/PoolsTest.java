package io.berth.plugins.device;

import static io.berth.plugins.device.Devices.all;
import static io.berth.plugins.device.Devices.ask;
import static io.berth.plugins.device.Devices.claim;
import static io.berth.plugins.device.Devices.dev;
import static io.berth.plugins.device.Devices.exactly;
import static io.berth.plugins.device.Devices.node;
import static io.berth.plugins.device.Devices.slice;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.device.Reach;
import io.berth.api.label.Labels;
import io.berth.api.label.Requirement;
import io.berth.api.model.Node;
import io.berth.api.spec.NodeSelector;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Which devices there are for a node: pools, their generations, and what is wrong with them.
class PoolsTest extends AllocatorBed {
    @Nested
    @Tag("DR-25")
    class Relevance {
        @Test
        void devicesOfOtherNodesAreNotSeen() {
            offer(slice("a").reaching(Reach.of("n2")).of(dev("d")));
            assertThat(got(claim("c", exactly(one("r"))))).isEqualTo("none");
        }

        @Test
        void devicesOfAllNodesAndOfSelectedOnesAreSeen() {
            var zone =
                    new NodeSelector(
                            List.of(
                                    new NodeSelector.Term(
                                            List.of(Requirement.is("zone", "a")), List.of())));
            offer(
                    slice("b").selecting(zone).of(dev("d")),
                    slice("a").reaching(Reach.everywhere()).of(dev("d")));
            assertThat(got(claim("c", exactly(ask("r", "any", 2))))).isEqualTo("none");
            node = Node.builder("n1").labels(Labels.of("zone", "a")).build();
            assertThat(got(claim("c", exactly(ask("r", "any", 2))))).isEqualTo("r=a/d r=b/d");
        }

        @Test
        void eachDeviceMayTellItsNodes() {
            offer(
                    slice("a")
                            .perDevice()
                            .of(dev("d1").on("n2"), dev("d2").on("n1"), dev("d3").everywhere()));
            assertThat(got(claim("c", exactly(ask("r", "any", 2))))).isEqualTo("r=a/d2 r=a/d3");
            assertThat(got(claim("c", exactly(ask("r", "any", 3))))).isEqualTo("none");
        }

        @Test
        void sliceThatTellsNothingIsLeftOut() {
            offer(slice("a").reaching(Reach.NOWHERE).of(dev("d")));
            assertThat(got(claim("c", exactly(one("r"))))).isEqualTo("none");
        }

        @Test
        void withoutPartitionableDevicesSuchSlicesAreLeftOut() {
            features = new DeviceFeatures(true, true, false, true, false, true, true);
            offer(slice("a").perDevice().of(dev("d").on("n1")));
            assertThat(got(claim("c", exactly(one("r"))))).isEqualTo("none");
        }
    }

    @Nested
    @Tag("DR-26")
    class Generations {
        @Test
        void onlyTheNewestCounts() {
            offer(
                    slice("old").pool("p", 1, 1).of(dev("old")),
                    slice("new").pool("p", 2, 1).of(dev("new")));
            assertThat(got(claim("c", exactly(one("r"))))).isEqualTo("r=p/new");
        }

        @Test
        void incompletePoolGivesNothing() {
            offer(slice("a").pool("p", 1, 2).of(dev("d")), slice("b").of(dev("e")));
            assertThat(got(claim("c", exactly(one("r"))))).isEqualTo("r=b/e");
        }

        @Test
        void slicesOfOtherNodesCompleteAPool() {
            offer(
                    slice("a").pool("p", 1, 2).of(dev("d")),
                    slice("b").pool("p", 1, 2).reaching(Reach.of("n2")).of(dev("e")));
            assertThat(got(claim("c", exactly(one("r"))))).isEqualTo("r=p/d");
        }

        @Test
        void poolThatIsBeingReplacedElsewhereIsLeftOut() {
            offer(
                    slice("a").pool("p", 1, 2).of(dev("d")),
                    slice("b").pool("p", 2, 2).reaching(Reach.of("n2")).of(dev("e")));
            assertThat(got(claim("c", exactly(all("r", "any"))))).isEqualTo("none");
        }
    }

    @Nested
    @Tag("DR-27")
    @Tag("DR-29")
    class InvalidPools {
        private static final String INVALID = "invalid resource pools were encountered";

        @Test
        void sameNameTwice() {
            offer(slice("a").pool("p", 1, 2).of(dev("d")), slice("b").pool("p", 1, 2).of(dev("d")));
            assertThat(got(claim("c", exactly(one("r"))))).isEqualTo(INVALID);
            assertThatThrownBy(() -> allocate(claim("c", exactly(one("r")))))
                    .isInstanceOfSatisfying(
                            AllocationException.class,
                            failed ->
                                    assertThat(failed.reach())
                                            .isEqualTo(AllocationException.Reach.NODE));
        }

        @Test
        void unknownCounters() {
            offer(slice("a").of(dev("d").taking("set", "c", 1)));
            assertThat(got(claim("c", exactly(one("r"))))).isEqualTo(INVALID);
            offer(
                    slice("a").pool("p", 1, 2).of(dev("d").taking("set", "x", 1)),
                    slice("b").pool("p", 1, 2).counting("set", "c", 1));
            assertThat(got(claim("c", exactly(one("r"))))).isEqualTo(INVALID);
            offer(
                    slice("a").pool("p", 1, 3).of(dev("d")),
                    slice("b").pool("p", 1, 3).counting("set", "c", 1),
                    slice("c").pool("p", 1, 3).counting("set", "c", 1));
            assertThat(got(claim("c", exactly(one("r"))))).isEqualTo(INVALID);
        }

        /// Every node sees counters, and so the pools of other nodes that have some.
        @Test
        void countersOfOtherNodes() {
            var devices = slice("a").of(dev("d"));
            var counters =
                    slice("b").pool("p", 1, 2).reaching(Reach.of("n2")).counting("set", "c", 1);
            var others = slice("c").pool("p", 1, 2).reaching(Reach.of("n2"));
            offer(devices, counters);
            assertThat(got(claim("c", exactly(one("r"))))).isEqualTo("r=a/d");
            assertThat(got(claim("c", exactly(all("r", "any")))))
                    .isEqualTo(
                            "claim ns/c, request r: asks for all devices, but resource pool drv/p"
                                    + " is currently being updated");
            offer(devices, counters, others.of(dev("e").taking("set", "c", 1)));
            assertThat(got(claim("c", exactly(all("r", "any"))))).isEqualTo("r=a/d");
            offer(devices, counters, others.of(dev("f").taking("set", "x", 1)));
            assertThat(got(claim("c", exactly(ask("r", "any", 2))))).isEqualTo(INVALID);
        }

        @Test
        void otherPoolsDoNoHarm() {
            offer(slice("a").of(dev("d"), dev("d")), slice("b").of(dev("e")));
            assertThat(got(claim("c", exactly(one("r"))))).isEqualTo("r=b/e");
        }
    }
}
