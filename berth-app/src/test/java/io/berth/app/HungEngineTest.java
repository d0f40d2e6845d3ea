package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.kube.client.ApiRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A whole scheduler whose engine hangs in a plugin. It renewed its lease and called itself alive;
/// whoever stopped it waited for the engine, and the lease was not released.
@Timeout(300)
final class HungEngineTest {
    @TempDir private Path directory;

    private Path plugins = Path.of("");
    private Path goOn = Path.of("");

    /// A filter that does not come back before there is a file.
    @BeforeEach
    void buildPlugin() throws IOException {
        plugins = Files.createDirectory(directory.resolve("plugins"));
        goOn = directory.resolve("go-on");
        PluginJar.compile(
                directory,
                """
                import io.berth.api.column.*;
                import io.berth.api.handle.*;
                import io.berth.api.model.*;
                import io.berth.api.plugin.*;
                import io.berth.api.verdict.*;
                public final class Maker implements PluginFactory, Filter {
                    public String name() { return "Hangs"; }
                    public Plugin create(Arguments arguments, Handle handle) { return this; }
                    public Verdict filter(Cycle cycle, Pod pod, NodeView node) {
                        while (!new java.io.File("%s").exists()) {
                            try {
                                Thread.sleep(10);
                            } catch (InterruptedException goesOn) {
                            }
                        }
                        return Verdict.PASS;
                    }
                }
                """
                        .formatted(goOn));
        PluginJar.pack(directory, plugins.resolve("hangs.jar"), true);
    }

    @AfterEach
    void letGo() throws IOException {
        Files.writeString(goOn, "");
    }

    @Test
    @Tag("P-185")
    @Tag("P-252")
    void itIsNotAliveSaysWhereItStandsAndCanStillBeStopped() throws Exception {
        try (var cluster = new TestCluster(directory);
                var scheduler =
                        RunningScheduler.start(
                                cluster.kubeconfig(),
                                "--plugin-dir=" + plugins,
                                "--engine-stall-timeout=1s")) {
            cluster.createNode("n", 10);
            scheduler.awaitLine("Successfully acquired lease");
            cluster.createPod("p");

            scheduler.awaitLine("The engine has not finished a step for long");
            int line = scheduler.lineOf("The engine has not finished a step for long");
            assertThat(scheduler.log().get(line)).contains("Maker.filter");
            await().atMost(RunningScheduler.PATIENCE)
                    .until(() -> scheduler.pages().get("/livez").statusCode() == 500);
            assertThat(scheduler.pages().get("/livez").body()).contains("[-]engine failed");

            assertThat(scheduler.stop()).isZero();
            assertThat(lease(cluster)).contains("\"holderIdentity\":\"\"");
            assertThat(cluster.pod("p")).doesNotContain("\"nodeName\"");
        }
    }

    private static String lease(TestCluster cluster) {
        return cluster.client()
                .send(
                        ApiRequest.get(
                                "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-scheduler"))
                .text();
    }
}
