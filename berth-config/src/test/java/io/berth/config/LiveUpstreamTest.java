package io.berth.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/// Gives the recorded files to a real kube-scheduler again: are the facts still facts? Set
/// `BERTH_KUBE_SCHEDULER` to its binary; `berth-e2e/control-plane/build --print-path` tells where
/// the one for tests is.
@EnabledIfEnvironmentVariable(named = "BERTH_KUBE_SCHEDULER", matches = ".+")
class LiveUpstreamTest {
    private static final String RECORDED = "/etc/kubernetes/scheduler.conf";
    private static final Pattern FAILED =
            Pattern.compile(
                    "\"command failed\" err=(?:\"((?:[^\"\\\\]|\\\\.)*)\"|<\n(.*?)\n >)",
                    Pattern.DOTALL);

    @TempDir private Path folder = Path.of("");

    @Test
    void goodFilesAreWrittenAsRecorded() throws IOException, InterruptedException {
        var changed = new ArrayList<String>();
        for (var fact : UpstreamFacts.good()) {
            run(fact.file());
            var written = Files.readString(folder.resolve("out.yaml"));
            if (!written.replace(kubeconfig(), RECORDED).strip().equals(fact.outcome().strip())) {
                changed.add(fact.toString());
            }
        }
        assertThat(changed).isEmpty();
    }

    @Test
    void brokenFilesAreRefusedAsRecorded() throws IOException, InterruptedException {
        var changed = new ArrayList<String>();
        var facts = new ArrayList<>(UpstreamFacts.broken());
        facts.addAll(UpstreamFacts.unbuildable());
        for (var fact : facts) {
            var said = FAILED.matcher(run(fact.file()));
            var error =
                    !said.find()
                            ? "nothing"
                            : said.group(1) != null
                                    ? said.group(1).replace("\\\"", "\"").replace("\\\\", "\\")
                                    : String.valueOf(said.group(2)).replaceAll("(?m)^\t", "");
            if (!error.replace(kubeconfig(), RECORDED).equals(fact.outcome())) {
                changed.add(fact + " -> " + error);
            }
        }
        assertThat(changed).isEmpty();
    }

    /// @return what it said
    private String run(String file) throws IOException, InterruptedException {
        Files.writeString(
                folder.resolve("kubeconfig"),
                """
                apiVersion: v1
                kind: Config
                clusters: [{name: c, cluster: {server: "http://127.0.0.1:1"}}]
                contexts: [{name: x, context: {cluster: c, user: u}}]
                users: [{name: u, user: {}}]
                current-context: x
                """);
        var config =
                Files.writeString(folder.resolve("in.yaml"), file.replace(RECORDED, kubeconfig()));
        Files.deleteIfExists(folder.resolve("out.yaml"));
        // Now and then it waits for an API server that is not there; then it is asked again.
        for (int attempt = 0; attempt < 5; attempt++) {
            var log = folder.resolve("log");
            var process =
                    new ProcessBuilder(
                                    System.getenv("BERTH_KUBE_SCHEDULER"),
                                    "--config=" + config,
                                    "--write-config-to=" + folder.resolve("out.yaml"),
                                    "--secure-port=0")
                            .redirectErrorStream(true)
                            .redirectOutput(log.toFile())
                            .start();
            if (process.waitFor(10, TimeUnit.SECONDS)) {
                return Files.readString(log);
            }
            process.destroyForcibly().waitFor();
        }
        throw new IllegalStateException("kube-scheduler did not end:\n" + file);
    }

    private String kubeconfig() {
        return folder.resolve("kubeconfig").toString();
    }
}
