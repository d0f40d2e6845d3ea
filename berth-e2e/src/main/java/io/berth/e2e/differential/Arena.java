package io.berth.e2e.differential;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.e2e.Binaries;
import io.berth.e2e.ControlPlane;
import io.berth.e2e.SchedulerProcess;
import io.berth.e2e.SchedulerProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A real control plane with Berth and the real kube-scheduler on it, each under a scheduler name
/// of its own. All scenarios of a run are played here, one after the other.
public final class Arena implements AutoCloseable {
    private static final String UPSTREAM_NAME = "kube-scheduler";
    private static final String BERTH_NAME = "default-scheduler";

    private final Contestant berth;
    private final Contestant upstream;
    private final Stage stage;
    private final Trial trial;
    private boolean isBerthFirst;

    private Arena(ControlPlane plane, Contestant berth, Contestant upstream) {
        this.berth = berth;
        this.upstream = upstream;
        this.stage = new Stage(plane.admin(), List.of(berth, upstream));
        this.trial = new Trial(stage);
    }

    /// A control plane in which nobody holds volumes and claims back from being deleted: there is
    /// no controller that would let go of them.
    ///
    /// @param gates feature gates, as in `A=true,B=false`; empty where none are set
    public static ControlPlane controlPlane(Binaries.Found binaries, String gates) {
        var flags = new ArrayList<String>();
        flags.add("--disable-admission-plugins=StorageObjectInUseProtection");
        flags.addAll(gateFlags(gates));
        return ControlPlane.start(binaries, flags.toArray(String[]::new));
    }

    private static List<String> gateFlags(String gates) {
        return gates.isEmpty() ? List.of() : List.of("--feature-gates=" + gates);
    }

    /// Starts both schedulers on a control plane that has no nodes yet.
    public static Arena open(ControlPlane plane, SchedulerProgram berthProgram, String gates) {
        var upstream = upstream(plane, gates);
        SchedulerProcess berthProcess = null;
        try {
            berthProcess =
                    plane.start(
                            berthProgram,
                            flags(
                                    gates,
                                    "--leader-elect=false",
                                    "--kube-api-qps=1000",
                                    "--kube-api-burst=1000",
                                    "-v=10"));
            var arena =
                    new Arena(plane, new Contestant("berth", BERTH_NAME, berthProcess), upstream);
            arena.stage.furnish();
            return arena;
        } catch (RuntimeException e) {
            upstream.close();
            if (berthProcess != null) {
                berthProcess.close();
            }
            throw e;
        }
    }

    /// Starts the real kube-scheduler, which says all its scores.
    static Contestant upstream(ControlPlane plane, String gates) {
        return new Contestant(
                "kube-scheduler",
                UPSTREAM_NAME,
                plane.startScheduler(
                        flags(
                                gates,
                                "--config=" + upstreamSettings(plane),
                                // The scores at 10, without the client's own talk at that level.
                                "-v=4",
                                "--vmodule=schedule_one=10")));
    }

    private static String[] flags(String gates, String... others) {
        var all = new ArrayList<>(List.of(others));
        all.addAll(gateFlags(gates));
        return all.toArray(String[]::new);
    }

    /// All nodes are scored, as Berth does, in one thread, so that two runs are alike.
    private static Path upstreamSettings(ControlPlane plane) {
        try {
            return Files.writeString(
                    plane.folder().resolve("kube-scheduler.yaml"),
                    """
                    apiVersion: kubescheduler.config.k8s.io/v1
                    kind: KubeSchedulerConfiguration
                    leaderElection:
                      leaderElect: false
                    clientConnection:
                      kubeconfig: %s
                      qps: 1000
                      burst: 1000
                    parallelism: 1
                    percentageOfNodesToScore: 100
                    profiles:
                    - schedulerName: %s
                    """
                            .formatted(plane.schedulerKubeconfig(), UPSTREAM_NAME));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the settings of kube-scheduler", e);
        }
    }

    /// Makes the cluster of the scenarios that follow, or changes it.
    void become(List<ObjectNode> objects) {
        stage.become(objects);
    }

    void strike() {
        stage.strike();
    }

    /// Both outcomes for a pod in the cluster as it stands. Who comes first changes each time.
    Pair play(ObjectNode pod) {
        isBerthFirst = !isBerthFirst;
        if (isBerthFirst) {
            var ours = trial.run(pod, berth);
            return new Pair(ours, trial.run(pod, upstream));
        }
        var theirs = trial.run(pod, upstream);
        return new Pair(trial.run(pod, berth), theirs);
    }

    /// What Berth and what upstream made of a pod.
    record Pair(Outcome berth, Outcome upstream) {
        List<Difference> differences() {
            return Difference.between(berth, upstream);
        }
    }

    @Override
    public void close() {
        berth.close();
        upstream.close();
    }
}
