package io.berth.engine.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.column.NodeView;
import io.berth.api.handle.Cycle;
import io.berth.api.handle.Log;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Bind;
import io.berth.api.plugin.EnabledPlugin;
import io.berth.api.plugin.Filter;
import io.berth.api.plugin.Plugin;
import io.berth.api.plugin.PluginFactory;
import io.berth.api.plugin.QueueSort;
import io.berth.api.plugin.Score;
import io.berth.api.verdict.BindVerdict;
import io.berth.api.verdict.Verdict;
import io.berth.engine.Bed;
import io.berth.engine.framework.PluginLists;
import io.berth.engine.framework.Point;
import io.berth.engine.framework.ProfileSettings;
import io.berth.engine.framework.ProfileSettings.PointPlugins;
import io.berth.engine.framework.Registry;
import io.berth.engine.framework.SettingsException;
import io.berth.testkit.TestPlugins;
import io.berth.testkit.TestScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class ProfilesTest {
    private record Sort(String name) implements QueueSort {
        @Override
        public boolean less(QueuedPod a, QueuedPod b) {
            return a.timestampMillis() < b.timestampMillis();
        }
    }

    private record Binder(String name) implements Bind {
        @Override
        public BindVerdict bind(Cycle cycle, Pod pod, String nodeName) {
            return BindVerdict.SKIP;
        }
    }

    private record Both(String name) implements Filter, Score {
        @Override
        public Verdict filter(Cycle cycle, Pod pod, NodeView node) {
            return Verdict.PASS;
        }

        @Override
        public long score(Cycle cycle, Pod pod, NodeView node) {
            return 0;
        }
    }

    private final List<String> made = new ArrayList<>();
    private final List<PluginFactory> factories =
            new ArrayList<>(
                    List.of(
                            factory("Sort", () -> new Sort("Sort")),
                            factory("Sort2", () -> new Sort("Sort2")),
                            factory("Bind", () -> new Binder("Bind")),
                            factory("A", () -> new Both("A")),
                            factory("B", () -> new Both("B")),
                            factory("C", () -> new Both("C"))));

    private PluginFactory factory(String name, Supplier<Plugin> make) {
        return TestPlugins.factory(
                name,
                _ -> {
                    made.add(name);
                    return make.get();
                });
    }

    private static List<EnabledPlugin> enabled(String... names) {
        return List.of(names).stream().map(EnabledPlugin::of).toList();
    }

    private static ProfileSettings settings(String name, String... multiPoint) {
        return ProfileSettings.of(name, enabled(multiPoint));
    }

    private static ProfileSettings settings(Map<Point, PointPlugins> points, String... multiPoint) {
        return new ProfileSettings("s", enabled(multiPoint), points, Map.of(), OptionalInt.empty());
    }

    private Profile built(ProfileSettings settings) {
        return java.util.Objects.requireNonNull(
                TestScheduler.with(factories, settings)
                        .engine()
                        .profiles()
                        .get(settings.schedulerName()));
    }

    private List<String> names(Profile profile, Point point) {
        return profile.pluginsAt(point).stream().map(Plugin::name).toList();
    }

    private void assertRefused(String message, ProfileSettings... settings) {
        assertThatThrownBy(() -> TestScheduler.with(factories, settings))
                .isInstanceOf(SettingsException.class)
                .hasMessage("initializing profiles: " + message);
    }

    private static PointPlugins point(List<EnabledPlugin> enabled, String... disabled) {
        return new PointPlugins(enabled, List.of(disabled));
    }

    @Nested
    @Tag("E-125")
    @Tag("P-88")
    final class Lists {
        @Test
        @Tag("E-139")
        void pluginServesEveryPointThatItImplements() {
            var profile = built(settings("s", "Sort", "A", "B", "Bind"));
            assertThat(names(profile, Point.FILTER)).containsExactly("A", "B");
            assertThat(names(profile, Point.SCORE)).containsExactly("A", "B");
            assertThat(names(profile, Point.BIND)).containsExactly("Bind");
            assertThat(profile.pluginsAt(Point.FILTER).getFirst())
                    .isSameAs(profile.pluginsAt(Point.SCORE).getFirst());
        }

        @Test
        void onlyNeededPluginsAreMadeAndOnce() {
            built(settings(Map.of(Point.FILTER, point(enabled("A"))), "Sort", "A", "Bind"));
            assertThat(made).containsExactlyInAnyOrder("Sort", "A", "Bind");
        }

        @Test
        void namedBothWaysComeFirstThenMultiPointThenTheRest() {
            var profile =
                    built(
                            settings(
                                    Map.of(Point.FILTER, point(enabled("C", "B"))),
                                    "Sort",
                                    "A",
                                    "B",
                                    "Bind"));
            assertThat(names(profile, Point.FILTER)).containsExactly("B", "A", "C");
            assertThat(names(profile, Point.SCORE)).containsExactly("A", "B");
        }

        @Test
        void disabledNameIsLeftOutAtThatPointAlone() {
            var profile =
                    built(
                            settings(
                                    Map.of(Point.FILTER, point(List.of(), "A")),
                                    "Sort",
                                    "A",
                                    "B",
                                    "Bind"));
            assertThat(names(profile, Point.FILTER)).containsExactly("B");
            assertThat(names(profile, Point.SCORE)).containsExactly("A", "B");
        }

        @Test
        void starLeavesOutAllButTheNamed() {
            var profile =
                    built(
                            settings(
                                    Map.of(Point.FILTER, point(enabled("C"), "*")),
                                    "Sort",
                                    "A",
                                    "B",
                                    "Bind"));
            assertThat(names(profile, Point.FILTER)).containsExactly("C");
        }
    }

    @Nested
    @Tag("E-127")
    @Tag("P-89")
    final class Weights {
        private int weight(String plugin, ProfileSettings settings) {
            var plugins =
                    Map.<String, Plugin>of(
                            "Sort",
                            new Sort("Sort"),
                            "A",
                            new Both("A"),
                            "Bind",
                            new Binder("Bind"));
            return PluginLists.expand(settings, plugins, Log.NONE).weight(plugin);
        }

        private ProfileSettings weighted(int multiPoint, int atPoint) {
            return new ProfileSettings(
                    "s",
                    List.of(
                            EnabledPlugin.of("Sort"),
                            new EnabledPlugin("A", multiPoint),
                            EnabledPlugin.of("Bind")),
                    Map.of(Point.SCORE, point(List.of(new EnabledPlugin("A", atPoint)))),
                    Map.of(),
                    OptionalInt.empty());
        }

        @Test
        void pointsWeightWinsOverMultiPoints() {
            assertThat(weight("A", weighted(3, 5))).isEqualTo(5);
            assertThat(weight("A", weighted(3, 0))).isEqualTo(3);
            assertThat(weight("A", weighted(0, 0))).isEqualTo(1);
        }
    }

    @Nested
    @Tag("E-128")
    @Tag("P-86")
    @Tag("P-87")
    final class Refused {
        /// It was a NullPointerException of ours.
        @Test
        void pluginThatAsksForItsNeighboursWhileTheyAreMadeIsToldWhenItMay() {
            factories.add(
                    TestPlugins.factory(
                            "Curious",
                            handle -> {
                                handle.pluginNames();
                                return new Both("Curious");
                            }));
            assertThatThrownBy(() -> built(settings("s", "Sort", "Bind", "Curious")))
                    .hasMessageContaining(
                            "the plugins of profile \"s\" are still being made: ask for them in an"
                                    + " attempt, not in create");
        }

        @Test
        void unknownPlugin() {
            assertRefused(
                    "creating profile for scheduler name s: PreFilterPlugin \"Nobody\" does not"
                            + " exist",
                    settings("s", "Sort", "Nobody", "Bind"));
        }

        @Test
        void pluginAtAPointThatItDoesNotImplement() {
            assertRefused(
                    "creating profile for scheduler name s: plugin \"A\" does not extend"
                            + " PermitPlugin plugin",
                    settings(Map.of(Point.PERMIT, point(enabled("A"))), "Sort", "Bind"));
        }

        @Test
        void pluginNamedTwice() {
            assertRefused(
                    "creating profile for scheduler name s: plugin \"A\" already registered as"
                            + " \"FilterPlugin\"",
                    settings(Map.of(Point.FILTER, point(enabled("A", "A"))), "Sort", "Bind"));
            assertRefused(
                    "creating profile for scheduler name s: plugin \"A\" already registered as"
                            + " \"FilterPlugin\"",
                    settings("s", "Sort", "A", "A", "Bind"));
        }

        @Test
        void pluginThatCannotBeMade() {
            factories.add(
                    factory(
                            "Broken",
                            () -> {
                                throw new IllegalArgumentException("weight: must be positive");
                            }));
            assertRefused(
                    "creating profile for scheduler name s: initializing plugin \"Broken\": weight:"
                            + " must be positive",
                    settings("s", "Sort", "Broken", "Bind"));
        }

        @Test
        void otherThanOneQueueSort() {
            assertRefused(
                    "creating profile for scheduler name s: only one queue sort plugin required for"
                            + " profile with scheduler name \"s\", but got 0",
                    settings("s", "Bind"));
            assertRefused(
                    "creating profile for scheduler name s: only one queue sort plugin required for"
                            + " profile with scheduler name \"s\", but got 2",
                    settings("s", "Sort", "Sort2", "Bind"));
        }

        @Test
        void noBinder() {
            assertRefused(
                    "creating profile for scheduler name s: at least one bind plugin is needed for"
                            + " profile with scheduler name \"s\"",
                    settings("s", "Sort"));
        }
    }

    @Nested
    @Tag("E-130")
    @Tag("P-90")
    @Tag("P-91")
    final class Together {
        @Test
        @Tag("E-76")
        void atLeastOneIsRequired() {
            assertRefused("at least one profile is required");
        }

        @Test
        void nameIsNeeded() {
            assertRefused("scheduler name is needed", settings("", "Sort", "Bind"));
        }

        @Test
        void namesAreUnique() {
            assertRefused(
                    "duplicate profile with scheduler name \"s\"",
                    settings("s", "Sort", "Bind"),
                    settings("s", "Sort", "Bind"));
        }

        @Test
        void queueSortIsTheSame() {
            assertRefused(
                    "different queue sort plugins for profile \"t\": \"Sort2\", first: \"Sort\"",
                    settings("s", "Sort", "Bind"),
                    settings("t", "Sort2", "Bind"));
        }

        @Test
        @Tag("P-92")
        void theirPluginsAreLogged() {
            assertThat(Bed.of().log.lines())
                    .contains(
                            "I2 the scheduler starts to work with those plugins"
                                    + " [Plugins, {Bind=[Binder], QueueSort=[Order]}]");
        }

        @Test
        void profilesKeepTheirOrder() {
            var profiles =
                    TestScheduler.with(
                                    factories,
                                    settings("z", "Sort", "Bind"),
                                    settings("a", "Sort", "Bind"))
                            .engine()
                            .profiles();
            assertThat(profiles.keySet()).containsExactly("z", "a");
        }
    }

    @Nested
    @Tag("E-129")
    @Tag("P-42")
    final class Registering {
        @Test
        void nameIsTakenOnce() {
            var registry = Registry.of(factories);
            assertThatThrownBy(() -> registry.register(factories.getFirst()))
                    .hasMessage("a plugin named Sort already exists");
            assertThatThrownBy(() -> registry.merge(Registry.of(factories)))
                    .hasMessage("a plugin named Sort already exists");
        }

        @Test
        void unknownNameCannotBeTakenOut() {
            var registry = Registry.of(factories);
            registry.unregister("Sort");
            assertThatThrownBy(() -> registry.unregister("Sort"))
                    .hasMessage("no plugin named Sort exists");
        }
    }
}
