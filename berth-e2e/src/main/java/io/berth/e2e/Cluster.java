package io.berth.e2e;

import java.nio.file.Path;

/// A Kubernetes API that tests and schedulers talk to, whoever serves it.
public interface Cluster {
    /// A client with all rights.
    HttpApi admin();

    /// The kubeconfig of the user `system:kube-scheduler`.
    Path schedulerKubeconfig();

    /// A folder for files that live as long as the cluster.
    Path folder();

    /// Creates an empty namespace with a name that was not used before, and returns the name.
    String freshNamespace();

    /// Prepares a scheduler for this cluster and starts it, without waiting for anything. `flags`
    /// are added to ours and win.
    default SchedulerProcess start(SchedulerProgram program, String... flags) {
        return SchedulerProcess.start(program, this, flags);
    }
}
