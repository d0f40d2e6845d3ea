package io.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.e2e.fixture.PackagedScheduler;
import io.berth.e2e.fixture.RealControlPlane;
import io.berth.e2e.fixture.Thorough;
import io.berth.up.browser.Chromium;
import io.berth.up.browser.Tab;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The first two minutes of a newcomer, from the packaged tree: a cluster in which something is
/// wrong, the page that shows it, a deployment, why a pod waits, and what helps.
@Thorough
@PackagedScheduler
@RealControlPlane
final class TwoMinutesIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final ObjectMapper JSON = new ObjectMapper();

    /// GPUs as counted resources, of which every node has too few left.
    private static final Path SCENARIO =
            Path.of("src/test/resources/scenarios/scattered-gpus.yaml").toAbsolutePath();

    private final ControlPlane plane;
    private final Path folder;
    private final List<AutoCloseable> started = new ArrayList<>();

    TwoMinutesIT(ControlPlane plane) throws IOException {
        this.plane = plane;
        this.folder = Files.createTempDirectory(plane.folder(), "two-minutes-");
    }

    @AfterEach
    void end() throws Exception {
        for (var one : started.reversed()) {
            one.close();
        }
    }

    private <T extends AutoCloseable> T keep(T one) {
        started.add(one);
        return one;
    }

    @Test
    void newcomerSeesWhatIsWrongAndMendsIt() throws Exception {
        long begin = System.nanoTime();
        var up = keep(new UpProcess(folder, "--scenario", SCENARIO.toString()));
        var link = up.link();
        assertThat(up.process().logLines().getFirst()).contains(link);
        var kubectl = up.kubectl(plane.binaries().kubectl());
        kubectl.run("create", "deployment", "web", "--image=nginx", "--replicas=200").ok();
        kubectl.run("rollout", "status", "deployment/web", "--timeout=100s").ok();
        up.process().awaitLine("everything came as expected", LIMIT);

        var told = explain(up, "pod", "train-0");
        assertThat(told).contains("default/train-0", "WaitingForRoom", "nvidia.com/gpu", "FIXES");
        var patch = patch(JSON.readTree(explain(up, "pod", "train-0", "-o", "json")));

        var tab = tab();
        if (tab.isPresent()) {
            see(tab.get(), link);
        }
        // What a pod asks for cannot be changed in place: it goes and comes again.
        var pod = kubectl.run("get", "pod", "train-0", "-o", "json").ok();
        var mended =
                kubectl.runWithInput(
                                pod,
                                "patch",
                                "--local",
                                "-f",
                                "-",
                                "--type=json",
                                "-p",
                                patch,
                                "-o",
                                "json")
                        .ok();
        kubectl.runWithInput(mended, "replace", "--force", "--grace-period=0", "-f", "-").ok();
        kubectl.run("wait", "pod/train-0", "--for=condition=PodScheduled", "--timeout=60s").ok();
        if (tab.isPresent()) {
            tab.get().value("location.hash = '#/log'");
            tab.get()
                    .await(
                            "[...document.querySelectorAll('.log tr')].some(row => row.innerText.includes('train-0') && row.querySelector('.good'))");
            assertThat(tab.get().complaints()).isEmpty();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(LIMIT);
        assertThat(up.interrupt()).isZero();
        assertThat(up.leftovers()).isEmpty();
    }

    private Optional<Tab> tab() {
        return Chromium.find()
                .map(program -> {
                    var browser = keep(Chromium.start(program));
                    return keep(browser.open());
                });
    }

    private static void see(Tab tab, String link) {
        tab.size(1280, 800);
        tab.go(link);
        tab.awaitText(".causes", "nvidia.com/gpu");
        tab.click(".causes .cause a");
        tab.awaitText(".fixes", "nvidia.com/gpu");
        tab.click(".inline a");
        tab.awaitText(".legend", "0 nodes can take default/train-0");
    }

    /// The first one that the pod's owner can apply.
    private static String patch(JsonNode told) {
        return StreamSupport.stream(told.path("fixes").spliterator(), false)
                .filter(fix -> fix.path("patch").isArray() && !fix.path("patch").isEmpty())
                .findFirst()
                .orElseThrow()
                .path("patch")
                .toString();
    }

    /// `kubectl berth explain`, as it was put on the path.
    private String explain(UpProcess up, String... words) throws IOException {
        var plugins = folder.resolve("plugins");
        if (!Files.exists(plugins)) {
            try (var put =
                    new ChildProcess(
                                    "berth kubectl",
                                    List.of(
                                            UpProcess.launcher(),
                                            "kubectl",
                                            "--to",
                                            plugins.toString()),
                                    folder.resolve("kubectl.log"))
                            .start()) {
                assertThat(put.awaitEnd(LIMIT)).as(put.logTail()).isZero();
            }
        }
        var command = new ArrayList<String>();
        command.addAll(
                List.of(
                        "env",
                        "PATH=" + plugins + ":" + System.getenv("PATH"),
                        "KUBECONFIG=" + up.kubeconfig(),
                        plane.binaries().kubectl().toString(),
                        "berth",
                        "explain"));
        command.addAll(List.of(words));
        var log = Files.createTempFile(folder, "explain", ".log");
        try (var process = new ChildProcess("explain", command, log).start()) {
            assertThat(process.awaitEnd(LIMIT)).as(process.logTail()).isZero();
            return Files.readString(log);
        }
    }
}
