package io.berth.tools.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.app.ExitCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ExplainCommandTest {
    private static final String SHOP = "src/test/resources/shop.yaml";

    @TempDir Path folder;

    /// What differs from run to run.
    private static String steady(String text) {
        return text.replaceAll("in \\d+ ms", "in N ms")
                .replaceAll("Pending \\w+", "Pending AGE")
                .replaceAll("(?m)^uncertain: .*\\n(  .*\\n)*", "");
    }

    @Test
    void waitingPodIsToldIn80Columns() {
        var run = Run.of("pod", "api-7d9f-x2k", "-n", "shop", "--from", SHOP);
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isEqualTo(ExitCode.OK);
        assertThat(steady(run.out()))
                .isEqualTo(
                        """
                        shop/api-7d9f-x2k   Pending AGE
                        src/test/resources/shop.yaml, 5 nodes and 4 pods (1 of other kinds passed over: Secret)
                        WaitingForRoom: 2 of 5 nodes suit it, but are full; 3 do not suit it.

                        NODE    ZONE  WHY NOT
                        node-1  a     cpu: 2 wanted, 1850m free
                        node-2  b     cpu: 2 wanted, 900m free
                        gpu-1   c     taint gpu=true:NoSchedule
                        node-3  b     disk≠ssd
                        old-1   c     cordoned; taint node.kubernetes.io/unschedulable:NoSchedule;
                                        disk≠ssd

                        #  FIXES (each one tried; 11 in N ms)                        NODES  WHO
                        1  request cpu 1850m instead of 2 (-8 %)                           1  you
                        2  tolerate gpu=true:NoSchedule                                    1  you
                        3  drop nodeSelector disk=ssd                                      1  you
                        4  take taint gpu=true:NoSchedule from gpu-1                       1  admin
                        5  with priorityClass batch-high it would evict batch/etl-3        1  victims
                             from node-1 (find a new place: 1 of 1)
                        6  one more node like node-1 (zone a)                              1  autoscaler
                        7  one more node like node-2 (zone b)                              1  autoscaler
                        next try: when a pod goes, asks for less or tolerates more; a node comes,
                          changes its size, changes its labels or changes its taints; a DeviceClass
                          comes or changes
                        -o patch=N prints fix N as a patch
                        """
                                .replace(
                                        "in N ms)                        NODES",
                                        "in N ms)" + blanks(run) + "NODES"));
        assertThat(run.out().lines().filter(line -> !line.contains(SHOP)))
                .allMatch(line -> line.length() <= 80);
    }

    /// The heading is as wide as the time in it is long.
    private static String blanks(Run run) {
        var heading = run.out().lines().filter(line -> line.contains("FIXES")).findFirst();
        var found =
                java.util.regex.Pattern.compile("ms\\)( +)NODES").matcher(heading.orElseThrow());
        assertThat(found.find()).isTrue();
        return found.group(1);
    }

    @Test
    void waitingPodIsToldIn160Columns() {
        var run = Run.of("pod", "shop/api-7d9f-x2k", "--from", SHOP, "-o", "wide");
        assertThat(run.out())
                .contains("NODE    ZONE  fit                        taint")
                .contains("node-3  b     ok                         ok")
                .contains("affinity  cordon    VERDICT")
                .contains(
                        "with priorityClass batch-high it would evict batch/etl-3 from node-1 (find a new place: 1 of 1)");
        assertThat(run.out().lines()).allMatch(line -> line.length() <= 160);
    }

    @Test
    void placedPodIsRatedBesideOtherNodes() {
        var run = Run.of("pod", "etl-3", "-n", "batch", "--from", SHOP, "--node", "node-2");
        assertThat(run.code()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .contains("Placed: on node-1, now rank 1 of 2 nodes that can take it.")
                .contains("node-1 *     1    432  100×3  71×1")
                .contains("the first of 2 equals")
                .contains("node-2 cannot take it: cpu: 2150m wanted, 900m free");
    }

    @Test
    void jsonHasTheFieldsOfTheApi() throws IOException {
        var run = Run.of("pod", "api-7d9f-x2k", "-n", "shop", "--from", SHOP, "-o", "json");
        JsonNode told = new ObjectMapper().readTree(run.out());
        assertThat(told.path("apiVersion").asText()).isEqualTo("berth.io/v1alpha1");
        assertThat(told.path("kind").asText()).isEqualTo("PodExplanation");
        assertThat(told.at("/phase/category").asText()).isEqualTo("WaitingForRoom");
        assertThat(told.at("/counts/nodes").asInt()).isEqualTo(5);
        assertThat(told.path("message").asText())
                .isEqualTo(
                        "0/5 nodes are available: 1 node(s) didn't match Pod's node affinity/selector,"
                                + " 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable,"
                                + " 2 Insufficient cpu.");
        assertThat(told.at("/groups/0/reasons/0/lack/available").asInt()).isEqualTo(1850);
        assertThat(told.at("/fixes/0/verified").asBoolean()).isTrue();
        assertThat(told.at("/fixes/0/patch/0/op").asText()).isEqualTo("replace");
        assertThat(told.at("/fixes/0/patch/0/path").asText())
                .isEqualTo("/spec/containers/0/resources/requests/cpu");
    }

    @Test
    void yamlSaysTheSame() {
        assertThat(Run.of("pod", "big", "-n", "shop", "--from", SHOP, "-o", "yaml").out())
                .contains("category: Impossible", "kind: PodExplanation");
    }

    @Test
    void patchIsPrintedAlone() {
        assertThat(Run.of("pod", "shop/api-7d9f-x2k", "--from", SHOP, "-o", "patch=2").out())
                .isEqualTo(
                        """
                        [{"op":"add","path":"/spec/tolerations","value":[{"key":"gpu","operator":"Equal","value":"true","effect":"NoSchedule"}]}]
                        """);
    }

    @Test
    void waitingPodsAreGrouped() {
        assertThat(Run.of("pending", "--from", SHOP, "-o", "wide").out())
                .contains("2 pods wait")
                .containsPattern("1 .* WaitingForRoom +cpu: 2 wanted, at most 1850m free")
                .containsPattern("1 .* Impossible +disk≠nvme; cpu: 20 wanted, at most 4 free");
        assertThat(Run.of("pending", "--from", SHOP, "-n", "batch").out()).contains("0 pods wait");
        assertThat(Run.of("pending", "--from", SHOP, "--by", "owner").out()).contains("no owner");
    }

    @Test
    void nodeTellsWhatKeepsPodsOff() {
        assertThat(Run.of("node", "node-1", "--from", SHOP).out())
                .contains("cpu                 4      2150m  1850m")
                .contains("0 of 2 waiting pods could be placed here now.")
                .contains("cpu: 2 wanted, 1850m free");
    }

    /// What can be wrong with the words.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "| say what to explain",
                "pod | takes one name",
                "pending x | takes no name",
                "pot x | cannot explain \"pot\"",
                "pod x -o xml | -o is one of",
                "pod x -o patch | -o is one of",
                "pending -o patch=1 | -o is one of",
                "pod x --top many | --top must be a whole number",
                "pod x --by size | --by is one of",
                "pod x --fom y | unknown flag"
            })
    void wrongUsageIsOneSentence(String words, String sentence) {
        var run = Run.of(words == null ? new String[0] : words.split(" "));
        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains(sentence).hasLineCount(1);
    }

    /// What can be wrong with what is read.
    @Nested
    class WrongInput {
        private void fails(String sentence, String... words) {
            var run = Run.of(words);
            assertThat(run.err()).contains(sentence).hasLineCount(1).doesNotContain("Exception");
            assertThat(run.code()).isEqualTo(ExitCode.FAILED);
        }

        private String file(String name, String text) {
            try {
                return Files.writeString(folder.resolve(name), text).toString();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Test
        void unknownNamesGetAHint() {
            fails("did you mean \"shop/big\"?", "pod", "bug", "-n", "shop", "--from", SHOP);
            fails("there is shop/big", "pod", "big", "--from", SHOP);
            fails("did you mean \"gpu-1\"?", "node", "gpu-2x", "--from", SHOP);
            fails("there is no node \"x\"", "pod", "shop/big", "--node", "x", "--from", SHOP);
        }

        @Test
        void dumpsThatAreNoneAreTold() {
            fails("no such file", "pending", "--from", folder.resolve("none.yaml").toString());
            fails("has no files that end with", "pending", "--from", folder.toString());
            fails(
                    "line 2",
                    "pending",
                    "--from",
                    file("cut.json", "{\"kind\": \"List\",\n \"items\": [{"));
            fails("line 2", "pending", "--from", file("bad.yaml", "kind: List\nitems: [a: b: c"));
            fails("an object is expected", "pending", "--from", file("text.yaml", "hello"));
            fails("neither nodes nor pods", "pending", "--from", file("empty.yaml", ""));
            fails(
                    "neither nodes nor pods (1 of other kinds passed over: ConfigMap)",
                    "pending",
                    "--from",
                    file("other.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}"));
        }

        @Test
        void compressedDumpIsToldWithTheRemedy() throws IOException {
            var packed = folder.resolve("packed.yaml");
            try (var out = new GZIPOutputStream(Files.newOutputStream(packed))) {
                out.write("kind: List".getBytes(StandardCharsets.UTF_8));
            }
            fails("packed.yaml: compressed with gzip", "pending", "--from", packed.toString());
        }

        @Test
        void folderThatIsClosedIsTold() throws IOException {
            var inner = Files.createDirectory(folder.resolve("closed"));
            Files.setPosixFilePermissions(inner, Set.of());
            Assumptions.assumeFalse(Files.isReadable(inner), "whoever runs this may read anything");
            fails("cannot look into " + inner, "pending", "--from", folder.toString());
        }

        @Test
        void nothingReadableSaysSo() {
            fails(
                    "neither nodes nor pods, as 1 nodes could not be read",
                    "pending",
                    "--from",
                    file("boolean.yaml", "apiVersion: v1\nkind: Node\nmetadata: {name: true}"));
        }

        /// kubectl writes the kind of a list after its objects.
        @Test
        void listThatWasCutOffIsUncertain() {
            var node =
                    """
                    apiVersion: v1
                    items:
                    - apiVersion: v1
                      kind: Node
                      metadata:
                        name: node-1
                    """;
            assertThat(Run.of("pending", "--from", file("cut.yaml", node)).out())
                    .contains("a list that does not say its kind");
            assertThat(Run.of("pending", "--from", file("whole.yaml", node + "kind: List\n")).out())
                    .doesNotContain("say its kind");
        }

        @Test
        void halfReadableDumpIsReadHalf() {
            var dump =
                    file(
                            "half.yaml",
                            """
                            apiVersion: v1
                            kind: Node
                            metadata: {name: node-1}
                            status: {allocatable: {cpu: much}}
                            ---
                            apiVersion: v1
                            kind: Pod
                            metadata: {name: p, namespace: default}
                            spec: {containers: [{name: c}]}
                            """);
            var run = Run.of("pod", "p", "--from", dump);
            assertThat(run.out()).contains("1 nodes could not be read and were left out");
            assertThat(run.out()).contains("the cluster has no nodes");
            assertThat(run.code()).isEqualTo(ExplainCommand.NO_FIX);
        }

        @Test
        void clusterThatIsNotThereIsTold() {
            fails("no cluster is configured", "pending");
            var config =
                    file(
                            "kubeconfig",
                            """
                            apiVersion: v1
                            kind: Config
                            current-context: c
                            clusters: [{name: c, cluster: {server: "http://127.0.0.1:1"}}]
                            contexts: [{name: c, context: {cluster: c}}]
                            """);
            fails("from the cluster at http://127.0.0.1:1", "pending", "--kubeconfig", config);
            fails("has no entry named \"d\"", "pending", "--kubeconfig", config, "--context", "d");
        }

        @Test
        void configurationIsChecked() {
            var config = file("config.yaml", "apiVersion: v1\nkind: Pod\n");
            fails("config.yaml", "pending", "--from", SHOP, "--config", config);
            var other =
                    file(
                            "other.yaml",
                            """
                            apiVersion: kubescheduler.config.k8s.io/v1
                            kind: KubeSchedulerConfiguration
                            profiles: [{schedulerName: mine}]
                            """);
            fails(
                    "is for the scheduler \"default-scheduler\"",
                    "pod",
                    "shop/big",
                    "--from",
                    SHOP,
                    "--config",
                    other);
        }
    }

    @Test
    void podWithoutAnyFixHasItsOwnExitCode() throws IOException {
        var dump =
                Files.writeString(
                        folder.resolve("hopeless.json"),
                        """
                        {"apiVersion": "v1", "kind": "List", "items": [
                          {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"},
                           "status": {"allocatable": {"cpu": "1", "pods": "0"}}},
                          {"apiVersion": "v1", "kind": "Pod",
                           "metadata": {"name": "p", "namespace": "default"},
                           "spec": {"containers": [{"name": "c"}]}}]}
                        """);
        var run = Run.of("pod", "p", "--from", dump.toString());
        assertThat(run.code()).isEqualTo(ExplainCommand.NO_FIX);
        assertThat(run.out()).contains("pods: 1 wanted, 0 free", "No single change");
        assertThat(Run.of("pod", "p", "--from", dump.toString(), "--no-fixes").code()).isZero();
    }

    @Test
    void colourIsForTerminals() {
        assertThat(Run.of(Map.of("TERM", "xterm"), "pending", "--from", SHOP).out())
                .doesNotContain("\u001b");
    }
}
