package io.berth.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// Where the programs of a real control plane are on this machine, if they are.
public sealed interface Binaries {
    /// What to do when there are none.
    String REMEDY =
            "no real control plane on this machine: build one with berth-e2e/control-plane/build"
                    + " (needs Go), or point KUBEBUILDER_ASSETS at a folder with etcd,"
                    + " kube-apiserver, kube-scheduler and kubectl";

    /// A folder that holds all of them.
    record Found(Path folder) implements Binaries {
        public Path etcd() {
            return folder.resolve("etcd");
        }

        public Path apiServer() {
            return folder.resolve("kube-apiserver");
        }

        public Path scheduler() {
            return folder.resolve("kube-scheduler");
        }

        /// Not there where somebody else's binaries are used that lack it.
        public Optional<Path> controllerManager() {
            return Optional.of(folder.resolve("kube-controller-manager"))
                    .filter(Files::isExecutable);
        }

        public Path kubectl() {
            return folder.resolve("kubectl");
        }
    }

    /// There are none; `remedy` is one sentence about what to do.
    record Missing(String remedy) implements Binaries {}

    /// Asks `control-plane/build`, which looks into `KUBEBUILDER_ASSETS` and then into its cache.
    /// Builds nothing.
    static Binaries find() {
        var script = Checkout.root().resolve("berth-e2e/control-plane/build");
        var command = List.of("bash", script.toString(), "--print-path");
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException(script + " --print-path hangs");
            }
            var output = process.getInputStream().readAllBytes();
            return process.exitValue() == 0
                    ? new Found(Path.of(new String(output, StandardCharsets.UTF_8).strip()))
                    : new Missing(REMEDY);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run " + script, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while looking for a control plane", e);
        }
    }
}
