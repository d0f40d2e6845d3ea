package io.berth.plugins.device;

import static io.berth.plugins.device.Devices.admin;
import static io.berth.plugins.device.Devices.all;
import static io.berth.plugins.device.Devices.ask;
import static io.berth.plugins.device.Devices.claim;
import static io.berth.plugins.device.Devices.dev;
import static io.berth.plugins.device.Devices.deviceClass;
import static io.berth.plugins.device.Devices.distinct;
import static io.berth.plugins.device.Devices.exactly;
import static io.berth.plugins.device.Devices.first;
import static io.berth.plugins.device.Devices.matching;
import static io.berth.plugins.device.Devices.node;
import static io.berth.plugins.device.Devices.slice;
import static io.berth.plugins.device.Devices.taking;
import static io.berth.plugins.device.Devices.tolerating;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.amount.Quantity;
import io.berth.api.device.Device;
import io.berth.api.device.DeviceAllocation;
import io.berth.api.device.DeviceAttribute;
import io.berth.api.device.DeviceClaim;
import io.berth.api.device.DeviceClaim.Ask;
import io.berth.api.device.DeviceId;
import io.berth.api.device.DeviceToleration;
import io.berth.api.device.OpaqueConfig;
import io.berth.api.device.Reach;
import io.berth.api.label.Labels;
import io.berth.api.label.Requirement;
import io.berth.api.model.DeviceClass;
import io.berth.api.model.Node;
import io.berth.api.model.ResourceClaim;
import io.berth.api.spec.NodeSelector;
import io.berth.plugins.device.Devices.Dev;
import io.berth.plugins.device.Devices.Sli;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Which devices a claim gets.
class AllocatorTest {
    private static final String SAME = "drv/board";

    private DeviceFeatures features = DeviceFeatures.DEFAULT;
    private final Map<String, DeviceClass> classes =
            new HashMap<>(
                    Map.of(
                            "any", deviceClass("any"),
                            "big", deviceClass("big", "device.attributes['drv'].size == 'big'"),
                            "broken", deviceClass("broken", "device.attributes['drv'].none")));
    private @Nullable Inventory inventory;
    private Usage usage = new Usage(true);
    private Node node = node("n1");

    private void offer(Sli... slices) {
        var offered = new Inventory(features.partitionable());
        for (var each : slices) {
            offered.changed(null, each.build());
        }
        inventory = offered;
    }

    private @Nullable List<DeviceAllocation> allocate(ResourceClaim... claims)
            throws AllocationException {
        var offered = Objects.requireNonNull(inventory);
        return new Allocator(features, offered, usage, classes::get)
                .allocate(node, List.of(claims), () -> "share");
    }

    /// What each claim gets: `request=pool/device`, separated by blanks and bars; `none`, or why
    /// there was no search.
    private String got(ResourceClaim... claims) {
        try {
            var found = allocate(claims);
            return found == null
                    ? "none"
                    : found.stream().map(AllocatorTest::text).collect(Collectors.joining(" | "));
        } catch (AllocationException failed) {
            return String.valueOf(failed.getMessage());
        }
    }

    private static String text(DeviceAllocation allocation) {
        return allocation.results().stream()
                .map(result ->
                        result.request()
                                + "="
                                + result.device().pool()
                                + "/"
                                + result.device().device())
                .collect(Collectors.joining(" "));
    }

    private void use(String pool, String device) {
        usage.add(allocation(pool, device, null, Map.of()));
    }

    private static DeviceAllocation allocation(
            String pool, String device, @Nullable String share, Map<String, Quantity> consumed) {
        return new DeviceAllocation(
                List.of(
                        new DeviceAllocation.Result(
                                "r",
                                new DeviceId("drv", pool, device),
                                null,
                                List.of(),
                                List.of(),
                                List.of(),
                                share,
                                consumed)),
                List.of(),
                null,
                null);
    }

    private static Ask one(String name) {
        return ask(name, "any", 1);
    }

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
            features = new DeviceFeatures(true, true, false, true, true, true);
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

        @Test
        void otherPoolsDoNoHarm() {
            offer(slice("a").of(dev("d"), dev("d")), slice("b").of(dev("e")));
            assertThat(got(claim("c", exactly(one("r"))))).isEqualTo("r=b/e");
        }
    }

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
            features = new DeviceFeatures(false, false, true, true, true, false);
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
            features = new DeviceFeatures(true, true, true, true, false, true);
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
            features = new DeviceFeatures(true, true, false, true, true, true);
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
            features = new DeviceFeatures(true, true, true, false, true, true);
            assertThat(got(claim("c", exactly(one("r"))))).isEqualTo("r=a/d1");
        }
    }

    @Nested
    @Tag("DR-52")
    @Tag("DR-53")
    @Tag("DR-54")
    class What {
        private static final OpaqueConfig X = new OpaqueConfig("drv", "{\"x\":1}");
        private static final OpaqueConfig Y = new OpaqueConfig("drv", "{\"y\":1}");

        @Test
        void resultTellsAllOfTheDevice() throws Exception {
            offer(slice("a").of(dev("d").awaiting("Ready")));
            var exists = new DeviceToleration("", "Exists", "", "", 5L);
            var found = allocate(claim("c", first("r", tolerating(one("s"), exists))));
            assertThat(found)
                    .containsExactly(
                            new DeviceAllocation(
                                    List.of(
                                            new DeviceAllocation.Result(
                                                    "r/s",
                                                    new DeviceId("drv", "a", "d"),
                                                    null,
                                                    List.of(exists),
                                                    List.of("Ready"),
                                                    List.of(),
                                                    null,
                                                    Map.of())),
                                    List.of(),
                                    onlyOn("n1"),
                                    null));
        }

        private static NodeSelector onlyOn(String name) {
            return new NodeSelector(
                    List.of(
                            new NodeSelector.Term(
                                    List.of(), List.of(Requirement.is("metadata.name", name)))));
        }

        @Test
        void configOfClassesThenOfTheClaim() throws Exception {
            classes.put("any", new DeviceClass("any", null, List.of(), List.of(X), null));
            offer(slice("a").of(dev("d1"), dev("d2"), dev("d3")));
            var spec =
                    new DeviceClaim(
                            List.of(exactly(one("r1")), first("r2", one("s")), exactly(one("r3"))),
                            List.of(),
                            List.of(
                                    new DeviceClaim.Config(List.of("r1", "r3"), Y),
                                    new DeviceClaim.Config(List.of(), X),
                                    new DeviceClaim.Config(List.of("r2/s"), Y),
                                    new DeviceClaim.Config(List.of("r9"), Y)));
            var found = Objects.requireNonNull(allocate(claim("c", spec)));
            assertThat(found.getFirst().config())
                    .containsExactly(
                            new DeviceAllocation.Config(
                                    "FromClass", List.of("r1", "r2/s", "r3"), X),
                            new DeviceAllocation.Config("FromClaim", List.of("r1", "r3"), Y),
                            new DeviceAllocation.Config("FromClaim", List.of("r1", "r3"), Y),
                            new DeviceAllocation.Config("FromClaim", List.of(), X),
                            new DeviceAllocation.Config("FromClaim", List.of("r2/s"), Y));
        }

        @Test
        void nodesAreThoseThatAllDevicesReach() throws Exception {
            node = Node.builder("n1").labels(Labels.of("zone", "a", "rack", "r")).build();
            var zone = Requirement.is("zone", "a");
            var rack = Requirement.is("rack", "r");
            offer(
                    slice("a").selecting(term(zone)).of(dev("d")),
                    slice("b").selecting(term(zone, rack)).of(dev("d")),
                    slice("c").reaching(Reach.everywhere()).of(dev("d")));
            assertThat(selectorOf(3)).isEqualTo(term(zone, rack));
            assertThat(selectorOf(1)).isEqualTo(term(zone));
            offer(slice("c").reaching(Reach.everywhere()).of(dev("d")));
            assertThat(selectorOf(1)).isNull();
            offer(slice("c").reaching(Reach.everywhere()).of(dev("d").bindingToNode()));
            assertThat(selectorOf(1)).isEqualTo(onlyOn("n1"));
            var two =
                    new NodeSelector(
                            List.of(term(zone).terms().getFirst(), term(rack).terms().getFirst()));
            offer(slice("c").selecting(two).of(dev("d")));
            assertThat(got(claim("c", exactly(one("r")))))
                    .isEqualTo(
                            "create NodeSelector for claim c: unsupported"
                                    + " ResourceSlice.NodeSelector with 2 terms");
        }

        private @Nullable NodeSelector selectorOf(int count) throws AllocationException {
            var found =
                    Objects.requireNonNull(allocate(claim("c", exactly(ask("r", "any", count)))));
            return found.getFirst().nodeSelector();
        }

        private static NodeSelector term(Requirement... requirements) {
            return new NodeSelector(
                    List.of(new NodeSelector.Term(List.of(requirements), List.of())));
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
        assertThatThrownBy(() -> allocate(claim))
                .isInstanceOfSatisfying(
                        AllocationException.class,
                        failed ->
                                assertThat(failed.reach())
                                        .isEqualTo(AllocationException.Reach.TOO_LONG));
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
