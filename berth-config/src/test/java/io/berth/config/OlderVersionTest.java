package io.berth.config;

import static io.berth.config.Configurations.args;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.plugin.EnabledPlugin;
import io.berth.config.gate.FeatureGates;
import io.berth.config.text.ConfigurationException;
import io.berth.config.text.Value.Fields;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("P-70")
@Tag("P-119a")
class OlderVersionTest {
    @Test
    @Tag("P-75")
    @Tag("P-76")
    void anOldFileIsReadWithAWarningAndKeepsItsVersion() throws ConfigurationException {
        var loaded = load("v1beta3", "");
        assertThat(loaded.warnings())
                .containsExactly(
                        "KubeSchedulerConfiguration v1beta3 is deprecated in v1.26, will be removed in v1.29");
        assertThat(loaded.configuration().apiVersion())
                .isEqualTo("kubescheduler.config.k8s.io/v1beta3");
        assertThat(load("v1beta2", "").warnings())
                .containsExactly(
                        "KubeSchedulerConfiguration v1beta2 is deprecated in v1.25, will be removed in v1.28");
    }

    @Test
    @Tag("P-71")
    @Tag("P-76")
    void aReaderForV1AloneRefusesOldFilesAsUpstreamDoes() {
        assertThatThrownBy(() ->
                        ConfigurationReader.v1Only(FeatureGates.DEFAULT)
                                .read(file("v1beta3", "").getBytes(StandardCharsets.UTF_8)))
                .hasMessage(
                        "no kind \"KubeSchedulerConfiguration\" is registered for version"
                                + " \"kubescheduler.config.k8s.io/v1beta3\" in scheme \"pkg/runtime/scheme.go:111\"");
    }

    static Stream<String> versions() {
        return Stream.of(OlderVersion.values()).map(OlderVersion::shortName);
    }

    /// Operators look there for what becomes of the files that they have.
    @Test
    void theDocumentHasTheVersionsThatAreRead() throws IOException {
        assertThat(
                        Pattern.compile("`…/(v\\w+)`")
                                .matcher(Files.readString(Path.of("../docs/configuration.md")))
                                .results()
                                .map(named -> named.group(1)))
                .containsExactlyInAnyOrderElementsOf(versions().toList());
    }

    @ParameterizedTest
    @EnumSource
    void theContractSaysWhenItWent(OlderVersion version) {
        assertThat(Path.of("../docs/contract/process.md"))
                .content()
                .containsPattern(
                        "(?m)^\\| %s \\| .* \\| %s \\|$"
                                .formatted(
                                        version.shortName(),
                                        version.removed().substring("v".length())));
    }

    @ParameterizedTest
    @MethodSource("versions")
    @Tag("P-61")
    void whatIsWrittenOfAnOldFileReadsBackAsTheSameProfiles(String version)
            throws ConfigurationException {
        var configuration = CompletedProfiles.in(load(version, "").configuration());
        var written = ConfigurationWriter.yaml(configuration);
        assertThat(written).contains("apiVersion: kubescheduler.config.k8s.io/v1\n");
        var again = CompletedProfiles.in(Configurations.readFile(written));
        assertThat(ConfigurationWriter.yaml(again)).isEqualTo(written);
    }

    @ParameterizedTest
    @MethodSource("versions")
    void laterPluginsThatGuardPodsAreOn(String version) throws ConfigurationException {
        assertThat(names(profile(version, "").at("multiPoint")))
                .contains("SchedulingGates", "DynamicResources", "NodeDeclaredFeatures");
    }

    @Nested
    final class V1beta3 {
        @Test
        void hasTheWeightsOfV1AndOneVolumeLimit() throws ConfigurationException {
            var v1 = SchedulerConfiguration.defaults(FeatureGates.DEFAULT).profiles().getFirst();
            var profile = profile("v1beta3", "");
            assertThat(profile.at("multiPoint").enabled()).isEqualTo(v1.at("multiPoint").enabled());
            assertThat(profile.at("multiPoint").disabled()).containsExactly("*");
            assertThat(profile.pluginConfig()).isEqualTo(v1.pluginConfig());
        }

        @Test
        void fieldsOfV1AreUnknown() {
            assertThatThrownBy(() ->
                            load("v1beta3", "delayCacheUntilActive: true\nhealthzBindAddress: x\n"))
                    .hasMessage(
                            "strict decoding error: unknown field \"delayCacheUntilActive\","
                                    + " unknown field \"healthzBindAddress\" (lines 3, 4)");
            assertThatThrownBy(() -> load("v1beta3", "profiles: [{percentageOfNodesToScore: 5}]"))
                    .hasMessageContaining("unknown field \"profiles[0].percentageOfNodesToScore\"");
        }

        @Test
        void disablingOneCloudsLimitLeavesTheOthers() throws ConfigurationException {
            var profile =
                    profile(
                            "v1beta3",
                            "profiles: [{plugins: {multiPoint: {disabled: [{name: EBSLimits}]}}}]");
            assertThat(names(profile.at("multiPoint"))).containsOnlyOnce("NodeVolumeLimits");
            assertThat(profile.at("multiPoint").disabled()).containsExactly("*");
        }
    }

    @Nested
    final class V1beta2 {
        @Test
        void hasTheOldListsAndWeightsPerPoint() throws ConfigurationException {
            var profile = profile("v1beta2", "");
            assertThat(profile.at("score").enabled())
                    .containsExactly(
                            new EnabledPlugin("NodeResourcesBalancedAllocation", 1),
                            new EnabledPlugin("ImageLocality", 1),
                            new EnabledPlugin("InterPodAffinity", 1),
                            new EnabledPlugin("NodeResourcesFit", 1),
                            new EnabledPlugin("NodeAffinity", 1),
                            new EnabledPlugin("PodTopologySpread", 2),
                            new EnabledPlugin("TaintToleration", 1));
            assertThat(names(profile.at("filter")))
                    .containsExactly(
                            "NodeUnschedulable",
                            "NodeName",
                            "TaintToleration",
                            "NodeAffinity",
                            "NodePorts",
                            "NodeResourcesFit",
                            "VolumeRestrictions",
                            "NodeVolumeLimits",
                            "VolumeBinding",
                            "VolumeZone",
                            "PodTopologySpread",
                            "InterPodAffinity");
            assertThat(names(profile.at("queueSort"))).containsExactly("PrioritySort");
            assertThat(names(profile.at("bind"))).containsExactly("DefaultBinder");
        }

        @Test
        void removedPluginsAreRefusedTogether() {
            assertThatThrownBy(() ->
                            load(
                                    "v1beta2",
                                    """
                                    profiles:
                                    - plugins:
                                        filter: {enabled: [{name: NodeLabel}], disabled: [{name: "*"}]}
                                      pluginConfig:
                                      - name: ServiceAffinity
                                        args: {affinityLabels: [a]}
                                    """))
                    .hasMessage(
                            "[profiles[0].pluginConfig[0]: Invalid value: \"ServiceAffinity\": was removed in version"
                                    + " \"kubescheduler.config.k8s.io/v1beta2\" (KubeSchedulerConfiguration is version"
                                    + " \"kubescheduler.config.k8s.io/v1beta2\"), profiles[0].plugins.filter.enabled[0]:"
                                    + " Invalid value: \"NodeLabel\": was removed in version"
                                    + " \"kubescheduler.config.k8s.io/v1beta2\" (KubeSchedulerConfiguration is version"
                                    + " \"kubescheduler.config.k8s.io/v1beta2\")]");
        }

        @Test
        void anInsecurePortIsWarnedOfAndGarbageRefused() throws ConfigurationException {
            assertThat(load("v1beta2", "healthzBindAddress: 0.0.0.0:10251").warnings())
                    .hasSize(2)
                    .last()
                    .asString()
                    .startsWith("healthzBindAddress: \"0.0.0.0:10251\" is ignored");
            assertThat(load("v1beta2", "metricsBindAddress: 127.0.0.1:0").warnings()).hasSize(1);
            assertThatThrownBy(() -> load("v1beta2", "metricsBindAddress: foo"))
                    .hasMessage(
                            "metricsBindAddress: Invalid value: \"foo\": must be empty or with an explicit 0 port");
        }
    }

    @Nested
    final class V1beta1 {
        @Test
        void scoresByLeastAllocatedAndAvoidsNodesThatAskForIt() throws ConfigurationException {
            var profile = profile("v1beta1", "");
            assertThat(profile.at("score").enabled())
                    .containsExactly(
                            new EnabledPlugin("NodeResourcesBalancedAllocation", 1),
                            new EnabledPlugin("ImageLocality", 1),
                            new EnabledPlugin("InterPodAffinity", 1),
                            new EnabledPlugin("NodeResourcesFit", 1),
                            new EnabledPlugin("NodeAffinity", 1),
                            new EnabledPlugin("NodePreferAvoidPods", 10000),
                            new EnabledPlugin("PodTopologySpread", 2),
                            new EnabledPlugin("TaintToleration", 1));
            assertThat(strategy(profile).text("type", "")).isEqualTo("LeastAllocated");
        }

        @Test
        void anOldResourceScoreBecomesAStrategyWithItsWeightAndArguments()
                throws ConfigurationException {
            var profile =
                    profile(
                            "v1beta1",
                            """
                            profiles:
                            - plugins:
                                score:
                                  disabled: [{name: NodeResourcesLeastAllocated}]
                                  enabled: [{name: RequestedToCapacityRatio, weight: 7}]
                              pluginConfig:
                              - name: NodeResourcesFit
                                args: {ignoredResources: [x.org/a]}
                              - name: RequestedToCapacityRatio
                                args:
                                  apiVersion: kubescheduler.config.k8s.io/v1beta1
                                  kind: RequestedToCapacityRatioArgs
                                  shape: [{utilization: 0, score: 0}, {utilization: 100, score: 10}]
                                  resources: [{name: x.org/a, weight: 3}]
                            """);
            assertThat(profile.at("score").enabled())
                    .contains(new EnabledPlugin("NodeResourcesFit", 7));
            var strategy = strategy(profile);
            assertThat(strategy.text("type", "")).isEqualTo("RequestedToCapacityRatio");
            assertThat(strategy.fields("requestedToCapacityRatio").objects("shape")).hasSize(2);
            assertThat(strategy.objects("resources").getFirst().number("weight", 0)).isEqualTo(3);
            assertThat(args(profile, "NodeResourcesFit").texts("ignoredResources"))
                    .containsExactly("x.org/a");
        }

        @Test
        void twoResourceScoresCannotBeExpressed() {
            assertThatThrownBy(() ->
                            load(
                                    "v1beta1",
                                    "profiles: [{plugins: {score: {enabled: [{name: NodeResourcesMostAllocated}]}}}]"))
                    .hasMessageContaining(
                            "profiles[0].plugins.score.enabled[8]: Invalid value: \"NodeResourcesMostAllocated\":"
                                    + " cannot be combined with \"NodeResourcesLeastAllocated\"");
        }

        @Test
        void fitBesideAnOldResourceScoreIsAConflict() {
            assertThatThrownBy(() ->
                            load(
                                    "v1beta1",
                                    "profiles: [{plugins: {score: {enabled: [{name: NodeResourcesFit}]}}}]"))
                    .hasMessageContaining(
                            "was conflict with [\"NodeResourcesLeastAllocated\"] in version"
                                    + " \"kubescheduler.config.k8s.io/v1beta1\"");
        }

        @Test
        void pluginsThatWereRemovedLaterStillWork() throws ConfigurationException {
            var profile =
                    profile(
                            "v1beta1",
                            """
                            profiles:
                            - plugins:
                                filter: {enabled: [{name: NodeLabel}, {name: ServiceAffinity}]}
                              pluginConfig:
                              - {name: NodeLabel, args: {presentLabels: [a]}}
                              - {name: ServiceAffinity, args: {affinityLabels: [b]}}
                            """);
            assertThat(names(profile.at("filter"))).contains("NodeLabel", "ServiceAffinity");
            assertThat(args(profile, "NodeLabel").texts("presentLabels")).containsExactly("a");
            assertThat(args(profile, "ServiceAffinity").texts("affinityLabels"))
                    .containsExactly("b");
        }

        @Test
        void spreadConstraintsMeanAListUnlessSaidOtherwise() throws ConfigurationException {
            var profile =
                    profile(
                            "v1beta1",
                            """
                            profiles:
                            - pluginConfig:
                              - name: PodTopologySpread
                                args:
                                  defaultConstraints:
                                  - {maxSkew: 1, topologyKey: a, whenUnsatisfiable: ScheduleAnyway}
                            """);
            assertThat(args(profile, "PodTopologySpread").text("defaultingType", ""))
                    .isEqualTo("List");
        }

        @Test
        void multiPointIsUnknown() {
            assertThatThrownBy(() -> load("v1beta1", "profiles: [{plugins: {multiPoint: {}}}]"))
                    .hasMessage(
                            "strict decoding error: unknown field \"profiles[0].plugins.multiPoint\" (line 3)");
        }
    }

    private static List<String> names(PluginSet set) {
        return set.enabled().stream().map(EnabledPlugin::name).toList();
    }

    private static Fields strategy(ProfileConfiguration profile) {
        return args(profile, "NodeResourcesFit").fields("scoringStrategy");
    }

    private static ProfileConfiguration profile(String version, String body)
            throws ConfigurationException {
        return load(version, body).configuration().profiles().getFirst();
    }

    private static ConfigurationReader.Loaded load(String version, String body)
            throws ConfigurationException {
        return Configurations.load(file(version, body), FeatureGates.DEFAULT);
    }

    private static String file(String version, String body) {
        return "apiVersion: kubescheduler.config.k8s.io/"
                + version
                + "\nkind: KubeSchedulerConfiguration\n"
                + body;
    }
}
