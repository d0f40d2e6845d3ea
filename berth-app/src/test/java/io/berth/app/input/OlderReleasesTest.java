package io.berth.app.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Command lines and files as operators have them from 1.20 to 1.23, and what becomes of them.
@Tag("P-17")
class OlderReleasesTest {
    @TempDir Path folder;

    @BeforeEach
    void writeFiles() throws IOException {
        file(
                "policy.json",
                """
                {"kind": "Policy", "apiVersion": "v1",
                 "predicates": [{"name": "PodFitsHostPorts"}, {"name": "PodFitsResources"}, {"name": "MatchInterPodAffinity"}],
                 "priorities": [{"name": "LeastRequestedPriority", "weight": 3}, {"name": "InterPodAffinityPriority", "weight": 1}],
                 "extenders": [{"urlPrefix": "http://127.0.0.1:8888/", "filterVerb": "filter", "prioritizeVerb": "prioritize",
                                "weight": 5, "enableHttps": false, "nodeCacheCapable": true, "ignorable": true}],
                 "hardPodAffinitySymmetricWeight": 10}
                """);
        file(
                "v1beta1.yaml",
                """
                apiVersion: kubescheduler.config.k8s.io/v1beta1
                kind: KubeSchedulerConfiguration
                leaderElection: {leaderElect: true}
                clientConnection: {qps: 20, burst: 40}
                healthzBindAddress: 0.0.0.0:0
                metricsBindAddress: 0.0.0.0:0
                podInitialBackoffSeconds: 2
                profiles:
                - schedulerName: default-scheduler
                  plugins: {score: {disabled: [{name: NodeResourcesLeastAllocated}]}}
                  pluginConfig:
                  - name: InterPodAffinity
                    args: {hardPodAffinityWeight: 7}
                """);
        file(
                "v1beta2.yaml",
                """
                apiVersion: kubescheduler.config.k8s.io/v1beta2
                kind: KubeSchedulerConfiguration
                percentageOfNodesToScore: 30
                extenders: [{urlPrefix: "http://e/", filterVerb: f, httpTimeout: 3s}]
                """);
    }

    private void file(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // A manifest of kubeadm 1.20.
                "--bind-address=127.0.0.1 --leader-elect=true --port=0 | leaderElect: true",
                // Words of a flag may be joined in either way.
                "--leader_elect=false --kube_api_qps=20 | qps: 20",
                "--leader-elect-lease-duration=30s --lock-object-name=old | resourceName: old",
                "--leader-elect --lock-object-namespace=ns | resourceNamespace: ns",
                "--scheduler-name=my-scheduler | schedulerName: my-scheduler",
                "--hard-pod-affinity-symmetric-weight=10 | hardPodAffinityWeight: 10",
                "--algorithm-provider=DefaultProvider | NodeResourcesFit",
                "--algorithm-provider=ClusterAutoscalerProvider | type: MostAllocated",
                "--policy-config-file={policy.json} | prioritizeVerb: prioritize",
                "--policy-config-file={policy.json} | hardPodAffinityWeight: 10",
                "--policy-config-file={policy.json} --use-legacy-policy-config=true --policy-configmap=x | weight: 3",
                "--profiling=false --contention-profiling=false | enableProfiling: false",
                "--kube-api-content-type=application/json --kube-api-burst=7 | burst: 7",
                "--config={v1beta1.yaml} | hardPodAffinityWeight: 7",
                "--config={v1beta1.yaml} | podInitialBackoffSeconds: 2",
                "--config={v1beta2.yaml} | percentageOfNodesToScore: 30",
                "--config={v1beta2.yaml} | httpTimeout: 3s",
            })
    void settingsAreFound(String line, String expected) throws IOException {
        Path written = folder.resolve("written.yaml");
        var words = new ArrayList<String>();
        for (String word : line.split(" ", -1)) {
            int brace = word.indexOf('{');
            words.add(
                    brace < 0
                            ? word
                            : word.substring(0, brace)
                                    + folder.resolve(word.substring(brace + 1, word.length() - 1)));
        }
        // Nothing is asked of the API server in order to write a configuration.
        words.addAll(
                List.of("--master=http://127.0.0.1:1", "--write-config-to=" + written, "-v=0"));
        Invocation call = Invocation.of(words);
        assertThat(call.exitCode()).as(call.lastWords()).isZero();
        assertThat(Files.readString(written)).contains(expected);
    }

    @Test
    @Tag("P-11")
    void wordsThatAreNoFlagsAreRefusedInTheWordsOfThatTime() {
        Invocation call = Invocation.of("--leader-elect", "now");
        assertThat(call.exitCode()).isEqualTo(1);
        assertThat(call.err()).contains("does not take any arguments, got [\"now\"]");
    }

    @Test
    void whatBerthLacksIsSaidAtEveryStart() {
        Invocation call =
                Invocation.of(
                        "--master=http://127.0.0.1:1",
                        "--feature-gates=GenericWorkload=true,GangScheduling=true",
                        "--write-config-to=" + folder.resolve("written.yaml"));
        assertThat(call.log())
                .anyMatch(line ->
                        line.startsWith("W")
                                && line.contains("Berth lacks plugins that the profiles name")
                                && line.contains("GangScheduling"));
    }
}
