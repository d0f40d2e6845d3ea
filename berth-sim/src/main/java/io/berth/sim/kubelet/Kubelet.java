package io.berth.sim.kubelet;

import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.sim.cluster.ApiServer;
import io.berth.sim.cluster.Stored;
import io.berth.sim.time.Chance;
import io.berth.sim.time.VirtualTime;
import org.jspecify.annotations.Nullable;

/// All kubelets, and the collector of pods on nodes that are no more: pods that have a node come to
/// run, finish if they are jobs, and go away when they are to end.
public final class Kubelet implements ApiServer.Listener {
    /// Pods with this label finish by themselves.
    public static final String JOB_LABEL = "job";

    private final ApiServer server;
    private final VirtualTime time;
    private final Chance chance;

    public Kubelet(ApiServer server, VirtualTime time, Chance chance) {
        this.server = server;
        this.time = time;
        this.chance = chance;
        server.listen(this);
    }

    @Override
    public void changed(@Nullable Stored before, @Nullable Stored after) {
        if (after == null) {
            if (before != null && before.object().kind() == Kind.NODE) {
                time.in(chance.between(2000, 5000), () -> collectPods(before.object().name()));
            }
            return;
        }
        if (!(after.object() instanceof Pod pod) || !pod.isAssigned()) {
            return;
        }
        var old = before == null ? null : (Pod) before.object();
        if (old == null || !old.isAssigned()) {
            time.in(chance.delay(300, 2000), () -> run(pod));
        }
        if (pod.isTerminating() && (old == null || !old.isTerminating())) {
            time.in(chance.delay(500, 4000), () -> end(pod));
        }
        if (pod.isTerminal() && (old == null || !old.isTerminal())) {
            time.in(chance.between(100, 2000), () -> end(pod));
        }
    }

    private void run(Pod pod) {
        if (server.node(pod.nodeName()) == null) {
            collectPods(pod.nodeName());
            return;
        }
        server.change(
                pod.key(),
                pod.uid(),
                now -> now.toBuilder().phase("Running").startedAt(time.now()).build());
        if (pod.labels().has(JOB_LABEL)) {
            time.in(
                    chance.between(500, 8000),
                    () ->
                            server.change(
                                    pod.key(),
                                    pod.uid(),
                                    now ->
                                            now.toBuilder()
                                                    .phase(chance.oneOf("Succeeded", "Failed"))
                                                    .build()));
        }
    }

    private void end(Pod pod) {
        var now = server.pod(pod.key());
        if (now != null && now.uid().equals(pod.uid())) {
            server.remove(Kind.POD, pod.key());
        }
    }

    private void collectPods(String nodeName) {
        if (server.node(nodeName) != null) {
            return;
        }
        for (var pod : server.pods()) {
            if (pod.nodeName().equals(nodeName)) {
                server.remove(Kind.POD, pod.key());
            }
        }
    }
}
