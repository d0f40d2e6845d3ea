package io.berth.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.plugin.EnabledPlugin;
import io.berth.config.gate.FeatureGates;
import io.berth.config.text.ConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("P-114")
class LegacyPolicyTest {
    private static final SchedulerConfiguration BASE =
            SchedulerConfiguration.defaults(FeatureGates.DEFAULT);

    @Nested
    @Tag("P-113")
    final class Sources {
        @Test
        void aFileThatIsMissingIsNamed(@TempDir Path folder) {
            var file = folder.resolve("policy.json");
            assertThatThrownBy(() -> new LegacyPolicy(FeatureGates.DEFAULT).fromFile(file, BASE))
                    .hasMessage("missing policy config file " + file);
        }

        @Test
        void aFileThatCannotBeReadIsNamed(@TempDir Path folder) {
            assertThatThrownBy(() -> new LegacyPolicy(FeatureGates.DEFAULT).fromFile(folder, BASE))
                    .hasMessage("couldn't read policy config: read " + folder + ": is a directory");
        }

        @Test
        void aFileIsRead(@TempDir Path folder) throws IOException, ConfigurationException {
            var file =
                    Files.writeString(
                            folder.resolve("policy.json"),
                            "{\"kind\":\"Policy\",\"apiVersion\":\"v1\"}");
            var loaded = new LegacyPolicy(FeatureGates.DEFAULT).fromFile(file, BASE);
            assertThat(loaded.warnings()).hasSize(1).first().asString().contains("deprecated");
            Validation.require(loaded.configuration(), FeatureGates.DEFAULT);
        }

        @Test
        void aConfigMapWithoutTheKeyIsRefused() {
            assertThatThrownBy(() ->
                            new LegacyPolicy(FeatureGates.DEFAULT)
                                    .fromConfigMap(Map.of("other", "x"), BASE))
                    .hasMessage("missing policy config map value at key \"policy.cfg\"");
            assertThat(LegacyPolicy.unavailable("kube-system", "p", "not found"))
                    .hasMessage("couldn't get policy config map kube-system/p: not found");
        }

        @Test
        void malformedTextIsAnInvalidPolicy() {
            assertRefused("{", "invalid policy: couldn't get version/kind; json parse error:");
            assertRefused(
                    "kind: Foo\napiVersion: v1", "invalid policy: no kind \"Foo\" is registered");
            assertRefused(
                    "kind: Policy\napiVersion: v1\nfoo: 1",
                    "invalid policy: strict decoding error: unknown field \"foo\" (line 3)");
            assertRefused(
                    "kind: Policy\napiVersion: v1\npredicates: 1",
                    "invalid policy: json: cannot unmarshal number into Go struct field Policy.predicates");
        }
    }

    @Test
    @Tag("P-115")
    @Tag("P-116")
    @Tag("P-117")
    void aPolicyThatSaysNothingHasTheDefaults() throws ConfigurationException {
        var profile = profile("");
        assertThat(names(profile, "filter"))
                .containsExactly(
                        "NodeUnschedulable",
                        "NodeResourcesFit",
                        "NodeName",
                        "NodePorts",
                        "NodeAffinity",
                        "VolumeRestrictions",
                        "TaintToleration",
                        "NodeVolumeLimits",
                        "VolumeBinding",
                        "VolumeZone",
                        "PodTopologySpread",
                        "InterPodAffinity");
        assertThat(profile.at("score").enabled())
                .containsExactly(
                        new EnabledPlugin("NodeResourcesBalancedAllocation", 1),
                        new EnabledPlugin("PodTopologySpread", 2),
                        new EnabledPlugin("ImageLocality", 1),
                        new EnabledPlugin("InterPodAffinity", 1),
                        new EnabledPlugin("NodeResourcesFit", 1),
                        new EnabledPlugin("NodeAffinity", 1),
                        new EnabledPlugin("NodePreferAvoidPods", 10000),
                        new EnabledPlugin("TaintToleration", 1));
        assertThat(names(profile, "queueSort")).containsExactly("PrioritySort");
        assertThat(names(profile, "postFilter")).containsExactly("DefaultPreemption");
        assertThat(names(profile, "bind")).containsExactly("DefaultBinder");
        assertThat(Configurations.args(profile, "PodTopologySpread").text("defaultingType", ""))
                .isEqualTo("System");
    }

    @Test
    @Tag("P-115")
    void emptyListsLeaveTheMandatoryPredicatesAlone() throws ConfigurationException {
        var profile = profile("predicates: []\npriorities: []\n");
        assertThat(names(profile, "filter"))
                .containsExactly("NodeUnschedulable", "TaintToleration");
        assertThat(profile.at("score").enabled()).isEmpty();
    }

    @Test
    @Tag("P-116")
    void everyPredicateAndPriorityHasItsPlugin() throws ConfigurationException {
        var profile =
                profile(
                        """
                        predicates:
                        - name: PodFitsPorts
                        - name: PodFitsResources
                        - name: HostName
                        - name: MatchNodeSelector
                        - name: NoDiskConflict
                        - name: NoVolumeZoneConflict
                        - name: CheckVolumeBinding
                        - name: MaxEBSVolumeCount
                        - name: MaxCinderVolumeCount
                        - name: EvenPodsSpread
                        - name: MatchInterPodAffinity
                        - name: zones
                          argument: {serviceAffinity: {labels: [zone]}}
                        - name: ssd
                          argument: {labelsPresence: {labels: [ssd], presence: true}}
                        - name: noOld
                          argument: {labelsPresence: {labels: [old], presence: false}}
                        priorities:
                        - {name: EqualPriority, weight: 1}
                        - {name: ServiceSpreadingPriority, weight: 3}
                        - {name: MostRequestedPriority, weight: 4}
                        - name: spreadZones
                          weight: 2
                          argument: {serviceAntiAffinity: {label: zone}}
                        - name: likeSsd
                          weight: 5
                          argument: {labelPreference: {label: ssd, presence: true}}
                        - name: avoidOld
                          weight: 5
                          argument: {labelPreference: {label: old, presence: false}}
                        """);
        assertThat(names(profile, "filter"))
                .containsExactly(
                        "NodeUnschedulable",
                        "NodeName",
                        "NodePorts",
                        "NodeAffinity",
                        "NodeResourcesFit",
                        "VolumeRestrictions",
                        "TaintToleration",
                        "NodeLabel",
                        "ServiceAffinity",
                        "NodeVolumeLimits",
                        "VolumeBinding",
                        "VolumeZone",
                        "PodTopologySpread",
                        "InterPodAffinity");
        assertThat(profile.at("score").enabled())
                .containsExactly(
                        new EnabledPlugin("NodeResourcesFit", 4),
                        new EnabledPlugin("NodeLabel", 10),
                        new EnabledPlugin("PodTopologySpread", 3),
                        new EnabledPlugin("ServiceAffinity", 2));
        var labels = Configurations.args(profile, "NodeLabel");
        assertThat(labels.texts("presentLabels")).containsExactly("ssd");
        assertThat(labels.texts("absentLabels")).containsExactly("old");
        assertThat(labels.texts("presentLabelsPreference")).containsExactly("ssd");
        assertThat(labels.texts("absentLabelsPreference")).containsExactly("old");
        var services = Configurations.args(profile, "ServiceAffinity");
        assertThat(services.texts("affinityLabels")).containsExactly("zone");
        assertThat(services.texts("antiAffinityLabelsPreference")).containsExactly("zone");
        assertThat(
                        Configurations.args(profile, "NodeResourcesFit")
                                .fields("scoringStrategy")
                                .text("type", ""))
                .isEqualTo("MostAllocated");
    }

    @Test
    @Tag("P-116")
    void aRatioOfCapacityIsAStrategy() throws ConfigurationException {
        var profile =
                profile(
                        """
                        priorities:
                        - name: pack
                          weight: 2
                          argument:
                            requestedToCapacityRatioArguments:
                              shape: [{utilization: 0, score: 0}, {utilization: 100, score: 10}]
                              resources: [{name: x.org/gpu, weight: 5}]
                        """);
        var strategy = Configurations.args(profile, "NodeResourcesFit").fields("scoringStrategy");
        assertThat(strategy.text("type", "")).isEqualTo("RequestedToCapacityRatio");
        assertThat(strategy.objects("resources").getFirst().text("name", ""))
                .isEqualTo("x.org/gpu");
        assertThat(profile.at("score").enabled())
                .containsExactly(new EnabledPlugin("NodeResourcesFit", 2));
    }

    @Test
    @Tag("P-119")
    void extendersSymmetricWeightAndCheckAllAreTakenOver() throws ConfigurationException {
        var configuration =
                apply(
                        """
                        hardPodAffinitySymmetricWeight: 7
                        alwaysCheckAllPredicates: true
                        extenders:
                        - urlPrefix: http://127.0.0.1:1/
                          FilterVerb: filter
                          enablehttps: true
                          httpTimeout: 100000000
                          nodeCacheCapable: true
                          managedResources: [{name: x.org/a, ignoredByScheduler: true}]
                        """);
        var extender = configuration.extenders().getFirst();
        assertThat(extender.filterVerb()).isEqualTo("filter");
        assertThat(extender.enableHttps()).isTrue();
        assertThat(extender.httpTimeout()).isEqualTo(Duration.ofMillis(100));
        assertThat(configuration.alwaysCheckAllPredicates()).isTrue();
        assertThat(
                        Configurations.args(configuration.profiles().getFirst(), "InterPodAffinity")
                                .number("hardPodAffinityWeight", 0))
                .isEqualTo(7);
    }

    @Test
    @Tag("P-118")
    void allThatIsWrongIsToldTogether() {
        assertRefused(
                """
                kind: Policy
                apiVersion: v1
                hardPodAffinitySymmetricWeight: 101
                priorities:
                - {name: LeastRequestedPriority, weight: 0}
                - {name: none, weight: 1, argument: {}}
                - {name: a, weight: 1, argument: {labelPreference: {label: x}}}
                - {name: b, weight: 2, argument: {labelPreference: {label: z}}}
                - {name: c, weight: 1, argument: {requestedToCapacityRatioArguments: {shape: []}}}
                - {name: d, weight: 1, argument: {requestedToCapacityRatioArguments: {shape: []}}}
                extenders:
                - {urlPrefix: x, prioritizeVerb: p}
                """,
                "couldn't create scheduler from policy: [priority LeastRequestedPriority should have a positive weight"
                        + " applied to it or it has overflown, no priority arguments set for priority none, LabelPreference "
                        + " priority \"b\" has a different weight with \"a\", priority \"d\" redeclares custom priority"
                        + " \"RequestedToCapacityRatio\", from: \"c\", extenders[0].weight: Invalid value: 0: must have a"
                        + " positive weight applied to it, hardPodAffinitySymmetricWeight: Invalid value: 101: not in valid"
                        + " range [0-100]]");
    }

    @Test
    @Tag("P-118")
    void namesThatNobodyKnowsAreRefused() {
        assertRefused(
                """
                kind: Policy
                apiVersion: kubescheduler.config.k8s.io/v1
                predicates:
                - name: Foo
                - name: Both
                  argument: {serviceAffinity: {labels: [a]}, labelsPresence: {labels: [b]}}
                priorities:
                - {name: Bar, weight: 1}
                """,
                "couldn't create scheduler from policy: [predicate type not found for \"Foo\", exactly 1 predicate"
                        + " argument is required, numArgs: 2, predicate Both, priority type not found for \"Bar\"]");
    }

    @Test
    void everyProfileOfTheConfigurationTakesThePolicyOn() throws ConfigurationException {
        var base = Configurations.read("profiles: [{schedulerName: a}, {schedulerName: b}]");
        var loaded =
                new LegacyPolicy(FeatureGates.DEFAULT)
                        .fromConfigMap(
                                Map.of(
                                        "policy.cfg",
                                        "kind: Policy\napiVersion: v1\npriorities: []\n"),
                                base);
        assertThat(loaded.configuration().profiles())
                .extracting(ProfileConfiguration::schedulerName)
                .containsExactly("a", "b");
        assertThat(loaded.configuration().profiles())
                .allSatisfy(profile -> assertThat(profile.at("score").enabled()).isEmpty());
    }

    @Nested
    @Tag("P-110")
    @Tag("P-111")
    @Tag("P-112")
    final class Providers {
        @Test
        void theDefaultOneIsThatOfV1beta1() throws ConfigurationException {
            var provided =
                    AlgorithmProvider.named("DefaultProvider").apply(BASE, FeatureGates.DEFAULT);
            var v1beta1 =
                    Configurations.load(
                            "apiVersion: kubescheduler.config.k8s.io/v1beta1\nkind: KubeSchedulerConfiguration\n",
                            FeatureGates.DEFAULT);
            assertThat(provided.configuration().profiles())
                    .isEqualTo(v1beta1.configuration().profiles());
            assertThat(provided.warnings()).hasSize(1);
        }

        @Test
        void theAutoscalersOnePacks() throws ConfigurationException {
            var profile =
                    AlgorithmProvider.named("ClusterAutoscalerProvider")
                            .apply(BASE, FeatureGates.DEFAULT)
                            .configuration()
                            .profiles()
                            .getFirst();
            assertThat(
                            Configurations.args(profile, "NodeResourcesFit")
                                    .fields("scoringStrategy")
                                    .text("type", ""))
                    .isEqualTo("MostAllocated");
        }

        @Test
        void anotherOneIsRefused() {
            assertThatThrownBy(() -> AlgorithmProvider.named("Foo"))
                    .hasMessage(
                            "couldn't create scheduler using provider \"Foo\": algorithm provider \"Foo\" is not registered");
            assertThat(AlgorithmProvider.choices())
                    .isEqualTo("ClusterAutoscalerProvider | DefaultProvider");
        }
    }

    private static List<String> names(ProfileConfiguration profile, String point) {
        return profile.at(point).enabled().stream().map(EnabledPlugin::name).toList();
    }

    private static ProfileConfiguration profile(String body) throws ConfigurationException {
        return apply(body).profiles().getFirst();
    }

    private static SchedulerConfiguration apply(String body) throws ConfigurationException {
        var loaded =
                new LegacyPolicy(FeatureGates.DEFAULT)
                        .fromConfigMap(
                                Map.of("policy.cfg", "kind: Policy\napiVersion: v1\n" + body),
                                BASE);
        Validation.require(loaded.configuration(), FeatureGates.DEFAULT);
        return loaded.configuration();
    }

    private static void assertRefused(String text, String message) {
        assertThatThrownBy(() ->
                        new LegacyPolicy(FeatureGates.DEFAULT)
                                .fromConfigMap(Map.of("policy.cfg", text), BASE))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith(message);
    }
}
