package io.berth.plugins.device;

import static io.berth.plugins.device.Devices.ask;
import static io.berth.plugins.device.Devices.claim;
import static io.berth.plugins.device.Devices.dev;
import static io.berth.plugins.device.Devices.deviceClass;
import static io.berth.plugins.device.Devices.exactly;
import static io.berth.plugins.device.Devices.first;
import static io.berth.plugins.device.Devices.node;
import static io.berth.plugins.device.Devices.slice;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.device.DeviceAllocation;
import io.berth.api.device.DeviceClaim;
import io.berth.api.device.Reach;
import io.berth.api.handle.Log;
import io.berth.api.model.Node;
import io.berth.api.model.ResourceClaim;
import io.berth.api.model.ResourceSlice;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Devices that are taken, seen and given back, and answers that are kept.
class DeviceBookTest {
    private static final int NODES = 4;

    private final DeviceBook book = new DeviceBook(DeviceFeatures.DEFAULT, Log.NONE);
    private final Allocator allocator = Allocator.of(DeviceFeatures.DEFAULT, book);
    private final Shapes shapes = new Shapes(book, allocator);

    @BeforeEach
    void fill() {
        book.objectChanged(null, deviceClass("any"));
        for (int i = 0; i < NODES; i++) {
            book.nodeChanged(i, null, node("n" + i));
            book.objectChanged(null, sliceOn(i, 1, 2));
        }
    }

    private static ResourceSlice sliceOn(int node, long generation, int devices) {
        var slice =
                slice("s" + node).pool("p" + node, generation, 1).reaching(Reach.of("n" + node));
        for (int i = 0; i < devices; i++) {
            slice.of(dev("d" + i));
        }
        return slice.build();
    }

    private static ResourceClaim wants(String name, int count) {
        return claim(name, exactly(ask("r", "any", count)));
    }

    private static ResourceClaim version(ResourceClaim claim, int version) {
        return new ResourceClaim(
                claim.namespace(),
                claim.name(),
                claim.uid(),
                Integer.toString(version),
                claim.controller(),
                claim.isTerminating(),
                claim.isProtected(),
                claim.isForExtendedResources(),
                claim.spec(),
                claim.allocation(),
                claim.reservedFor(),
                claim.devices());
    }

    private List<Integer> fitting(ResourceClaim... claims) throws AllocationException {
        var answers = shapes.of(List.of(claims));
        var result = new ArrayList<Integer>();
        for (int i = 0; i < NODES; i++) {
            if (answers.fits(i, node("n" + i), List.of(claims), Patience.ENDLESS)) {
                result.add(i);
            }
        }
        return result;
    }

    private DeviceAllocation allocate(int node, ResourceClaim claim) throws AllocationException {
        var found =
                allocator.allocate(node("n" + node), List.of(claim), () -> "s", Patience.ENDLESS);
        return Objects.requireNonNull(found).getFirst();
    }

    /// When devices were given is known once it is written; whatever was worked out stays right.
    @Test
    void writingDownWhatWasTakenMakesNoNodeStale() throws AllocationException {
        var claim = version(wants("c", 1), 1);
        book.objectChanged(null, claim);
        assertThat(fitting(claim)).contains(0);
        long before = book.stamp(0);
        var allocation = allocate(0, claim);
        book.take(claim, allocation);
        long stamp = book.stamp(0);
        assertThat(stamp).isGreaterThan(before);

        var written = claim.with(allocation.at(Instant.EPOCH), List.of(), List.of());
        book.wrote(version(written, 2));

        assertThat(book.stamp(0)).isEqualTo(stamp);
        assertThat(book.usage().size()).isEqualTo(1);
    }

    /// A claim for extended resources is a thought until it is made; it goes by another uid then.
    @Test
    @Tag("DR-64")
    void makingTheClaimThatWasThoughtOfMakesNoNodeStale() throws AllocationException {
        var thought = wants("thought", 1);
        assertThat(fitting(thought)).contains(0);
        book.take(thought, allocate(0, thought));
        long stamp = book.stamp(0);

        var made = version(wants("made", 1), 1);
        book.made(thought, made);

        assertThat(book.stamp(0)).isEqualTo(stamp);
        assertThat(book.usage().size()).isEqualTo(1);
        book.giveBack(made);
        assertThat(book.stamp(0)).isGreaterThan(stamp);
        assertThat(book.usage().size()).isZero();
    }

    @Test
    @Tag("DR-17")
    @Tag("DR-20")
    void takenDevicesAreGoneUntilTheyAreGivenBack() throws Exception {
        var claim = wants("c", 2);
        book.objectChanged(null, claim);
        assertThat(fitting(claim)).containsExactly(0, 1, 2, 3);
        book.take(claim, allocate(1, claim));
        assertThat(book.isInFlight(claim)).isTrue();
        assertThat(fitting(wants("other", 1))).containsExactly(0, 2, 3);
        book.giveBack(claim);
        book.giveBack(claim);
        assertThat(fitting(wants("other", 1))).containsExactly(0, 1, 2, 3);
        assertThat(book.usage().size()).isZero();
    }

    @Test
    @Tag("DR-9")
    void whatIsWrittenCountsOnceHoweverItIsSeen() throws Exception {
        var claim = wants("c", 1);
        book.objectChanged(null, claim);
        var allocation = allocate(0, claim);
        book.take(claim, allocation);
        var written = version(claim.with(allocation, List.of(), List.of()), 2);
        book.wrote(written);
        assertThat(book.isInFlight(claim)).isFalse();
        assertThat(book.claim("ns", "c")).isEqualTo(written);
        assertThat(book.usage().size()).isOne();
        book.objectChanged(claim, written);
        assertThat(book.usage().size()).isOne();
        var freed = version(written.with(null, List.of(), List.of()), 3);
        book.objectChanged(written, freed);
        assertThat(book.usage().size()).isZero();
    }

    @Test
    @Tag("DR-9")
    void claimThatGoesFreesItsDevices() throws Exception {
        var claim = wants("c", 1);
        book.objectChanged(null, claim);
        book.take(claim, allocate(0, claim));
        book.objectChanged(claim, null);
        assertThat(book.usage().size()).isZero();
        assertThat(book.isInFlight(claim)).isFalse();
    }

    @Test
    void onlyNodesWhosePoolsChangedAreSearchedAgain() throws Exception {
        var claim = wants("c", 2);
        book.objectChanged(null, claim);
        assertThat(fitting(claim)).hasSize(NODES);
        var answers = shapes.of(List.of(claim));
        assertThat(answers.searches()).isEqualTo(NODES);
        assertThat(fitting(wants("same", 2))).hasSize(NODES);
        assertThat(answers.searches()).isEqualTo(NODES);
        book.take(claim, allocate(2, claim));
        assertThat(fitting(wants("same", 2))).containsExactly(0, 1, 3);
        assertThat(answers.searches()).isEqualTo(NODES + 1);
        book.objectChanged(sliceOn(1, 1, 2), sliceOn(1, 2, 1));
        assertThat(fitting(wants("same", 2))).containsExactly(0, 3);
        assertThat(answers.searches()).isEqualTo(NODES + 2);
        book.objectChanged(deviceClass("any"), deviceClass("any", "false"));
        assertThat(fitting(wants("same", 2))).isEmpty();
        assertThat(answers.searches()).isEqualTo(2 * NODES + 2);
    }

    @Test
    @Tag("DR-16")
    void earlierSubrequestsAreWorthMore() throws Exception {
        var claim = claim("c", first("l", ask("two", "any", 2), ask("one", "any", 1)));
        var taker = wants("t", 1);
        book.objectChanged(null, taker);
        book.take(taker, allocate(3, taker));
        assertThat(fitting(claim)).hasSize(NODES);
        assertThat(shapes.of(List.of(claim)).score(0)).isEqualTo(8);
        assertThat(shapes.of(List.of(claim)).score(3)).isEqualTo(7);
    }

    /// After any history the kept answers are those of an allocator that was never asked before.
    @Test
    void keptAnswersAreThoseOfAFreshLook() throws Exception {
        for (int seed = 0; seed < 40; seed++) {
            new History(new Random(seed)).run();
        }
    }

    /// Slices that come and go, claims that take and give back.
    private static final class History {
        private final Random random;
        private final DeviceBook book = new DeviceBook(DeviceFeatures.DEFAULT, Log.NONE);
        private final Allocator allocator = Allocator.of(DeviceFeatures.DEFAULT, book);
        private final Shapes shapes = new Shapes(book, allocator);
        private final Map<String, ResourceSlice> slices = new HashMap<>();
        private final Map<String, ResourceClaim> claims = new HashMap<>();
        private final List<DeviceClaim> wishes =
                List.of(
                        wants("x", 1).spec(),
                        wants("x", 2).spec(),
                        claim("x", first("l", ask("two", "any", 2), ask("one", "any", 1))).spec());

        History(Random random) {
            this.random = random;
            book.objectChanged(null, deviceClass("any"));
            for (int i = 0; i < NODES; i++) {
                book.nodeChanged(i, null, node("n" + i));
            }
        }

        void run() throws AllocationException {
            for (int step = 0; step < 60; step++) {
                if (random.nextInt(3) == 0) {
                    changeSlice();
                } else {
                    changeClaim();
                }
                for (var wish : wishes) {
                    check(wish);
                }
            }
        }

        private void changeSlice() {
            String name = "s" + random.nextInt(6);
            var before = slices.get(name);
            @Nullable ResourceSlice after =
                    before != null && random.nextInt(3) == 0 ? null : aSlice(name);
            if (before == null && after == null) {
                return;
            }
            book.objectChanged(before, after);
            if (after == null) {
                slices.remove(name);
            } else {
                slices.put(name, after);
            }
        }

        private ResourceSlice aSlice(String name) {
            var slice =
                    slice(name)
                            .pool(
                                    "p" + random.nextInt(3),
                                    1 + random.nextInt(2),
                                    1 + random.nextInt(2))
                            .reaching(
                                    random.nextInt(5) == 0
                                            ? Reach.everywhere()
                                            : Reach.of("n" + random.nextInt(NODES)));
            if (random.nextInt(4) == 0) {
                return slice.counting(random.nextInt(4) == 0 ? "other" : "set", "c", 2).build();
            }
            for (int i = 0; i <= random.nextInt(3); i++) {
                var device = dev(name + "-d" + i);
                slice.of(random.nextInt(3) == 0 ? device.taking("set", "c", 1) : device);
            }
            return slice.build();
        }

        private void changeClaim() {
            String name = "c" + random.nextInt(5);
            var known = claims.get(name);
            if (known == null) {
                var claim = claim(name, wishes.get(random.nextInt(wishes.size())));
                claims.put(name, claim);
                book.objectChanged(null, claim);
            } else if (book.isInFlight(known)) {
                book.giveBack(known);
            } else if (random.nextInt(4) == 0) {
                claims.remove(name);
                book.objectChanged(known, null);
            } else {
                takeFor(known);
            }
        }

        private void takeFor(ResourceClaim claim) {
            try {
                var found =
                        allocator.allocate(
                                node("n" + random.nextInt(NODES)),
                                List.of(claim),
                                () -> "s",
                                Patience.ENDLESS);
                if (found != null) {
                    book.take(claim, found.getFirst());
                }
            } catch (AllocationException _) {
                // Then it gets nothing.
            }
        }

        private void check(DeviceClaim wish) {
            var claim = claim("asked", wish);
            var kept = shapes.of(List.of(claim));
            var fresh = new Inventory(true);
            slices.values().forEach(slice -> fresh.changed(null, slice));
            var plain =
                    new Allocator(DeviceFeatures.DEFAULT, fresh, book.usage(), book::deviceClass);
            for (int i = 0; i < NODES; i++) {
                Node node = node("n" + i);
                String expected = answer(plain, node, claim);
                String actual = answer(kept, i, node, claim);
                assertThat(actual).isEqualTo(expected);
            }
        }

        private static String answer(KeptAnswers kept, int slot, Node node, ResourceClaim claim) {
            try {
                return kept.fits(slot, node, List.of(claim), Patience.ENDLESS)
                        ? "fits"
                        : kept.reason(slot);
            } catch (AllocationException failed) {
                return String.valueOf(failed.getMessage());
            }
        }

        private static String answer(Allocator plain, Node node, ResourceClaim claim) {
            try {
                return plain.allocate(node, List.of(claim), () -> "s", Patience.ENDLESS) == null
                        ? KeptAnswers.CANNOT
                        : "fits";
            } catch (AllocationException failed) {
                return String.valueOf(failed.getMessage());
            }
        }
    }
}
