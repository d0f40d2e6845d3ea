package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.app.log.ProcessLog;
import io.berth.app.option.OptionsException;
import io.berth.config.ClientConnectionConfiguration;
import io.berth.config.ProfileConfiguration;
import io.berth.config.SchedulerConfiguration;
import io.berth.config.text.Value;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigurationTest {
    private static final String FILE =
            """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            enableProfiling: false
            clientConnection:
              kubeconfig: from-file
              qps: 7
            leaderElection:
              leaseDuration: 40s
              resourceName: from-file
            """;

    @TempDir Path folder;
    private Path file;

    @BeforeEach
    void write() throws Exception {
        file = folder.resolve("config.yaml");
        Files.writeString(file, FILE);
    }

    /// Gates and versions are a matter of flags alone.
    @ParameterizedTest
    @ValueSource(strings = {"featureGates: {ComponentFlagz: false}", "emulatedVersion: '1.35'"})
    @Tag("P-48")
    void fileSwitchesNoFeatures(String field) throws Exception {
        Files.writeString(file, FILE + field);
        assertThatThrownBy(() -> read("--config=" + file))
                .hasMessageContaining(
                        "unknown field \"%s\"".formatted(field.substring(0, field.indexOf(':'))));
    }

    @Test
    @Tag("P-47")
    void withoutAFileDeprecatedFlagsCount() throws Exception {
        SchedulerConfiguration read =
                read(
                        "--kubeconfig=k",
                        "--kube-api-qps=3",
                        "--kube-api-burst=4",
                        "--kube-api-content-type=application/json",
                        "--profiling=false",
                        "--contention-profiling=false");
        assertThat(read.clientConnection().kubeconfig()).isEqualTo("k");
        assertThat(read.clientConnection().qps()).isEqualTo(3f);
        assertThat(read.clientConnection().burst()).isEqualTo(4);
        assertThat(read.clientConnection().contentType()).isEqualTo("application/json");
        assertThat(read.enableProfiling()).isFalse();
        assertThat(read.enableContentionProfiling()).isFalse();
    }

    @Test
    @Tag("P-47")
    void withAFileDeprecatedFlagsAreIgnored() throws Exception {
        SchedulerConfiguration read =
                read(
                        "--config=" + file,
                        "--kubeconfig=k",
                        "--kube-api-qps=3",
                        "--profiling=true",
                        "--scheduler-name=x");
        assertThat(read.clientConnection().kubeconfig()).isEqualTo("from-file");
        assertThat(read.clientConnection().qps()).isEqualTo(7f);
        assertThat(read.enableProfiling()).isFalse();
        assertThat(read.profiles().getFirst().schedulerName()).isEqualTo("default-scheduler");
    }

    @Test
    @Tag("P-47")
    void electionFlagsGoBeforeTheFileFieldByField() throws Exception {
        var election =
                read("--config=" + file, "--leader-elect-lease-duration=15s").leaderElection();
        assertThat(election.leaseDuration()).isEqualTo(Duration.ofSeconds(15));
        assertThat(election.resourceName()).isEqualTo("from-file");
        assertThat(read("--leader-elect=false").leaderElection().leaderElect()).isFalse();
    }

    @Test
    @Tag("P-46")
    void flagsAreCheckedWithAndWithoutAFile() {
        String problem =
                "leaderElection.leaseDuration: Invalid value: \"5s\": must be greater than"
                        + " `RenewDeadline`";
        assertThatThrownBy(() -> setup("--leader-elect-lease-duration=5s")).hasMessage(problem);
        assertThatThrownBy(() -> setup("--config=" + file, "--leader-elect-lease-duration=5s"))
                .hasMessage(problem);
    }

    @Test
    @Tag("P-41")
    @Tag("P-49")
    void problemsOfFlagsAndFileAreToldTogether() throws Exception {
        Files.writeString(file, FILE + "parallelism: -1\n");
        assertThatThrownBy(() ->
                        setup("--config=" + file, "--secure-port=-1", "--emulated-version=1.37"))
                .isInstanceOf(OptionsException.class)
                .hasMessage(
                        "[emulation version 1.37 is not between [1.33, 1.36.0], parallelism:"
                                + " Invalid value: -1: should be an integer value greater than zero,"
                                + " --secure-port -1 must be between 0 and 65535, inclusive. 0 for"
                                + " turning off secure port]");
    }

    @Test
    @Tag("P-17")
    void olderFlagsNameTheProfileAndWeighAffinity() throws Exception {
        ProfileConfiguration profile =
                read("--scheduler-name=mine", "--hard-pod-affinity-symmetric-weight=9")
                        .profiles()
                        .getFirst();
        assertThat(profile.schedulerName()).isEqualTo("mine");
        assertThat(profile.pluginConfig())
                .filteredOn(arguments -> arguments.name().equals("InterPodAffinity"))
                .singleElement()
                .satisfies(arguments ->
                        assertThat(
                                        ((Value.Fields) arguments.args())
                                                .number("hardPodAffinityWeight", 0))
                                .isEqualTo(9));
    }

    @Test
    @Tag("P-60")
    void longestWaitOfAPodComesFromItsFlagWithOrWithoutAFile() {
        assertThat(
                        setup(
                                        "--master=http://127.0.0.1:1",
                                        "--pod-max-in-unschedulable-pods-duration=7m")
                                .engine()
                                .queue()
                                .maxTimeParked())
                .isEqualTo(Duration.ofMinutes(7));
        assertThat(
                        setup(
                                        "--master=http://127.0.0.1:1",
                                        "--feature-gates=SchedulerPopFromBackoffQ=false")
                                .engine()
                                .queue()
                                .popFromBackoff())
                .isFalse();
    }

    @Test
    @Tag("P-19")
    @Tag("P-111")
    void providerAndPolicyReplaceTheProfile() throws Exception {
        Path policy = folder.resolve("policy");
        Files.writeString(
                policy,
                """
                {"kind": "Policy", "apiVersion": "v1", "predicates": [{"name": "HostName"}],
                 "priorities": [{"name": "ImageLocalityPriority", "weight": 3}]}
                """);
        var filters = read("--policy-config-file=" + policy).profiles().getFirst().at("filter");
        assertThat(filters.enabled())
                .extracting("name")
                .contains("NodeName")
                .doesNotContain("NodePorts");
        assertThat(read("--algorithm-provider=ClusterAutoscalerProvider").profiles())
                .isNotEqualTo(read().profiles());
        assertThatThrownBy(() -> read("--algorithm-provider=Nope"))
                .hasMessageContaining("algorithm provider \"Nope\" is not registered");
        assertThatThrownBy(() -> read("--policy-config-file=/nowhere/policy"))
                .hasMessage("missing policy config file /nowhere/policy");
    }

    @Test
    @Tag("P-19")
    void policyDoesNotGoWithProfilesOfAFile() throws Exception {
        Path policy = folder.resolve("policy");
        Files.writeString(policy, "{\"kind\": \"Policy\", \"apiVersion\": \"v1\"}");
        read("--config=" + file, "--policy-config-file=" + policy);
        Files.writeString(file, FILE + "profiles: [{schedulerName: x}]\n");
        assertThatThrownBy(() -> read("--config=" + file, "--policy-config-file=" + policy))
                .hasMessage("cannot set a Plugin config and Policy config");
    }

    @Test
    @Tag("P-19")
    void policyMayComeFromTheCluster() throws Exception {
        assertThat(read("--policy-configmap=m").profiles().getFirst().at("filter").enabled())
                .extracting("name")
                .contains("NodeName");
        assertThatThrownBy(() -> setup("--policy-configmap=m", "--master=http://127.0.0.1:1"))
                .hasMessageStartingWith("couldn't get policy config map kube-system/m: ");
    }

    private static Map<String, String> policyMap(
            ClientConnectionConfiguration client, String namespace, String name) {
        return Map.of(
                "policy.cfg",
                "{\"kind\": \"Policy\", \"apiVersion\": \"v1\", \"predicates\": [{\"name\": \"HostName\"}]}");
    }

    private static SchedulerConfiguration read(String... words) throws Exception {
        return new Configuration(Options.of(words))
                .read(List.of(), ConfigurationTest::policyMap, _ -> {});
    }

    private static Setup setup(String... words) {
        return Setup.from(Options.of(words), new ProcessLog(new ArrayList<String>()::add));
    }
}
