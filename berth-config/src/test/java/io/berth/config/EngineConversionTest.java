package io.berth.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.model.Kind;
import io.berth.api.plugin.Arguments;
import io.berth.api.plugin.EnabledPlugin;
import io.berth.api.plugin.PluginFactory;
import io.berth.config.gate.FeatureGates;
import io.berth.config.gate.Versions;
import io.berth.config.text.ConfigurationException;
import io.berth.engine.EngineSettings;
import io.berth.engine.framework.Point;
import io.berth.engine.framework.ProfileSettings;
import io.berth.engine.framework.ProfileSettings.PointPlugins;
import io.berth.plugins.InTree;
import io.berth.testkit.Nodes;
import io.berth.testkit.Pods;
import io.berth.testkit.TestScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class EngineConversionTest {
    private static final Set<String> AVAILABLE =
            InTree.factories().stream().map(PluginFactory::name).collect(Collectors.toSet());

    private final EngineConversion conversion = new EngineConversion(AVAILABLE);

    /// Whoever has a file has an engine, without a process around it.
    @Test
    void anEngineIsSetUpFromAFile() throws ConfigurationException {
        var gates =
                FeatureGates.of(
                        Versions.DEFAULT,
                        Map.of(
                                "TaintTolerationComparisonOperators",
                                true,
                                "SchedulerPopFromBackoffQ",
                                false));
        var setup =
                EngineSetup.of(
                        Configurations.read("podMaxBackoffSeconds: 7"),
                        gates,
                        List.of(),
                        EngineSetup.MAX_TIME_PARKED);
        assertThat(setup.missing()).isEmpty();
        assertThat(setup.settings().queue().maxBackoff()).isEqualTo(Duration.ofSeconds(7));
        assertThat(setup.settings().queue().popFromBackoff()).isFalse();
        assertThat(setup.settings().features()).contains("TaintTolerationComparisonOperators");
        assertThat(setup.settings().awaitedKinds()).contains(Kind.POD, Kind.POD_DISRUPTION_BUDGET);
        var scheduler =
                TestScheduler.with(InTree.factories(), _ -> setup.settings().awaiting(Set.of()));
        scheduler.add(Nodes.node("a").build());
        scheduler.create(Pods.pod("web").build());
        scheduler.settle();
        assertThat(scheduler.nodeOf("default/web")).isEqualTo("a");
    }

    @Test
    @Tag("P-80")
    @Tag("P-81")
    void defaultsAreWhatThePluginsCallTheirDefaults() throws ConfigurationException {
        var settings = settings(SchedulerConfiguration.defaults(FeatureGates.DEFAULT));
        assertThat(settings.percentageOfNodesToScore()).isEmpty();
        assertThat(settings.queue().initialBackoff()).isEqualTo(Duration.ofSeconds(1));
        assertThat(settings.queue().maxBackoff()).isEqualTo(Duration.ofSeconds(10));
        assertThat(settings.profiles()).hasSize(1);
        var profile = settings.profiles().getFirst();
        assertThat(profile.schedulerName()).isEqualTo("default-scheduler");
        assertThat(profile.multiPoint()).isEqualTo(InTree.defaults());
        assertThat(profile.points()).isEmpty();
        assertThat(profile.percentageOfNodesToScore()).isEmpty();
    }

    @Test
    void whatOnlyUpstreamHasIsLeftOutAndTold() throws ConfigurationException {
        settings(SchedulerConfiguration.defaults(FeatureGates.DEFAULT));
        assertThat(conversion.missing()).isEmpty();
    }

    @Test
    @Tag("P-83")
    @Tag("P-84")
    void pointsBackoffPercentageAndArgumentsReachTheEngine() throws ConfigurationException {
        var settings =
                settings(
                        Configurations.read(
                                """
                                percentageOfNodesToScore: 40
                                podInitialBackoffSeconds: 2
                                podMaxBackoffSeconds: 20
                                profiles:
                                - schedulerName: a
                                  percentageOfNodesToScore: 0
                                  plugins:
                                    score:
                                      enabled: [{name: ImageLocality, weight: 7}]
                                      disabled: [{name: "*"}]
                                  pluginConfig:
                                  - name: InterPodAffinity
                                    args: {hardPodAffinityWeight: 9}
                                - schedulerName: b
                                """));
        assertThat(settings.percentageOfNodesToScore()).hasValue(40);
        assertThat(settings.queue().initialBackoff()).isEqualTo(Duration.ofSeconds(2));
        assertThat(settings.queue().maxBackoff()).isEqualTo(Duration.ofSeconds(20));
        assertThat(settings.queue().maxTimeParked()).isEqualTo(Duration.ofMinutes(7));
        assertThat(settings.queue().popFromBackoff()).isFalse();
        var first = settings.profiles().getFirst();
        assertThat(first.percentageOfNodesToScore()).isEqualTo(OptionalInt.of(0));
        assertThat(first.points())
                .containsExactly(
                        Map.entry(
                                Point.SCORE,
                                new PointPlugins(
                                        List.of(new EnabledPlugin("ImageLocality", 7)),
                                        List.of("*"))));
        assertThat(arguments(first, "InterPodAffinity"))
                .containsEntry("hardPodAffinityWeight", 9L)
                .containsEntry("ignorePreferredTermsOfExistingPods", false);
        assertThat(settings.profiles().get(1).schedulerName()).isEqualTo("b");
    }

    @Test
    @Tag("P-99")
    void resourcesThatExtendersLookAfterReplaceIgnoredResourcesOfEveryProfile()
            throws ConfigurationException {
        var settings =
                settings(
                        Configurations.read(
                                """
                                profiles:
                                - schedulerName: a
                                  pluginConfig:
                                  - name: NodeResourcesFit
                                    args: {ignoredResources: [x.org/own]}
                                - schedulerName: b
                                extenders:
                                - urlPrefix: http://127.0.0.1:1/
                                  managedResources:
                                  - {name: x.org/a, ignoredByScheduler: true}
                                  - {name: x.org/b}
                                """));
        assertThat(settings.profiles())
                .allSatisfy(profile ->
                        assertThat(arguments(profile, "NodeResourcesFit"))
                                .containsEntry("ignoredResources", List.of("x.org/a")));
    }

    @Test
    @Tag("P-86")
    void aNameThatNobodyKnowsStaysForTheEngineToRefuse() throws ConfigurationException {
        var settings =
                settings(
                        Configurations.read(
                                "profiles: [{plugins: {filter: {enabled: [{name: Nobody}]}}}]"));
        assertThat(
                        settings.profiles()
                                .getFirst()
                                .points()
                                .getOrDefault(Point.FILTER, PointPlugins.NONE)
                                .enabled())
                .containsExactly(EnabledPlugin.of("Nobody"));
    }

    @Test
    @Tag("P-87")
    void aMissingPluginAtAPointThatItLacksUpstreamIsRefused() {
        assertThatThrownBy(() ->
                        new EngineConversion(Set.of("PrioritySort"))
                                .settings(
                                        Configurations.read(
                                                "profiles: [{plugins: {queueSort: {enabled: [{name: GangScheduling}]}}}]"),
                                        Duration.ofMinutes(5),
                                        true))
                .hasMessage(
                        "initializing profiles: creating profile for scheduler name default-scheduler:"
                                + " plugin \"GangScheduling\" does not extend QueueSortPlugin plugin");
    }

    private static Map<String, Object> arguments(ProfileSettings profile, String plugin) {
        return profile.arguments().getOrDefault(plugin, Arguments.NONE).values();
    }

    private EngineSettings settings(SchedulerConfiguration configuration)
            throws ConfigurationException {
        return conversion.settings(configuration, Duration.ofMinutes(7), false);
    }
}
