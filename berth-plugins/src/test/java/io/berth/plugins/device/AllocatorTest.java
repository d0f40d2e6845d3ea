package io.berth.plugins.device;

import static io.berth.plugins.device.Devices.admin;
import static io.berth.plugins.device.Devices.all;
import static io.berth.plugins.device.Devices.ask;
import static io.berth.plugins.device.Devices.claim;
import static io.berth.plugins.device.Devices.dev;
import static io.berth.plugins.device.Devices.distinct;
import static io.berth.plugins.device.Devices.exactly;
import static io.berth.plugins.device.Devices.first;
import static io.berth.plugins.device.Devices.matching;
import static io.berth.plugins.device.Devices.node;
import static io.berth.plugins.device.Devices.slice;
import static io.berth.plugins.device.Devices.taking;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.device.DeviceAllocation;
import io.berth.api.device.DeviceAttribute;
import io.berth.api.device.DeviceClaim;
import io.berth.api.device.DeviceClaim.Ask;
import io.berth.api.device.Reach;
import io.berth.plugins.device.Devices.Dev;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Which devices a claim gets.
class AllocatorTest extends AllocatorBed {
    @Nested
    @Tag("DR-28")
    @Tag("DR-33")
    class Order {
        @Test
        void poolsByDriverAndNameSlicesByNameDevicesAsTheyStand() {
            offer(
                    slice("s2").pool("p2", 1, 1).of(dev("x")),
                    slice("s9").pool("p1", 1, 2).of(dev("b")),
                    slice("s3").pool("p1", 1, 2).of(dev("z"), dev("a")),
                    slice("s0").driver("a").pool("p3", 1, 1).of(dev("y")));
            assertThat(got(claim("c", exactly(ask("r", "any", 5)))))
                    .isEqualTo("r=p3/y r=p1/z r=p1/a r=p1/b r=p2/x");
        }

        @Test
        void poolsWithBindingConditionsComeLast() {
            offer(slice("a").of(dev("d").awaiting("Ready")), slice("b").of(dev("e")));
            assertThat(got(claim("c", exactly(ask("r", "any", 2))))).isEqualTo("r=b/e r=a/d");
        }

        @Test
        void requestsOfOneClaimGetDifferentDevices() {
            offer(slice("a").of(dev("d1"), dev("d2"), dev("d3")));
            assertThat(got(claim("c", exactly(one("r1")), exactly(one("r2")))))
                    .isEqualTo("r1=a/d1 r2=a/d2");
            assertThat(got(claim("c1", exactly(one("r"))), claim("c2", exactly(one("r")))))
                    .isEqualTo("r=a/d1 | r=a/d2");
        }

        @Test
        void laterRequestsMakeEarlierOnesGiveWay() {
            offer(slice("a").of(dev("d1").with("size", "big"), dev("d2").with("size", "small")));
            assertThat(got(claim("c", exactly(one("r1")), exactly(ask("r2", "big", 1)))))
                    .isEqualTo("r1=a/d2 r2=a/d1");
            assertThat(
                            got(
                                    claim("c1", exactly(one("r"))),
                                    claim("c2", exactly(ask("r", "big", 1)))))
                    .isEqualTo("r=a/d2 | r=a/d1");
        }

        @Test
        @Tag("DR-9")
        void takenDevicesArePassedOver() {
            offer(slice("a").of(dev("d1"), dev("d2")));
            use("a", "d1");
            assertThat(got(claim("c", exactly(one("r"))))).isEqualTo("r=a/d2");
            usage.remove(allocation("a", "d1", null, Map.of()));
            assertThat(got(claim("c", exactly(one("r"))))).isEqualTo("r=a/d1");
            assertThat(usage.size()).isZero();
        }
    }

    @Nested
    @Tag("DR-31")
    @Tag("DR-36")
    class All {
        @Test
        void everyDeviceThatMatches() {
            offer(
                    slice("a").of(dev("d1").with("size", "big"), dev("d2").with("size", "small")),
                    slice("b").of(dev("d3").with("size", "big")));
            assertThat(got(claim("c", exactly(all("r", "big"))))).isEqualTo("r=a/d1 r=b/d3");
        }

        @Test
        void oneThatIsTakenIsOneTooMany() {
            offer(slice("a").of(dev("d1"), dev("d2")));
            use("a", "d2");
            assertThat(got(claim("c", exactly(all("r", "any"))))).isEqualTo("none");
        }

        @Test
        void noneIsTooFew() {
            offer(slice("a").of(dev("d").with("size", "small")));
            assertThat(got(claim("c", exactly(all("r", "big"))))).isEqualTo("none");
        }

        @Test
        void poolsMustBeComplete() {
            offer(slice("a").pool("p", 1, 2).of(dev("d")), slice("b").of(dev("e")));
            assertThat(got(claim("c", exactly(all("r", "any")))))
                    .isEqualTo(
                            "claim ns/c, request r: asks for all devices, but resource pool drv/p is"
                                    + " currently being updated");
            offer(slice("a").of(dev("d"), dev("d")));
            assertThat(got(claim("c", exactly(all("r", "any")))))
                    .isEqualTo(
                            "claim ns/c, request r: asks for all devices, but resource pool drv/a is"
                                    + " currently invalid");
        }

        @Test
        void constraintThatCannotHoldEndsTheAttempt() {
            offer(slice("a").of(dev("d1").with("board", 1), dev("d2").with("board", 2)));
            assertThat(got(claim("c", List.of(matching(SAME)), exactly(all("r", "any")))))
                    .isEqualTo(
                            "claim ns/c, request r: cannot add device drv/a/d2 because a claim"
                                    + " constraint would not be satisfied");
        }
    }

    @Nested
    @Tag("DR-30")
    @Tag("DR-32")
    class Mistakes {
        @Test
        void areTold() {
            offer(slice("a").of(dev("d")));
            assertThat(got(claim("c", exactly(ask("r", "none", 1)))))
                    .isEqualTo(
                            "claim ns/c, request r: could not retrieve device class none:"
                                    + " deviceclass.resource.k8s.io \"none\" not found");
            assertThat(got(claim("c", exactly(ask("r", "", 1)))))
                    .isEqualTo(
                            "claim ns/c, request r: missing device class name (unsupported request"
                                    + " type?)");
            assertThat(got(claim("c", exactly(ask("r", "any", 1, "true", "")))))
                    .isEqualTo(
                            "claim ns/c, request r, selector #1: CEL expression empty (unsupported"
                                    + " selector type?)");
            assertThat(got(claim("c", exactly(ask("r", "any", 33)))))
                    .isEqualTo(
                            "claim ns/c: number of requested devices 33 exceeds the claim limit of"
                                    + " 32");
            assertThat(
                            got(
                                    claim(
                                            "c",
                                            List.of(
                                                    new DeviceClaim.Constraint(
                                                            List.of(), null, null)),
                                            exactly(one("r")))))
                    .isEqualTo(
                            "claim ns/c, constraint #0: empty constraint (unsupported constraint"
                                    + " type?)");
            var odd = new Ask("r", "any", List.of(), "Some", 1, null, List.of(), null);
            assertThat(got(claim("c", exactly(odd))))
                    .isEqualTo("claim ns/c, request r: unsupported count mode Some");
        }

        @Test
        void featuresThatAreOffAreTold() {
            features = new DeviceFeatures(false, false, true, true, false, true, false);
            offer(slice("a").of(dev("d").holding("m", "1")));
            assertThat(got(claim("c", first("r", one("s")))))
                    .isEqualTo(
                            "claim ns/c, request r: has subrequests, but the DRAPrioritizedList"
                                    + " feature is disabled");
            assertThat(got(claim("c", exactly(admin(one("r"))))))
                    .isEqualTo(
                            "claim ns/c, request r: admin access is requested, but the feature is"
                                    + " disabled");
            assertThat(got(claim("c", exactly(taking(one("r"), "m", "1")))))
                    .isEqualTo(
                            "claim ns/c, request r: has capacity requests, but the"
                                    + " DRAConsumableCapacity feature is disabled");
        }

        @Test
        void smallerSubrequestIsTakenWhereTheLimitIsNear() {
            var many = IntStream.range(0, 40).mapToObj(i -> dev("d" + i)).toArray(Dev[]::new);
            offer(slice("a").of(many));
            var found =
                    got(
                            claim(
                                    "c",
                                    exactly(ask("r", "any", 20)),
                                    first("l", ask("big", "any", 20), ask("small", "any", 12))));
            assertThat(found.split(" ")).hasSize(32);
            assertThat(found).contains("l/small=a/d20");
        }
    }

    @Nested
    @Tag("DR-34")
    class PrioritizedLists {
        @Test
        void firstThatCanBeHad() {
            offer(slice("a").of(dev("d1").with("size", "small"), dev("d2").with("size", "big")));
            assertThat(
                            got(
                                    claim(
                                            "c",
                                            first(
                                                    "r",
                                                    ask("x", "big", 2),
                                                    ask("y", "big", 1),
                                                    one("z")))))
                    .isEqualTo("r/y=a/d2");
        }

        @Test
        void wholeRestMustSucceedWithIt() {
            offer(slice("a").of(dev("d1"), dev("d2")));
            assertThat(
                            got(
                                    claim(
                                            "c",
                                            first("r", ask("two", "any", 2), one("one")),
                                            exactly(one("s")))))
                    .isEqualTo("r/one=a/d1 s=a/d2");
        }
    }

    @Nested
    @Tag("DR-38")
    @Tag("DR-40")
    class SelectorsOfClassAndRequest {
        @Test
        void allMustHold() {
            offer(
                    slice("a")
                            .of(
                                    dev("d1").with("size", "big").with("i", 1),
                                    dev("d2").with("size", "big").with("i", 2),
                                    dev("d3").with("size", "small").with("i", 2)));
            assertThat(
                            got(
                                    claim(
                                            "c",
                                            exactly(
                                                    ask(
                                                            "r",
                                                            "big",
                                                            1,
                                                            "device.attributes['drv'].i > 1",
                                                            "device.driver == 'drv'")))))
                    .isEqualTo("r=a/d2");
        }

        @Test
        void failureIsToldWithItsPlace() {
            offer(slice("a").of(dev("d")));
            assertThat(got(claim("c", exactly(ask("r", "broken", 1)))))
                    .isEqualTo("class broken: selector #0: CEL runtime error: no such key: none");
            assertThat(got(claim("c", exactly(ask("r", "any", 1, "true", "device.x")))))
                    .startsWith(
                            "claim ns/c: selector #1: CEL compile error: compilation failed: ERROR:");
        }

        @Test
        void deviceThatIsTakenIsNotAsked() {
            offer(
                    slice("a")
                            .of(
                                    dev("d1").with("v", new DeviceAttribute.Unsupported()),
                                    dev("d2").with("size", "big")));
            use("a", "d1");
            assertThat(got(claim("c", exactly(ask("r", "big", 1))))).isEqualTo("r=a/d2");
        }

        @Test
        void withoutTheFeatureDevicesWithBindingConditionsAreNotHad() {
            features = new DeviceFeatures(true, true, true, true, false, false, true);
            offer(slice("a").of(dev("d1").awaiting("Ready"), dev("d2")));
            assertThat(got(claim("c", exactly(one("r"))))).isEqualTo("r=a/d2");
        }
    }

    @Nested
    @Tag("DR-41")
    @Tag("DR-42")
    @Tag("DR-43")
    class Constraints {
        @Test
        void devicesOnOneBoard() {
            offer(
                    slice("a")
                            .of(
                                    dev("d0"),
                                    dev("d1").with("board", 1),
                                    dev("d2").with("drv/board", 2),
                                    dev("d3").with("board", "1"),
                                    dev("d4").with("board", 2)));
            assertThat(got(claim("c", List.of(matching(SAME)), exactly(ask("r", "any", 2)))))
                    .isEqualTo("r=a/d2 r=a/d4");
            assertThat(got(claim("c", List.of(matching("other/board")), exactly(one("r")))))
                    .isEqualTo("none");
        }

        @Test
        void onlyTheRequestsThatItNames() {
            offer(
                    slice("a")
                            .of(
                                    dev("d1").with("board", 1),
                                    dev("d2").with("board", 2),
                                    dev("d3").with("board", 1)));
            assertThat(
                            got(
                                    claim(
                                            "c",
                                            List.of(matching(SAME, "r1", "l/s")),
                                            exactly(one("r1")),
                                            exactly(one("r2")),
                                            first("l", one("s")))))
                    .isEqualTo("r1=a/d1 r2=a/d2 l/s=a/d3");
        }

        @Test
        void devicesOnDifferentBoards() {
            offer(
                    slice("a")
                            .of(
                                    dev("d1").with("board", 1),
                                    dev("d2").with("board", 1),
                                    dev("d3").with("board", 2)));
            assertThat(
                            got(
                                    claim(
                                            "c",
                                            List.of(distinct(SAME)),
                                            exactly(one("r1")),
                                            exactly(one("r2")))))
                    .isEqualTo("r1=a/d1 r2=a/d3");
        }

        /// kube-scheduler remembers one value for each request.
        @Test
        void withinARequestOnlyTheLatestCounts() {
            offer(
                    slice("a")
                            .of(
                                    dev("d1").with("board", 1),
                                    dev("d2").with("board", 2),
                                    dev("d3").with("board", 1)));
            assertThat(got(claim("c", List.of(distinct(SAME)), exactly(ask("r", "any", 3)))))
                    .isEqualTo("r=a/d1 r=a/d2 r=a/d3");
        }
    }

    @Nested
    @Tag("DR-35")
    class AdminAccess {
        @Test
        void takenDevicesMayBeLookedAt() throws Exception {
            offer(slice("a").of(dev("d1"), dev("d2")));
            use("a", "d1");
            var found =
                    Objects.requireNonNull(
                            allocate(claim("c", exactly(admin(ask("r", "any", 2))))));
            assertThat(text(found.getFirst())).isEqualTo("r=a/d1 r=a/d2");
            assertThat(found.getFirst().results()).allMatch(DeviceAllocation.Result::isAdmin);
            usage.add(found.getFirst());
            assertThat(usage.size()).isOne();
        }

        @Test
        void notTwiceForOneClaimAndNotForOthersBeside() {
            offer(slice("a").of(dev("d1"), dev("d2")));
            assertThat(got(claim("c", exactly(admin(one("r1"))), exactly(admin(one("r2"))))))
                    .isEqualTo("r1=a/d1 r2=a/d2");
            assertThat(got(claim("c1", exactly(admin(one("r")))), claim("c2", exactly(one("r")))))
                    .isEqualTo("r=a/d1 | r=a/d2");
            assertThat(
                            got(
                                    claim("c1", exactly(admin(one("r")))),
                                    claim("c2", exactly(admin(one("r"))))))
                    .isEqualTo("r=a/d1 | r=a/d1");
        }
    }

    /// Forty devices of which any thirteen fail in the end: more combinations than anybody can try.
    @Test
    @Tag("DR-37")
    void searchThatWouldNotEndIsGivenUp() {
        var many =
                IntStream.range(0, 40)
                        .mapToObj(i -> dev("d" + i).with("board", i))
                        .toArray(Dev[]::new);
        offer(slice("a").of(many));
        var claim =
                claim("c", exactly(ask("r1", "any", 13)), exactly(ask("r2", "any", 1, "false")));
        var looks = new AtomicInteger();
        patience = () -> looks.incrementAndGet() == 20;
        assertThatThrownBy(() -> allocate(claim))
                .hasMessage("timed out trying to allocate devices")
                .isInstanceOfSatisfying(
                        AllocationException.class,
                        failed ->
                                assertThat(failed.reach())
                                        .isEqualTo(AllocationException.Reach.TOO_LONG));
        assertThat(looks).as("nobody looks at the clock again").hasValue(20);
    }

    /// kube-scheduler has three allocators and takes the first that knows all features that are on;
    /// there is one here, and a feature that is off is as unknown to it.
    @Test
    @Tag("DR-23")
    void featuresDecideWhichDevicesAreHad() {
        offer(
                slice("a").pool("a", 1, 2).counting("set", "c", 1),
                slice("b").pool("a", 1, 2).of(dev("part").taking("set", "c", 1)),
                slice("c").of(dev("bad").tainted("t", "NoSchedule")),
                slice("d").of(dev("late").awaiting("Attached")));
        var one = claim("c", exactly(one("r")));
        assertThat(got(one)).as("all that is on in 1.36").isEqualTo("r=a/part");
        features = new DeviceFeatures(true, true, false, true, false, true, true);
        offerAgain();
        assertThat(got(one)).as("no partitions, the rest is tainted or late").isEqualTo("r=d/late");
        features = new DeviceFeatures(true, true, false, true, false, false, true);
        offerAgain();
        assertThat(got(one)).as("none with conditions").isEqualTo("none");
        features = new DeviceFeatures(true, true, false, false, false, false, true);
        offerAgain();
        assertThat(got(one)).as("taints mean nothing").isEqualTo("r=c/bad");
    }

    @Test
    void changedSlicesAreSeenAndTheRestIsKept() {
        var before = slice("a").of(dev("d1")).build();
        var after = slice("a").of(dev("d2")).build();
        var other = slice("b").reaching(Reach.of("n2")).of(dev("d3")).build();
        var offered = new Inventory(true);
        offered.changed(null, before);
        var pools = offered.poolsOf(node);
        offered.changed(null, other);
        assertThat(offered.poolsOf(node)).isSameAs(pools);
        offered.changed(before, after);
        inventory = offered;
        assertThat(got(claim("c", exactly(one("r"))))).isEqualTo("r=a/d2");
        offered.changed(after, null);
        assertThat(got(claim("c", exactly(one("r"))))).isEqualTo("none");
        offered.changed(other, null);
        assertThat(offered.size()).isZero();
    }
}
