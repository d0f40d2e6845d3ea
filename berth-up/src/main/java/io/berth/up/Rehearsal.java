package io.berth.up;

import io.berth.api.handle.Log;
import io.berth.app.CommandLine;
import io.berth.app.ExitCode;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.connection.KubeConfig;
import io.berth.up.scenario.Writer;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// A short life of the scheduler, from start to signal, on a cluster in the same process. The JVM
/// watches it to make an AOT cache: the classes it loads, and what the compiler learns.
///
/// The building of a package runs it, as `berth rehearse`; see docs/adr/0013.
public final class Rehearsal {
    private static final int NODES = 300;
    private static final int PODS = RehearsalWorkload.PODS;
    private static final Duration LIMIT = Duration.ofMinutes(3);

    private final PrintStream out;
    private final PrintStream err;

    public Rehearsal(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    public int run() {
        var options = new UpOptions(NODES, PODS, 0, 3, true, true, false, false, "", "", false, 0);
        var pods = RehearsalWorkload.create(NODES);
        try (var cluster = LocalCluster.start(options, pods, Log.NONE, _ -> {})) {
            var scheduler =
                    CompletableFuture.supplyAsync(
                            () -> schedule(cluster), Thread::startVirtualThread);
            boolean placed = awaitPlaced(cluster, PODS) && claimDevices(cluster);
            new ReadingRehearsal().run(cluster.kubeconfig());
            new QuestionsRehearsal().run(cluster.kubeconfig());
            stopScheduler();
            int exitCode = scheduler.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            out.println(placed ? "The rehearsal went well." : "Not all pods were placed in time.");
            return placed ? exitCode : ExitCode.FAILED;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return ExitCode.FAILED;
        } catch (ExecutionException | TimeoutException | IOException problem) {
            err.println("Error: the rehearsal failed: " + problem);
            return ExitCode.FAILED;
        }
    }

    private int schedule(LocalCluster cluster) {
        try (var port = new Socket()) {
            // Stays bound beside the scheduler's listener, so that nobody else is given it.
            port.setReuseAddress(true);
            port.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            return new CommandLine(out, err)
                    .rehearsing()
                    .run(
                            List.of(
                                    "--kubeconfig=" + cluster.kubeconfig(),
                                    "--authentication-kubeconfig=" + cluster.kubeconfig(),
                                    "--authorization-kubeconfig=" + cluster.kubeconfig(),
                                    "--bind-address=127.0.0.1",
                                    "--secure-port=" + port.getLocalPort(),
                                    "--kube-api-qps=-1",
                                    // Longer than all of it, however busy the machine is.
                                    "--leader-elect-lease-duration=10m",
                                    "--leader-elect-renew-deadline=9m"));
        } catch (IOException none) {
            throw new UncheckedIOException("no free port on loopback", none);
        }
    }

    private static boolean claimDevices(LocalCluster cluster) throws InterruptedException {
        var connection = KubeConfig.load(cluster.kubeconfig()).connection("");
        try (var client = new ApiClient(connection, ClientOptions.DEFAULT.withRate(-1, 0))) {
            new Writer(client).apply(RehearsalWorkload.claiming());
        }
        return awaitPlaced(cluster, PODS + RehearsalWorkload.CLAIMING);
    }

    private static boolean awaitPlaced(LocalCluster cluster, int pods) throws InterruptedException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (cluster.picture().snapshot().counts().placed() < pods * 9 / 10) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            Thread.sleep(100);
        }
        return true;
    }

    /// As an operator would: the end of the scheduler belongs to its life.
    private static void stopScheduler() throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-TERM", Long.toString(ProcessHandle.current().pid()))
                .inheritIO()
                .start()
                .waitFor();
    }
}
