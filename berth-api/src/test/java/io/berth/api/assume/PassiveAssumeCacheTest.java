package io.berth.api.assume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.handle.Lister;
import io.berth.api.label.Labels;
import io.berth.api.model.Pod;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("E-37")
final class PassiveAssumeCacheTest {
    private final Map<String, Pod> seen = new LinkedHashMap<>();
    private final PassiveAssumeCache<Pod> cache =
            new PassiveAssumeCache<>("pods", new MapLister(), Pod::resourceVersion);

    private static Pod pod(String name, String version) {
        return Pod.builder("ns", name).resourceVersion(version).build();
    }

    private static Pod changed(Pod pod) {
        return pod.toBuilder().labels(Labels.of("changed", "yes")).build();
    }

    private Pod see(String name, String version) {
        var pod = pod(name, version);
        seen.put(name, pod);
        cache.seen(pod);
        return pod;
    }

    @Test
    void changeCountsWhileItsVersionIsTheOneSeen() {
        var pod = see("a", "x1");
        cache.assume(changed(pod));
        see("a", "x1");
        assertThat(cache.find("ns", "a")).isEqualTo(changed(pod));
        assertThat(cache.overlaid(pod)).isEqualTo(changed(pod));

        var newer = see("a", "x2");
        assertThat(cache.find("ns", "a")).isEqualTo(newer);
        assertThat(cache.assumedCount()).isZero();
    }

    @Test
    void changeDoesNotCountAnyMoreEvenBeforeTheCacheHearsOfTheNewVersion() {
        cache.assume(changed(see("a", "x1")));
        var newer = pod("a", "x2");
        seen.put("a", newer);

        assertThat(cache.find("ns", "a")).isEqualTo(newer);
        assertThat(cache.overlaid(newer)).isEqualTo(newer);
    }

    @Test
    void changeGoesWithTheObject() {
        var pod = see("a", "x1");
        cache.assume(changed(pod));
        seen.remove("a");
        cache.seen(pod);

        assertThat(cache.find("ns", "a")).isNull();
        assertThat(cache.assumedCount()).isZero();
    }

    @Test
    void changeIsTakenBackOnlyWhereItIsTheOneMeant() {
        var pod = see("a", "x1");
        cache.assume(changed(pod));
        cache.restore("ns/a", "x0");
        assertThat(cache.find("ns", "a")).isEqualTo(changed(pod));

        cache.restore("ns/a", "x1");
        cache.restore("ns/a", "x1");
        assertThat(cache.find("ns", "a")).isEqualTo(pod);
    }

    @Test
    void onlyAChangeOfTheSeenVersionCanBeAssumed() {
        see("a", "x2");
        assertThatThrownBy(() -> cache.assume(pod("a", "x1")))
                .isInstanceOf(AssumeException.class)
                .hasMessage("\"ns/a\" is out of sync (stored: x2, assume: x1)");
        assertThatThrownBy(() -> cache.assume(pod("b", "x1")))
                .hasMessage("pods \"ns/b\" not found");
    }

    private final class MapLister implements Lister<Pod> {
        @Override
        public @Nullable Pod get(String namespace, String name) {
            return seen.get(name);
        }

        @Override
        public Collection<Pod> in(String namespace) {
            return seen.values();
        }

        @Override
        public Collection<Pod> all() {
            return seen.values();
        }

        @Override
        public long version() {
            return 0;
        }

        @Override
        public Index<Pod> index(Function<? super Pod, @Nullable String> value) {
            return said -> List.of();
        }
    }
}
