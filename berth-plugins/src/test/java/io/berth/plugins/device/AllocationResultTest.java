package io.berth.plugins.device;

import static io.berth.plugins.device.Devices.ask;
import static io.berth.plugins.device.Devices.claim;
import static io.berth.plugins.device.Devices.dev;
import static io.berth.plugins.device.Devices.exactly;
import static io.berth.plugins.device.Devices.first;
import static io.berth.plugins.device.Devices.node;
import static io.berth.plugins.device.Devices.slice;
import static io.berth.plugins.device.Devices.tolerating;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.device.DeviceAllocation;
import io.berth.api.device.DeviceClaim;
import io.berth.api.device.DeviceId;
import io.berth.api.device.DeviceToleration;
import io.berth.api.device.OpaqueConfig;
import io.berth.api.device.Reach;
import io.berth.api.label.Labels;
import io.berth.api.label.Requirement;
import io.berth.api.model.DeviceClass;
import io.berth.api.model.Node;
import io.berth.api.spec.NodeSelector;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What an allocation says.
class AllocationResultTest extends AllocatorBed {
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
}
