package io.berth.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.handle.Handle;
import io.berth.api.model.Kind;
import io.berth.api.plugin.Arguments;
import io.berth.api.plugin.EnabledPlugin;
import io.berth.api.plugin.Plugin;
import io.berth.api.plugin.PluginFactory;
import io.berth.engine.framework.ProfileSettings;
import io.berth.plugins.InTree;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("P-135")
@Tag("P-137")
class WatchedKindsTest {
    @Test
    void defaultProfileLooksAtEverything() {
        assertThat(of(ProfileSettings.of("s", InTree.defaults())))
                .containsExactlyInAnyOrder(
                        Kind.POD,
                        Kind.NODE,
                        Kind.NAMESPACE,
                        Kind.SERVICE,
                        Kind.REPLICATION_CONTROLLER,
                        Kind.REPLICA_SET,
                        Kind.STATEFUL_SET,
                        Kind.POD_DISRUPTION_BUDGET,
                        Kind.PERSISTENT_VOLUME,
                        Kind.PERSISTENT_VOLUME_CLAIM,
                        Kind.STORAGE_CLASS,
                        Kind.CSI_NODE,
                        Kind.CSI_DRIVER,
                        Kind.CSI_STORAGE_CAPACITY,
                        Kind.VOLUME_ATTACHMENT,
                        Kind.RESOURCE_CLAIM,
                        Kind.RESOURCE_SLICE,
                        Kind.DEVICE_CLASS);
    }

    @Test
    void podsAndNodesAreWatchedAlways() {
        assertThat(of("NodeName", "PrioritySort")).containsExactlyInAnyOrder(Kind.POD, Kind.NODE);
    }

    @Test
    void otherKindsAreWatchedForThePluginsThatAskForThem() {
        assertThat(of("InterPodAffinity"))
                .containsExactlyInAnyOrder(Kind.POD, Kind.NODE, Kind.NAMESPACE);
        assertThat(of("DefaultPreemption"))
                .containsExactlyInAnyOrder(Kind.POD, Kind.NODE, Kind.POD_DISRUPTION_BUDGET);
        assertThat(of("ServiceAffinity"))
                .containsExactlyInAnyOrder(Kind.POD, Kind.NODE, Kind.SERVICE);
        assertThat(of("SelectorSpread")).isEqualTo(of("PodTopologySpread"));
        assertThat(of("PodTopologySpread")).contains(Kind.SERVICE).doesNotContain(Kind.NAMESPACE);
    }

    @Test
    void workloadsMatterOnlyToDefaultConstraints() {
        ProfileSettings profile = profile("PodTopologySpread");
        var none = Map.<String, Object>of("defaultingType", "List");
        var some =
                Map.<String, Object>of(
                        "defaultingType",
                        "List",
                        "defaultConstraints",
                        List.of(
                                Map.of(
                                        "maxSkew",
                                        1,
                                        "topologyKey",
                                        "zone",
                                        "whenUnsatisfiable",
                                        "ScheduleAnyway")));
        assertThat(of(profile.withArguments("PodTopologySpread", new Arguments(none))))
                .containsExactlyInAnyOrder(Kind.POD, Kind.NODE);
        assertThat(of(profile.withArguments("PodTopologySpread", new Arguments(some))))
                .contains(Kind.SERVICE);
    }

    @Test
    void pluginFromAJarMayLookAtAnything() {
        PluginFactory foreign = new NamedFactory("Foreign");
        assertThat(WatchedKinds.of(List.of(profile("Foreign")), List.of(foreign)))
                .containsExactlyInAnyOrder(Kind.values());
    }

    private static Set<Kind> of(String... plugins) {
        return of(profile(plugins));
    }

    private static Set<Kind> of(ProfileSettings profile) {
        return WatchedKinds.of(List.of(profile), InTree.factories());
    }

    private record NamedFactory(String name) implements PluginFactory {
        @Override
        public Plugin create(Arguments arguments, Handle handle) {
            throw new UnsupportedOperationException(name);
        }
    }

    private static ProfileSettings profile(String... plugins) {
        return ProfileSettings.of("s", Stream.of(plugins).map(EnabledPlugin::of).toList());
    }
}
