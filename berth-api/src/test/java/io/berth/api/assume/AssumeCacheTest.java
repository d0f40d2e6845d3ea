package io.berth.api.assume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.handle.Log;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("E-36")
final class AssumeCacheTest {
    /// A claim, as far as this goes.
    record Thing(String key, String version, String state) {}

    private final List<String> told = new ArrayList<>();
    private final AssumeCache<Thing> cache =
            new AssumeCache<>("claim", new Identity<>(Thing::key, Thing::version), Log.NONE);

    private static Thing thing(int version, String state) {
        return new Thing("ns/a", "" + version, state);
    }

    private void listen() {
        cache.addHandler((before, after) -> told.add(text(before) + ">" + text(after)));
    }

    private static String text(@Nullable Thing thing) {
        return thing == null ? "-" : thing.version + thing.state;
    }

    @Nested
    final class WhatIsSeen {
        @Test
        void isKeptWhereItIsNewer() {
            listen();
            cache.seen(thing(5, ""));
            cache.seen(thing(5, "again"));
            cache.seen(thing(4, "late"));
            cache.seen(thing(7, ""));

            assertThat(cache.find("ns/a")).isEqualTo(thing(7, ""));
            assertThat(told).containsExactly("->5", "5>7");
        }

        @Test
        void replacesWhatWasAssumedOnlyWhereItIsNewer() {
            cache.seen(thing(5, ""));
            cache.assume(thing(6, "assumed"));
            listen();
            cache.seen(thing(6, "seen"));
            assertThat(cache.find("ns/a")).isEqualTo(thing(6, "assumed"));

            cache.seen(thing(8, "seen"));
            assertThat(cache.find("ns/a")).isEqualTo(thing(8, "seen"));
            assertThat(told).containsExactly("->6assumed", "6assumed>8seen");
        }

        @Test
        void goesWhateverWasAssumed() {
            cache.seen(thing(5, ""));
            cache.assume(thing(6, "assumed"));
            listen();
            cache.gone("ns/a");
            cache.gone("ns/a");

            assertThat(cache.find("ns/a")).isNull();
            assertThat(told).containsExactly("->6assumed", "6assumed>-");
        }

        @Test
        void isLeftAsideWhereItsVersionIsNoNumber() {
            cache.seen(thing(5, ""));
            cache.seen(new Thing("ns/a", "x", "odd"));

            assertThat(cache.find("ns/a")).isEqualTo(thing(5, ""));
        }
    }

    @Nested
    final class WhatIsAssumed {
        @Test
        void countsUntilItIsRestored() {
            cache.seen(thing(5, "seen"));
            listen();
            cache.assume(thing(5, "assumed"));
            assertThat(cache.find("ns/a")).isEqualTo(thing(5, "assumed"));
            assertThat(cache.findSeen("ns/a")).isEqualTo(thing(5, "seen"));
            assertThat(cache.all()).containsExactly(thing(5, "assumed"));

            cache.restore("ns/a");
            cache.restore("ns/a");
            cache.restore("ns/unknown");
            assertThat(cache.find("ns/a")).isEqualTo(thing(5, "seen"));
            assertThat(told).containsExactly("->5seen", "5seen>5assumed", "5assumed>5seen");
        }

        @Test
        void mustBeKnown() {
            assertThatThrownBy(() -> cache.assume(thing(5, "")))
                    .isInstanceOf(AssumeException.class)
                    .hasMessage("could not find claim \"ns/a\"");
        }

        @Test
        void mustNotBeOlderThanWhatIsKnown() {
            cache.seen(thing(5, ""));
            assertThatThrownBy(() -> cache.assume(thing(4, "")))
                    .hasMessage("claim \"ns/a\" is out of sync (stored: 5, assume: 4)");
            assertThat(cache.find("ns/a")).isEqualTo(thing(5, ""));
        }

        @Test
        void mustHaveANumberAsVersion() {
            cache.seen(thing(5, ""));
            assertThatThrownBy(() -> cache.assume(new Thing("ns/a", "x", "")))
                    .hasMessage(
                            "error parsing ResourceVersion \"x\" for claim \"ns/a\":"
                                    + " strconv.ParseInt: parsing \"x\": invalid syntax");
        }
    }

    @Nested
    final class Handlers {
        @Test
        void hearOfEverythingInOrderEvenOfWhatTheyDoThemselves() {
            cache.addHandler((before, after) -> {
                if (after != null && after.version.equals("1")) {
                    cache.seen(thing(2, ""));
                }
            });
            listen();
            cache.seen(thing(1, ""));

            assertThat(told).containsExactly("->1", "1>2");
        }

        @Test
        void breakAlone() {
            cache.addHandler((before, after) -> {
                throw new IllegalStateException("broken");
            });
            listen();
            cache.seen(thing(1, ""));
            cache.gone("ns/a");

            assertThat(told).containsExactly("->1", "1>-");
        }
    }
}
