package io.berth.engine.assume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.engine.assume.PassiveAssumeCache.Store;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("E-37")
final class PassiveAssumeCacheTest {
    /// A volume, as far as this goes.
    record Thing(String name, String version, String storageClass, String claim) {
        Thing claimedBy(String other) {
            return new Thing(name, version, storageClass, other);
        }
    }

    private final Map<String, Thing> seen = new LinkedHashMap<>();
    private final PassiveAssumeCache<Thing> cache =
            new PassiveAssumeCache<>(
                    "persistentvolumes",
                    new Identity<>(Thing::name, Thing::version),
                    new Store<>(
                            seen::get,
                            value ->
                                    seen.values().stream()
                                            .filter(each -> each.storageClass.equals(value))
                                            .toList()));

    private Thing see(String name, String version) {
        var thing = new Thing(name, version, "fast", "");
        seen.put(name, thing);
        cache.storeChanged(name);
        return thing;
    }

    @Test
    void changeCountsWhileTheStoreHoldsItsVersion() {
        var volume = see("a", "x1");
        cache.assume(volume.claimedBy("c"));
        see("a", "x1");
        assertThat(cache.find("a")).isEqualTo(volume.claimedBy("c"));
        assertThat(cache.findSeen("a")).isEqualTo(volume);

        var newer = see("a", "x2");
        assertThat(cache.find("a")).isEqualTo(newer);
        assertThat(cache.assumedCount()).isZero();
    }

    @Test
    void changeDoesNotCountAnyMoreEvenBeforeTheCacheHearsOfTheNewVersion() {
        var volume = see("a", "x1");
        cache.assume(volume.claimedBy("c"));
        var newer = new Thing("a", "x2", "fast", "");
        seen.put("a", newer);

        assertThat(cache.find("a")).isEqualTo(newer);
        assertThat(cache.in("fast")).containsExactly(newer);
    }

    @Test
    void changeGoesWithTheObject() {
        cache.assume(see("a", "x1").claimedBy("c"));
        seen.remove("a");
        cache.storeChanged("a");

        assertThat(cache.find("a")).isNull();
        assertThat(cache.assumedCount()).isZero();
    }

    @Test
    void changedObjectsAreFoundByTheIndexOfTheStore() {
        var a = see("a", "x1");
        var b = see("b", "x1");
        cache.assume(new Thing("a", "x1", "slow", "c"));

        assertThat(cache.in("fast")).containsExactly(new Thing("a", "x1", "slow", "c"), b);
        assertThat(cache.in("slow")).isEmpty();
        cache.restore(a);
        assertThat(cache.in("fast")).containsExactly(a, b);
    }

    @Test
    void restoringAnotherVersionChangesNothing() {
        var volume = see("a", "x1");
        cache.assume(volume.claimedBy("c"));
        cache.restore(new Thing("a", "x0", "fast", ""));

        assertThat(cache.find("a")).isEqualTo(volume.claimedBy("c"));
    }

    @Test
    void onlyAChangeOfTheSeenVersionCanBeAssumed() {
        see("a", "x2");
        assertThatThrownBy(() -> cache.assume(new Thing("a", "x1", "fast", "")))
                .isInstanceOf(AssumeException.class)
                .hasMessage("\"a\" is out of sync (stored: x2, assume: x1)");
        assertThatThrownBy(() -> cache.assume(new Thing("b", "x1", "fast", "")))
                .hasMessage("persistentvolumes \"b\" not found");
    }
}
