package io.berth.plugins.dynamicresources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.device.Device;
import io.berth.api.device.DeviceAllocation;
import io.berth.api.device.DeviceClaim;
import io.berth.api.device.DeviceClaim.Ask;
import io.berth.api.device.DeviceId;
import io.berth.api.device.Reach;
import io.berth.api.event.Registration.Hint;
import io.berth.api.handle.Log;
import io.berth.api.label.Requirement;
import io.berth.api.model.DeviceClass;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.model.ResourceClaim;
import io.berth.api.model.ResourceClaim.Condition;
import io.berth.api.model.ResourceClaim.DeviceStatus;
import io.berth.api.model.ResourceSlice;
import io.berth.api.spec.NodeSelector;
import io.berth.api.spec.PodClaim;
import io.berth.api.spec.PodSpec;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import io.berth.plugins.TestCluster;
import io.berth.plugins.device.Allocator;
import io.berth.plugins.device.DeviceBook;
import io.berth.plugins.device.DeviceFeatures;
import io.berth.plugins.device.Patience;
import io.berth.plugins.device.Shapes;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What claims mean for a pod, before nodes, on a node, and while it waits.
class ClaimRulesTest {
    private static final DeviceId DEVICE = new DeviceId("drv", "p", "d");

    private final TestCluster cluster = new TestCluster();
    private final DeviceBook book = new DeviceBook(DeviceFeatures.DEFAULT, Log.NONE);
    private final Allocator allocator = Allocator.of(DeviceFeatures.DEFAULT, book);
    private final Shapes shapes = new Shapes(book, allocator);

    @BeforeEach
    void observe() {
        cluster.observe(book);
        cluster.add(
                Node.builder("n1").build(),
                Node.builder("n2").build(),
                new DeviceClass("any", null, List.of(), List.of(), null),
                new ResourceSlice(
                        "s",
                        "drv",
                        new ResourceSlice.Pool("p", 1, 1),
                        Reach.of("n1"),
                        null,
                        List.of(Device.of("d", Map.of())),
                        List.of()));
    }

    private static Ask ask(String name, String deviceClass) {
        return new Ask(name, deviceClass, List.of(), Ask.EXACT_COUNT, 1, null, List.of(), null);
    }

    private static ResourceClaim claim(String name, DeviceClaim.Request... requests) {
        return new ResourceClaim(
                "ns",
                name,
                name + "-uid",
                "1",
                null,
                false,
                false,
                false,
                new DeviceClaim(List.of(requests), List.of(), List.of()),
                null,
                List.of(),
                List.of());
    }

    private static ResourceClaim wanting(String name, String deviceClass) {
        return claim(name, new DeviceClaim.Request("r", ask("r", deviceClass), List.of()));
    }

    private static DeviceAllocation allocation(
            @Nullable String node, @Nullable Instant at, String... conditions) {
        var selector =
                node == null
                        ? null
                        : new NodeSelector(
                                List.of(
                                        new NodeSelector.Term(
                                                List.of(),
                                                List.of(Requirement.is("metadata.name", node)))));
        return new DeviceAllocation(
                List.of(
                        new DeviceAllocation.Result(
                                "r",
                                DEVICE,
                                null,
                                List.of(),
                                List.of(conditions),
                                List.of("Broken"),
                                null,
                                Map.of())),
                List.of(),
                selector,
                at);
    }

    @Nested
    @Tag("DR-7")
    class BeforeNodes {
        private final ClaimCheck check = new ClaimCheck(book, true);

        @Test
        void nothingSpeaksAgainstAClaimWithItsClass() {
            assertThat(check.problem(List.of(wanting("c", "any")))).isNull();
        }

        @Test
        void classMustExist() {
            assertThat(check.problem(List.of(wanting("c", "none"))))
                    .isEqualTo("request r: device class none does not exist");
            var list =
                    claim(
                            "c",
                            new DeviceClaim.Request(
                                    "l", null, List.of(ask("a", "any"), ask("b", "none"))));
            assertThat(check.problem(List.of(list)))
                    .isEqualTo("request l/b: device class none does not exist");
            assertThatThrownBy(() -> check.problem(List.of(wanting("c", ""))))
                    .hasMessage("request r: unsupported request type");
        }

        @Test
        void requestMustBeUnderstood() {
            var odd = claim("c", new DeviceClaim.Request("r", null, List.of()));
            assertThat(check.problem(List.of(odd)))
                    .isEqualTo("resource claim ns/c, request r: unknown request type");
            var list = claim("c", new DeviceClaim.Request("r", null, List.of(ask("a", "any"))));
            assertThat(new ClaimCheck(book, false).problem(List.of(list)))
                    .isEqualTo(
                            "resource claim ns/c, request r: has subrequests, but the"
                                    + " DRAPrioritizedList feature is disabled");
        }

        @Test
        void allocationUnderWayIsWaitedFor() {
            var claim = wanting("c", "any");
            cluster.add(claim);
            book.take(claim, allocation("n1", null));
            assertThat(check.problem(List.of(claim)))
                    .isEqualTo("resource claim ns/c is in the process of being allocated");
        }
    }

    @Nested
    @Tag("DR-12")
    @Tag("DR-13")
    class OnNodes {
        private final BitSet lost = new BitSet();
        private final BitSet inTheWay = new BitSet();

        private Verdict on(String node, ResourceClaim... claims) {
            var all = List.of(claims);
            var open = all.stream().filter(claim -> claim.allocation() == null).toList();
            var judge =
                    new ClaimJudge(
                            cluster.columns(),
                            book,
                            all,
                            _ ->
                                    new OnNode.Wanted(
                                            open,
                                            open.isEmpty() ? null : shapes.of(open),
                                            List.of()),
                            () -> Patience.ENDLESS,
                            lost,
                            inTheWay,
                            new LesserClaims(
                                    book, shapes, cluster.columns(), () -> Patience.ENDLESS));
            int slot = cluster.columns().slotOf(node);
            var verdict = judge.explain(slot);
            assertThat(judge.passes(slot)).isEqualTo(verdict.equals(Verdict.PASS));
            return verdict;
        }

        @Test
        void devicesAreWhereTheyAre() {
            var claim = wanting("c", "any");
            assertThat(on("n1", claim)).isEqualTo(Verdict.PASS);
            assertThat(on("n2", claim)).isEqualTo(Refusal.hopeless("cannot allocate all claims"));
            assertThat(inTheWay.isEmpty()).isTrue();
        }

        @Test
        void allocatedClaimIsUsableWhereItsDevicesAre() {
            var claim = wanting("c", "any").with(allocation("n1", null), List.of(), List.of());
            assertThat(on("n1", claim)).isEqualTo(Verdict.PASS);
            assertThat(inTheWay.isEmpty()).isTrue();
            assertThat(on("n2", claim))
                    .isEqualTo(Refusal.hopeless("resourceclaim not available on the node"));
            assertThat(inTheWay.get(0)).isTrue();
        }

        @Test
        void lostClaimIsUsableNowhere() {
            var claim = wanting("c", "any").with(allocation(null, null), List.of(), List.of());
            assertThat(on("n2", claim)).isEqualTo(Verdict.PASS);
            lost.set(0);
            assertThat(on("n2", claim))
                    .isEqualTo(Refusal.hopeless("resourceclaim not available on the node"));
        }

        @Test
        void failedAllocationIsToldFirst() {
            var there = wanting("c", "any").with(allocation("n1", null), List.of(), List.of());
            assertThat(on("n2", there, wanting("d", "any")))
                    .isEqualTo(Refusal.hopeless("cannot allocate all claims"));
            assertThat(inTheWay.isEmpty()).isTrue();
        }

        @Test
        void brokenSelectorEndsTheAttempt() {
            cluster.add(new DeviceClass("odd", null, List.of("device.x"), List.of(), null));
            assertThatThrownBy(() -> on("n1", wanting("c", "odd")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("class odd: selector #0: CEL compile error:");
        }
    }

    @Nested
    @Tag("DR-12")
    @Tag("DR-19")
    class Conditions {
        private ResourceClaim told(Condition... conditions) {
            return wanting("c", "any")
                    .with(
                            allocation("n1", Instant.EPOCH, "Ready"),
                            List.of(),
                            List.of(new DeviceStatus(DEVICE, null, List.of(conditions))));
        }

        @Test
        void allMustHoldAndNoneMayFail() {
            var ready = new Condition("Ready", "True", "", "");
            assertThat(Readiness.of(told(ready))).isEqualTo(Readiness.READY);
            assertThat(Readiness.of(told(new Condition("Ready", "False", "", ""))))
                    .isEqualTo(Readiness.WAITING);
            assertThat(Readiness.of(told())).isEqualTo(Readiness.WAITING);
            assertThat(Readiness.of(told(ready, new Condition("Broken", "True", "Hot", "a \"b\""))))
                    .isEqualTo(
                            new Readiness.Failed(
                                    "device binding failed: claim=c, reason=Hot, message=\"a"
                                            + " \\\"b\\\"\""));
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "caf\u00e9 \ud83d\ude00 | caf\u00e9 \ud83d\ude00",
                    "a\\b | a\\\\b",
                    "1\u00012\u007f3 | 1\\x012\\x7f3",
                    "1\u00072\u000b3 | 1\\a2\\v3",
                    "1\u200b2\u00a03\ue0004 | 1\\u200b2\\u00a03\\ue0004",
                    "1\udb40\udc01 | 1\\U000e0001",
                })
        void reasonIsQuotedAsGoDoes(String message, String quoted) {
            assertThat(Readiness.of(told(new Condition("Broken", "True", "Hot", message))))
                    .isEqualTo(
                            new Readiness.Failed(
                                    "device binding failed: claim=c, reason=Hot, message=\"%s\""
                                            .formatted(quoted)));
        }

        @Test
        void nobodyWaitsWithoutConditions() {
            var claim = wanting("c", "any").with(allocation("n1", null), List.of(), List.of());
            assertThat(Readiness.of(claim)).isEqualTo(Readiness.READY);
            assertThat(Readiness.of(wanting("c", "any"))).isEqualTo(Readiness.WAITING);
        }

        @Test
        void timeIsLimited() {
            var limit = Duration.ofMinutes(10);
            assertThat(Readiness.isLate(told(), Instant.ofEpochSecond(600), limit)).isFalse();
            assertThat(Readiness.isLate(told(), Instant.ofEpochSecond(601), limit)).isTrue();
            var unawaited =
                    wanting("c", "any").with(allocation("n1", Instant.EPOCH), List.of(), List.of());
            assertThat(Readiness.isLate(unawaited, Instant.ofEpochSecond(601), limit)).isFalse();
        }
    }

    @Nested
    @Tag("DR-22")
    class Waking {
        private final ClaimHints hints = new ClaimHints(book::claim);
        private final ResourceClaim own = wanting("own", "any");
        private final ResourceClaim other = wanting("other", "any");
        private final Pod pod =
                Pod.builder("ns", "p")
                        .uid("u")
                        .spec(PodSpec.builder().resourceClaim(PodClaim.of("c", "own")).build())
                        .build();

        private ResourceClaim allocated(ResourceClaim claim) {
            return claim.with(allocation("n1", null), List.of(), List.of());
        }

        @Test
        void ownClaimThatCameOrChangedItsStatus() {
            assertThat(hints.afterClaim(pod, null, own)).isEqualTo(Hint.SKIP);
            cluster.add(own);
            assertThat(hints.afterClaim(pod, null, own)).isEqualTo(Hint.QUEUE);
            assertThat(hints.afterClaim(pod, own, allocated(own))).isEqualTo(Hint.QUEUE);
            assertThat(hints.afterClaim(pod, own, own)).isEqualTo(Hint.SKIP);
        }

        @Test
        void otherClaimThatFreesItsDevices() {
            cluster.add(own);
            assertThat(hints.afterClaim(pod, allocated(other), other)).isEqualTo(Hint.QUEUE);
            assertThat(hints.afterClaim(pod, other, allocated(other))).isEqualTo(Hint.SKIP);
            assertThat(hints.afterClaim(pod, null, other)).isEqualTo(Hint.SKIP);
        }

        @Test
        void otherClaimThatGoesWithItsDevices() {
            cluster.add(own);
            assertThat(hints.afterClaim(pod, allocated(other), null)).isEqualTo(Hint.QUEUE);
            assertThat(hints.afterClaim(pod, other, null)).isEqualTo(Hint.SKIP);
        }

        @Test
        void podThatGotItsClaims() {
            assertThat(hints.afterPod(pod, pod, pod)).isEqualTo(Hint.SKIP);
            cluster.add(own);
            assertThat(hints.afterPod(pod, pod, pod)).isEqualTo(Hint.QUEUE);
            var stranger = Pod.builder("ns", "q").uid("v").spec(pod.spec()).build();
            assertThat(hints.afterPod(pod, stranger, stranger)).isEqualTo(Hint.SKIP);
            assertThat(Objects.requireNonNull(book.claim("ns", "own"))).isEqualTo(own);
        }
    }
}
