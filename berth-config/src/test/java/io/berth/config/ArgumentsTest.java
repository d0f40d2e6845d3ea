package io.berth.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.plugin.Arguments;
import io.berth.config.gate.FeatureGates;
import io.berth.config.gate.Versions;
import io.berth.config.text.ConfigurationException;
import io.berth.config.text.Value;
import io.berth.config.text.Value.Fields;
import io.berth.plugins.defaultpreemption.DefaultPreemptionArguments;
import io.berth.plugins.interpodaffinity.InterPodAffinityArguments;
import io.berth.plugins.nodeaffinity.NodeAffinityArguments;
import io.berth.plugins.noderesources.BalancedArguments;
import io.berth.plugins.noderesources.FitArguments;
import io.berth.plugins.podtopologyspread.SpreadArguments;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Section 3.4 of the contract, beyond what upstream's recorded answers show.
class ArgumentsTest {
    private static final Map<String, Function<Arguments, Object>> PLUGINS =
            Map.of(
                    "DefaultPreemption", DefaultPreemptionArguments::of,
                    "InterPodAffinity", InterPodAffinityArguments::parse,
                    "NodeAffinity", NodeAffinityArguments::parse,
                    "NodeResourcesBalancedAllocation", BalancedArguments::parse,
                    "NodeResourcesFit", FitArguments::parse,
                    "PodTopologySpread", SpreadArguments::parse);

    @Test
    @Tag("P-85")
    @Tag("P-95")
    void completeDefaultsAreThePluginsDefaults() {
        var profile = SchedulerConfiguration.defaults(FeatureGates.DEFAULT).profiles().getFirst();
        var defaults =
                Map.of(
                        "DefaultPreemption", DefaultPreemptionArguments.DEFAULT,
                        "InterPodAffinity", InterPodAffinityArguments.DEFAULT,
                        "NodeAffinity", NodeAffinityArguments.DEFAULT,
                        "NodeResourcesBalancedAllocation", BalancedArguments.DEFAULT,
                        "NodeResourcesFit", FitArguments.DEFAULT,
                        "PodTopologySpread", SpreadArguments.DEFAULT);
        defaults.forEach((plugin, standard) ->
                assertThat(parsed(plugin, Configurations.args(profile, plugin)))
                        .isEqualTo(standard));
    }

    @Test
    @Tag("P-96")
    void whatTheConfigurationAcceptsThePluginsAccept() throws ConfigurationException {
        for (var good : BrokenConfigurations.good()) {
            for (var profile : Configurations.readFile(good).profiles()) {
                for (var config : profile.pluginConfig()) {
                    if (PLUGINS.containsKey(config.name())
                            && config.args() instanceof Fields args) {
                        assertThat(parsed(config.name(), args)).as(config.name()).isNotNull();
                    }
                }
            }
        }
    }

    @Test
    @Tag("P-97")
    void fitIsCheckedWithTheRestAndWithItsPath() {
        assertRefused(
                "NodeResourcesFit",
                "{ignoredResourceGroups: [a/b], scoringStrategy: {type: MostAllocated,"
                        + " requestedToCapacityRatio: {}}}",
                "[profiles[0].pluginConfig[0].args.ignoredResourceGroups[0]: Invalid value: \"a/b\": resource group name"
                        + " can't contain '/', profiles[0].pluginConfig[0].args.scoringStrategy.requestedToCapacityRatio:"
                        + " Forbidden: must be nil when type is not RequestedToCapacityRatio]");
        assertRefused(
                "NodeResourcesFit",
                "{scoringStrategy: {type: RequestedToCapacityRatio}}",
                "profiles[0].pluginConfig[0].args.scoringStrategy.requestedToCapacityRatio: Required value: must be"
                        + " specified when type is RequestedToCapacityRatio");
        assertRefused(
                "NodeResourcesFit",
                "{scoringStrategy: {type: RequestedToCapacityRatio, requestedToCapacityRatio: {shape: [{utilization: 5,"
                        + " score: 11}, {utilization: 5}]}}}",
                "[profiles[0].pluginConfig[0].args.scoringStrategy.requestedToCapacityRatio.shape[1].utilization: Invalid"
                        + " value: 5: values must be sorted in increasing order,"
                        + " profiles[0].pluginConfig[0].args.scoringStrategy.requestedToCapacityRatio.shape[0].score: Invalid"
                        + " value: 11: not in valid range [0, 10]]");
    }

    @Test
    @Tag("NA-1")
    void everythingWrongWithAKeyOfAddedAffinityIsOneProblem() {
        assertRefused(
                "NodeAffinity",
                "{addedAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms:"
                        + " [{matchExpressions: [{key: '/', operator: Exists}]}]}}}",
                "profiles[0].pluginConfig[0].args.addedAffinity.requiredDuringSchedulingIgnoredDuringExecution"
                        + ".nodeSelectorTerms[0].matchExpressions[0].key: Invalid value: \"/\": prefix part must be"
                        + " non-empty; name part must be non-empty; name part must consist of alphanumeric characters,"
                        + " '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or"
                        + " 'my.name',  or '123-abc', regex used for validation is"
                        + " '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')");
    }

    @Nested
    final class Gates {
        @Test
        void withoutItsGatesDynamicResourcesHasNoTimeouts() throws ConfigurationException {
            var none =
                    gates(
                            Map.of(
                                    "DRASchedulerFilterTimeout",
                                    false,
                                    "DRADeviceBindingConditions",
                                    false));
            var profile = SchedulerConfiguration.defaults(none).profiles().getFirst();
            assertThat(Configurations.args(profile, "DynamicResources").entries())
                    .containsOnlyKeys("apiVersion", "kind");
            assertThatThrownBy(() ->
                            Configurations.load(
                                    file(
                                            "DynamicResources",
                                            "{filterTimeout: 1s, bindingTimeout: 1s}"),
                                    none))
                    .hasMessage(
                            "[profiles[0].pluginConfig[0].args.filterTimeout: Forbidden: DRASchedulingFilterTimeout feature"
                                    + " gate is disabled, profiles[0].pluginConfig[0].args.bindingTimeout: Forbidden:"
                                    + " DRADeviceBindingConditions or DRAResourceClaimDeviceStatus feature gate is disabled]");
        }

        @Test
        void withStorageScoringVolumeBindingHasAShape() throws ConfigurationException {
            var all =
                    gates(
                            Map.of(
                                    "StorageCapacityScoring", true,
                                    "GenericWorkload", true,
                                    "GangScheduling", true,
                                    "TopologyAwareWorkloadScheduling", true));
            var profile =
                    Configurations.load(file("VolumeBinding", "{}"), all)
                            .configuration()
                            .profiles()
                            .getFirst();
            var shape = Configurations.args(profile, "VolumeBinding").objects("shape");
            assertThat(shape).hasSize(2);
            assertThat(shape.getFirst().number("score", -1)).isEqualTo(10);
            assertThat(shape.getLast().number("utilization", -1)).isEqualTo(100);
            assertThat(profile.at("multiPoint").enabled())
                    .extracting(io.berth.api.plugin.EnabledPlugin::name)
                    .endsWith(
                            "NodeDeclaredFeatures",
                            "GangScheduling",
                            "TopologyPlacementGenerator",
                            "PodGroupPodsCount");
        }
    }

    private static FeatureGates gates(Map<String, Boolean> chosen) throws ConfigurationException {
        return FeatureGates.of(Versions.DEFAULT, chosen);
    }

    @Test
    @Tag("P-105")
    void pluginsThatAreGoneAreFoundInMultiPointToo() {
        assertThatThrownBy(() ->
                        Configurations.read(
                                "profiles: [{plugins: {multiPoint: {disabled: [{name: '*'}], enabled: [{name: EBSLimits}]}}}]"))
                .hasMessage(
                        "profiles[0].plugins.multiPoint.enabled[0]: Invalid value: \"EBSLimits\": was invalid in version"
                                + " \"v1\" (KubeSchedulerConfiguration is version \"kubescheduler.config.k8s.io/v1\")");
    }

    @Test
    @Tag("P-106")
    void theRetryPeriodIsLeftToTheElector() throws ConfigurationException {
        assertThat(
                        Configurations.read("leaderElection: {retryPeriod: 9s}")
                                .leaderElection()
                                .retryPeriod())
                .hasSeconds(9);
    }

    private static void assertRefused(String plugin, String args, String message) {
        assertThatThrownBy(() -> Configurations.load(file(plugin, args), FeatureGates.DEFAULT))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage(message);
    }

    private static String file(String plugin, String args) {
        return "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
                + "profiles: [{pluginConfig: [{name: %s, args: %s}]}]\n".formatted(plugin, args);
    }

    private static Object parsed(String plugin, Fields args) {
        return PLUGINS.getOrDefault(plugin, arguments -> arguments)
                .apply(new Arguments(Value.plainMap(args)));
    }
}
