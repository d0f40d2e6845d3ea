package io.berth.plugins.device;

import static io.berth.plugins.device.Devices.ask;
import static io.berth.plugins.device.Devices.claim;
import static io.berth.plugins.device.Devices.dev;
import static io.berth.plugins.device.Devices.deviceClass;
import static io.berth.plugins.device.Devices.exactly;
import static io.berth.plugins.device.Devices.first;
import static io.berth.plugins.device.Devices.node;
import static io.berth.plugins.device.Devices.slice;
import static io.berth.plugins.device.Devices.taking;
import static io.berth.plugins.device.Devices.tolerating;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.amount.Quantity;
import io.berth.api.device.Device;
import io.berth.api.device.DeviceAllocation;
import io.berth.api.device.DeviceAttribute;
import io.berth.api.device.DeviceClaim;
import io.berth.api.device.DeviceClaim.Ask;
import io.berth.api.device.DeviceId;
import io.berth.api.device.DeviceToleration;
import io.berth.api.device.Reach;
import io.berth.api.model.DeviceClass;
import io.berth.api.model.ResourceClaim;
import io.berth.api.model.ResourceSlice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The allocator finds what a search finds that tries everything, in the same order, and judges
/// each full choice by a plain reading of the rules.
@Tag("DR-33")
@Tag("DR-34")
@Tag("DR-42")
@Tag("DR-46")
@Tag("DR-48")
class PlainAllocationTest {
    private static final int WORLDS = 1500;
    private static final String BOARD = "drv/board";

    /// A device for a request.
    private record Pick(int claim, String request, Ask ask, ResourceSlice slice, Device device) {
        DeviceId id() {
            return new DeviceId(slice.driver(), slice.pool().name(), device.name());
        }
    }

    @Test
    void findsTheFirstOfAllChoicesThatAreRight() throws Exception {
        int found = 0;
        for (int seed = 0; seed < WORLDS; seed++) {
            var world = new World(new Random(seed));
            var allocated = world.allocate();
            var expected = world.search();
            assertThat(text(allocated)).as("seed " + seed).isEqualTo(expected);
            found += expected == null ? 0 : 1;
        }
        assertThat(found).as("worlds with a solution").isBetween(WORLDS / 5, WORLDS * 4 / 5);
    }

    private static @Nullable List<String> text(@Nullable List<DeviceAllocation> allocations) {
        if (allocations == null) {
            return null;
        }
        var result = new ArrayList<String>();
        for (int i = 0; i < allocations.size(); i++) {
            for (var each : allocations.get(i).results()) {
                result.add(i + ":" + each.request() + "=" + each.device());
            }
        }
        return result;
    }

    /// Some slices that node n1 sees, some owners, one or two claims.
    private static final class World {
        private final Random random;
        private final List<ResourceSlice> slices = new ArrayList<>();
        private final Map<DeviceId, Map<String, Quantity>> shares = new HashMap<>();
        private final Set<DeviceId> owned = new HashSet<>();
        private final List<ResourceClaim> claims = new ArrayList<>();
        private final Usage usage = new Usage(true);
        private final Map<String, DeviceClass> classes =
                Map.of(
                        "any", deviceClass("any"),
                        "big",
                                deviceClass(
                                        "big",
                                        "device.attributes['drv'].?size.orValue('') == 'big'"));

        World(Random random) {
            this.random = random;
            offer();
            own();
            for (int i = 0; i <= random.nextInt(2); i++) {
                claims.add(claim(i));
            }
        }

        private void offer() {
            for (String pool : List.of("p1", "p2")) {
                boolean hasCounters = random.nextBoolean();
                int count = hasCounters ? 3 : 2;
                if (hasCounters) {
                    slices.add(
                            slice(pool + "-counters")
                                    .pool(pool, 1, count)
                                    .counting("set", "c", 1 + random.nextInt(4))
                                    .build());
                }
                slices.add(
                        slice(pool + "-b")
                                .pool(pool, 1, count)
                                .of(
                                        device(pool + "-x", hasCounters),
                                        device(pool + "-y", hasCounters))
                                .build());
                slices.add(
                        slice(pool + "-a")
                                .pool(pool, 1, count)
                                .reaching(
                                        random.nextInt(3) == 0
                                                ? Reach.of("n2")
                                                : Reach.everywhere())
                                .of(device(pool + "-z", hasCounters))
                                .build());
            }
        }

        private Devices.Dev device(String name, boolean hasCounters) {
            var result = dev(name);
            if (random.nextInt(4) != 0) {
                result.with("board", random.nextInt(2));
            }
            if (random.nextBoolean()) {
                result.with("size", random.nextBoolean() ? "big" : "small");
            }
            if (hasCounters && random.nextInt(3) != 0) {
                result.taking("set", "c", 1 + random.nextInt(2));
            }
            if (random.nextInt(5) == 0) {
                result.tainted("k", "NoSchedule");
            }
            result.holding("m", String.valueOf(2 + random.nextInt(5)));
            return random.nextInt(3) == 0 ? result.shared() : result;
        }

        private void own() {
            for (var slice : slices) {
                for (var device : slice.devices()) {
                    if (random.nextInt(5) != 0) {
                        continue;
                    }
                    var id = new DeviceId("drv", slice.pool().name(), device.name());
                    Map<String, Quantity> share =
                            device.isShareable() ? Map.of("m", Quantity.of(1)) : Map.of();
                    if (share.isEmpty()) {
                        owned.add(id);
                    } else {
                        shares.put(id, share);
                    }
                    usage.add(
                            new DeviceAllocation(
                                    List.of(
                                            new DeviceAllocation.Result(
                                                    "r",
                                                    id,
                                                    null,
                                                    List.of(),
                                                    List.of(),
                                                    List.of(),
                                                    share.isEmpty() ? null : "s",
                                                    share)),
                                    List.of(),
                                    null,
                                    null));
                }
            }
        }

        private ResourceClaim claim(int index) {
            var requests = new ArrayList<DeviceClaim.Request>();
            for (int i = 0; i <= random.nextInt(2); i++) {
                String name = "r" + i;
                requests.add(
                        random.nextInt(3) == 0
                                ? first(name, anAsk("s0"), anAsk("s1"))
                                : exactly(anAsk(name)));
            }
            var constraints = new ArrayList<DeviceClaim.Constraint>();
            if (random.nextInt(3) == 0) {
                constraints.add(Devices.matching(BOARD));
            }
            if (random.nextInt(4) == 0) {
                constraints.add(Devices.matching(BOARD, "r0", "r1/s0"));
            }
            return claim("c" + index, new DeviceClaim(requests, constraints, List.of()));
        }

        private static ResourceClaim claim(String name, DeviceClaim spec) {
            return Devices.claim(name, spec);
        }

        private Ask anAsk(String name) {
            var result = ask(name, random.nextBoolean() ? "any" : "big", 1 + random.nextInt(2));
            if (random.nextInt(3) == 0) {
                result = taking(result, "m", String.valueOf(1 + random.nextInt(4)));
            }
            return random.nextInt(3) == 0
                    ? tolerating(result, new DeviceToleration("k", "Exists", "", "", null))
                    : result;
        }

        @Nullable List<DeviceAllocation> allocate() throws AllocationException {
            var inventory = new Inventory(true);
            slices.forEach(slice -> inventory.changed(null, slice));
            return new Allocator(DeviceFeatures.DEFAULT, inventory, usage, classes::get)
                    .allocate(node("n1"), claims, () -> "s", Patience.ENDLESS);
        }

        /// All slices in the order of a search.
        private List<ResourceSlice> inOrder() {
            return slices.stream()
                    .filter(slice -> slice.sharedCounters().isEmpty())
                    .filter(slice -> slice.nodes().includes(node("n1")))
                    .sorted(Comparator.comparing(ResourceSlice::name))
                    .toList();
        }

        @Nullable List<String> search() {
            var devices = new ArrayList<Pick>();
            for (var slice : inOrder()) {
                for (var device : slice.devices()) {
                    devices.add(new Pick(0, "", anyAsk(), slice, device));
                }
            }
            return from(0, 0, new ArrayList<>(), devices);
        }

        private static Ask anyAsk() {
            return ask("", "any", 0);
        }

        private @Nullable List<String> from(
                int claim, int request, List<Pick> picks, List<Pick> devices) {
            if (claim == claims.size()) {
                return isRight(picks) ? shown(picks) : null;
            }
            var requests = claims.get(claim).spec().requests();
            if (request == requests.size()) {
                return from(claim + 1, 0, picks, devices);
            }
            var next = requests.get(request);
            if (next.exactly() != null) {
                return choose(claim, request, next.name(), next.exactly(), 0, 0, picks, devices);
            }
            for (var ask : next.firstAvailable()) {
                var found =
                        choose(
                                claim,
                                request,
                                next.name() + "/" + ask.name(),
                                ask,
                                0,
                                0,
                                picks,
                                devices);
                if (found != null) {
                    return found;
                }
            }
            return null;
        }

        private @Nullable List<String> choose(
                int claim,
                int request,
                String name,
                Ask ask,
                int count,
                int start,
                List<Pick> picks,
                List<Pick> devices) {
            if (count == ask.count()) {
                return from(claim, request + 1, picks, devices);
            }
            for (int i = start; i < devices.size(); i++) {
                var device = devices.get(i);
                picks.add(new Pick(claim, name, ask, device.slice, device.device));
                var found = choose(claim, request, name, ask, count + 1, i + 1, picks, devices);
                picks.removeLast();
                if (found != null) {
                    return found;
                }
            }
            return null;
        }

        private static List<String> shown(List<Pick> picks) {
            return picks.stream()
                    .map(pick -> pick.claim + ":" + pick.request + "=" + pick.id())
                    .toList();
        }

        private boolean isRight(List<Pick> picks) {
            return picks.stream().allMatch(this::mayHave)
                    && noneTwice(picks)
                    && fitsCapacity(picks)
                    && fitsCounters(picks)
                    && boardsMatch(picks);
        }

        private boolean mayHave(Pick pick) {
            boolean isBig =
                    new DeviceAttribute.Text("big").equals(pick.device.attributes().get("size"));
            return (isBig || pick.ask.deviceClass().equals("any"))
                    && (pick.device.taints().isEmpty() || !pick.ask.tolerations().isEmpty())
                    && !owned.contains(pick.id());
        }

        private static boolean noneTwice(List<Pick> picks) {
            var seen = new HashSet<DeviceId>();
            return picks.stream()
                    .allMatch(pick -> pick.device.isShareable() || seen.add(pick.id()));
        }

        private boolean fitsCapacity(List<Pick> picks) {
            var sums = new HashMap<DeviceId, Long>();
            shares.forEach((id, amounts) ->
                    sums.put(id, amounts.getOrDefault("m", Quantity.ZERO).value()));
            for (var pick : picks) {
                long has = requireNonNull(pick.device.capacity().get("m")).value().value();
                var asked = pick.ask.capacity("m");
                long wants = asked == null ? has : asked.value();
                if (sums.merge(pick.id(), wants, Long::sum) > has) {
                    return false;
                }
            }
            return true;
        }

        /// Devices that share counters are charged once, however many shares of them there are.
        private boolean fitsCounters(List<Pick> picks) {
            var used = new HashSet<DeviceId>(owned);
            used.addAll(shares.keySet());
            boolean hasNew = false;
            for (var pick : picks) {
                used.add(pick.id());
                hasNew |= !pick.device.consumes().isEmpty() && !shares.containsKey(pick.id());
            }
            for (String pool : List.of("p1", "p2")) {
                boolean isTouched =
                        picks.stream()
                                .anyMatch(pick ->
                                        pick.slice.pool().name().equals(pool)
                                                && !pick.device.consumes().isEmpty()
                                                && !shares.containsKey(pick.id()));
                if (hasNew && isTouched && sum(pool, used) > limit(pool)) {
                    return false;
                }
            }
            return true;
        }

        private long sum(String pool, Set<DeviceId> used) {
            return slices.stream()
                    .filter(slice -> slice.pool().name().equals(pool))
                    .flatMap(slice -> slice.devices().stream())
                    .filter(device -> used.contains(new DeviceId("drv", pool, device.name())))
                    .flatMap(device -> device.consumes().stream())
                    .mapToLong(set -> requireNonNull(set.counters().get("c")).value())
                    .sum();
        }

        private long limit(String pool) {
            return slices.stream()
                    .filter(slice -> slice.pool().name().equals(pool))
                    .flatMap(slice -> slice.sharedCounters().stream())
                    .mapToLong(set -> requireNonNull(set.counters().get("c")).value())
                    .sum();
        }

        private boolean boardsMatch(List<Pick> picks) {
            for (int i = 0; i < claims.size(); i++) {
                for (var constraint : claims.get(i).spec().constraints()) {
                    var boards = new ArrayList<@Nullable DeviceAttribute>();
                    for (var pick : picks) {
                        boolean isMeant =
                                constraint.requests().isEmpty()
                                        || constraint.requests().contains(pick.request)
                                        || constraint
                                                .requests()
                                                .contains(pick.request.replaceAll("/.*", ""));
                        if (pick.claim == i && isMeant) {
                            boards.add(pick.device.attributes().get("board"));
                        }
                    }
                    if (boards.contains(null) || new HashSet<>(boards).size() > 1) {
                        return false;
                    }
                }
            }
            return true;
        }
    }
}
