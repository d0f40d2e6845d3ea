package io.berth.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.config.gate.FeatureGates;
import io.berth.config.text.ConfigurationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ConfigurationWriterTest {
    @Test
    @Tag("P-80")
    @Tag("P-194")
    void configzShowsTheDefaultsInTheOrderOfTheType() {
        var configuration =
                CompletedProfiles.in(SchedulerConfiguration.defaults(FeatureGates.DEFAULT));
        assertThat(ConfigurationWriter.configz(configuration))
                .startsWith(
                        "{\"componentconfig\":{\"kind\":\"KubeSchedulerConfiguration\","
                                + "\"apiVersion\":\"kubescheduler.config.k8s.io/v1\",\"parallelism\":16,"
                                + "\"leaderElection\":{\"leaderElect\":true,\"leaseDuration\":\"15s\","
                                + "\"renewDeadline\":\"10s\",\"retryPeriod\":\"2s\",\"resourceLock\":\"leases\","
                                + "\"resourceName\":\"kube-scheduler\",\"resourceNamespace\":\"kube-system\"},"
                                + "\"clientConnection\":{\"kubeconfig\":\"\",\"acceptContentTypes\":\"\","
                                + "\"contentType\":\"application/vnd.kubernetes.protobuf\",\"qps\":50,\"burst\":100},"
                                + "\"enableProfiling\":true,\"enableContentionProfiling\":true,"
                                + "\"percentageOfNodesToScore\":0,\"podInitialBackoffSeconds\":1,"
                                + "\"podMaxBackoffSeconds\":10,\"profiles\":[{\"schedulerName\":\"default-scheduler\","
                                + "\"plugins\":{\"preEnqueue\":{},\"queueSort\":{},\"preFilter\":{},\"filter\":{},"
                                + "\"postFilter\":{},\"preScore\":{},\"score\":{},\"reserve\":{},\"permit\":{},"
                                + "\"preBind\":{},\"bind\":{},\"postBind\":{},\"multiPoint\":{\"enabled\":["
                                + "{\"name\":\"SchedulingGates\",\"weight\":0},{\"name\":\"PrioritySort\",\"weight\":0},")
                .contains(
                        "\"placementGenerate\":{},\"placementScore\":{}},\"pluginConfig\":["
                                + "{\"name\":\"DefaultPreemption\",\"args\":{\"kind\":\"DefaultPreemptionArgs\","
                                + "\"apiVersion\":\"kubescheduler.config.k8s.io/v1\","
                                + "\"minCandidateNodesPercentage\":10,\"minCandidateNodesAbsolute\":100}},"
                                + "{\"name\":\"DynamicResources\",\"args\":{\"kind\":\"DynamicResourcesArgs\","
                                + "\"apiVersion\":\"kubescheduler.config.k8s.io/v1\",\"filterTimeout\":\"10s\","
                                + "\"bindingTimeout\":\"10m0s\"}},")
                .endsWith("\"bindTimeoutSeconds\":600}}]}]}}");
    }

    @Test
    @Tag("P-61")
    void whatIsWrittenReadsBackAsTheSame() throws ConfigurationException {
        for (var fact : UpstreamFacts.good()) {
            var configuration = CompletedProfiles.in(Configurations.readFile(fact.file()));
            var written = ConfigurationWriter.yaml(configuration);
            assertThat(
                            ConfigurationWriter.yaml(
                                    CompletedProfiles.in(Configurations.readFile(written))))
                    .as("%s", fact)
                    .isEqualTo(written);
        }
    }

    @Test
    @Tag("P-58")
    @Tag("P-59")
    void argumentsOfPluginsThatAreOffAreNotPartOfACompletedProfile() throws ConfigurationException {
        var configuration =
                Configurations.read(
                        """
                        profiles:
                        - plugins: {multiPoint: {disabled: [{name: VolumeBinding}]}}
                          pluginConfig:
                          - {name: VolumeBinding, args: {bindTimeoutSeconds: 5}}
                          - {name: InterPodAffinity, args: {hardPodAffinityWeight: 5}}
                        """);
        assertThat(configuration.profiles().getFirst().pluginConfig())
                .extracting(PluginArguments::name)
                .startsWith("VolumeBinding", "InterPodAffinity");
        assertThat(CompletedProfiles.of(configuration).getFirst().pluginConfig())
                .extracting(PluginArguments::name)
                .containsExactly(
                        "DefaultPreemption",
                        "DynamicResources",
                        "InterPodAffinity",
                        "NodeAffinity",
                        "NodeResourcesBalancedAllocation",
                        "NodeResourcesFit",
                        "PodTopologySpread");
    }
}
