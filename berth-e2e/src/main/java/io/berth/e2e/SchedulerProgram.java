package io.berth.e2e;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// A scheduler on disk, started with the flags of kube-scheduler. That both take the same flags is
/// what makes Berth a drop-in, so there is one way to start them.
///
/// @param name stands in failure messages
/// @param environment variables that it gets besides ours
public record SchedulerProgram(String name, Path file, Map<String, String> environment) {
    public SchedulerProgram {
        environment = Map.copyOf(environment);
    }

    public SchedulerProgram(String name, Path file) {
        this(name, file, Map.of());
    }

    /// The same program with these variables in its environment.
    public SchedulerProgram with(Map<String, String> variables) {
        return new SchedulerProgram(name, file, variables);
    }

    /// The packaged Berth: the launcher at the root of the checkout, if there is one yet.
    public static Optional<SchedulerProgram> berth() {
        Path launcher = Checkout.root().resolve("berth");
        return Files.isExecutable(launcher)
                ? Optional.of(new SchedulerProgram("berth", launcher))
                : Optional.empty();
    }

    /// The real kube-scheduler, the judge of what Berth has to do.
    public static SchedulerProgram kubeScheduler(Binaries.Found binaries) {
        return new SchedulerProgram("kube-scheduler", binaries.scheduler());
    }
}
