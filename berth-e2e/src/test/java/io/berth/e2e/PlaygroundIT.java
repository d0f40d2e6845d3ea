package io.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.e2e.fixture.PackagedScheduler;
import io.berth.e2e.fixture.RealControlPlane;
import io.berth.e2e.fixture.Thorough;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// What one does with kubectl on the cluster of `berth up`, from the packaged tree.
@Thorough
@PackagedScheduler
@RealControlPlane
final class PlaygroundIT {
    private static final String DATABASE =
            """
            apiVersion: apps/v1
            kind: StatefulSet
            metadata: {name: db}
            spec:
              serviceName: db
              replicas: 2
              selector: {matchLabels: {app: db}}
              template:
                metadata: {labels: {app: db}}
                spec:
                  terminationGracePeriodSeconds: 0
                  containers:
                  - {name: c, image: db, volumeMounts: [{name: data, mountPath: /data}]}
              volumeClaimTemplates:
              - metadata: {name: data}
                spec:
                  accessModes: [ReadWriteOnce]
                  resources: {requests: {storage: 1Gi}}
            """;

    private final ControlPlane plane;

    PlaygroundIT(ControlPlane plane) {
        this.plane = plane;
    }

    /// One line of kubectl that has to work, and what it prints.
    private static String ok(Kubectl kubectl, String line) {
        return kubectl.run(line.split(" ", -1)).ok();
    }

    @Test
    void kubectlKnowsItsWayAround() throws IOException {
        try (var up = new UpProcess(plane.folder(), "--no-demo", "--nodes", "4")) {
            var kubectl = up.kubectl(plane.binaries().kubectl());
            rollouts(kubectl);
            drain(kubectl);
            deletions(kubectl);
            claims(kubectl);
            jobs(kubectl);
            assertThat(up.interrupt()).isZero();
            assertThat(up.leftovers()).isEmpty();
        }
    }

    private static void rollouts(Kubectl kubectl) {
        ok(kubectl, "create deployment web --image=nginx:1 --replicas=6");
        ok(kubectl, "rollout status deployment/web --timeout=60s");
        ok(kubectl, "scale deployment/web --replicas=3");
        ok(kubectl, "rollout status deployment/web --timeout=60s");
        ok(kubectl, "set image deployment/web nginx=nginx:2");
        ok(kubectl, "rollout status deployment/web --timeout=60s");
        assertThat(ok(kubectl, "rollout history deployment/web")).contains("1 ", "2 ");
        ok(kubectl, "rollout undo deployment/web");
        ok(kubectl, "rollout status deployment/web --timeout=60s");
        assertThat(
                        ok(
                                kubectl,
                                "get deployment web -o jsonpath={.spec.template.spec.containers[0].image}={.status.readyReplicas}"))
                .isEqualTo("nginx:1=3");
    }

    private static void drain(Kubectl kubectl) {
        ok(kubectl, "create poddisruptionbudget web --selector=app=web --min-available=2");
        ok(kubectl, "drain node-1 --ignore-daemonsets --delete-emptydir-data --timeout=90s");
        assertThat(ok(kubectl, "get pods --field-selector=spec.nodeName=node-1 -o name")).isEmpty();
        ok(kubectl, "rollout status deployment/web --timeout=60s");
        ok(kubectl, "uncordon node-1");
        assertThat(ok(kubectl, "get node node-1")).doesNotContain("SchedulingDisabled");
    }

    private static void deletions(Kubectl kubectl) {
        ok(kubectl, "delete deployment web --cascade=orphan");
        var set = ok(kubectl, "get replicasets -l app=web -o name").lines().findFirst();
        assertThat(set).isPresent();
        assertThat(ok(kubectl, "get pods -l app=web -o name").lines()).hasSize(3);
        ok(kubectl, "delete replicasets -l app=web --cascade=foreground --timeout=60s");
        assertThat(ok(kubectl, "get pods -l app=web -o name")).isEmpty();
        ok(kubectl, "create deployment other --image=nginx --replicas=2");
        ok(kubectl, "rollout status deployment/other --timeout=60s");
        ok(kubectl, "delete deployment other --cascade=background");
        ok(kubectl, "wait pods -l app=other --for=delete --timeout=90s");
    }

    private static void claims(Kubectl kubectl) {
        kubectl.runWithInput(DATABASE, "apply", "-f", "-").ok();
        ok(kubectl, "rollout status statefulset/db --timeout=90s");
        assertThat(ok(kubectl, "get pvc -o jsonpath={.items[*].status.phase}"))
                .isEqualTo("Bound Bound");
        ok(kubectl, "scale statefulset/db --replicas=1");
        ok(kubectl, "wait pod/db-1 --for=delete --timeout=60s");
        assertThat(ok(kubectl, "get pvc -o name").lines()).hasSize(2);
    }

    private static void jobs(Kubectl kubectl) {
        ok(kubectl, "create job once --image=busybox");
        ok(kubectl, "wait pods -l job-name=once --for=condition=PodScheduled --timeout=60s");
        kubectl.run("create", "cronjob", "often", "--image=busybox", "--schedule=*/5 * * * *").ok();
        assertThat(kubectl.run("get", "cronjobs").output()).contains("often");
        ok(kubectl, "delete job once");
    }

    /// From the call to the last of fifty places, in a process that has made no deployment before.
    @Test
    void fiftyPodsOfADeploymentArePlacedInAMoment() throws IOException {
        try (var up = new UpProcess(plane.folder(), "--no-demo", "--nodes", "10")) {
            var kubectl = up.kubectl(plane.binaries().kubectl());
            var busyBefore = busy(up);
            long begin = System.nanoTime();
            ok(kubectl, "create deployment web --image=nginx --replicas=50");
            up.process().await("50 pods placed", UpProcess.LIMIT, () -> placed(up) >= 50);
            var took = Duration.ofNanos(System.nanoTime() - begin);
            var busy = busy(up).minus(busyBefore);
            System.out.printf(
                    "PlaygroundIT: 50 pods placed in %d ms, with %d ms of the processor%n",
                    took.toMillis(), busy.toMillis());
            // Two seconds on a machine with nothing else to do. This one has, but for its own time.
            assertThat(took).isLessThan(Duration.ofSeconds(20));
            assertThat(busy).isLessThan(Duration.ofSeconds(4));
        }
    }

    private static Duration busy(UpProcess up) {
        return ProcessHandle.of(up.process().pid())
                .flatMap(process -> process.info().totalCpuDuration())
                .orElseThrow();
    }

    private static long placed(UpProcess up) {
        return up.process().logLines().stream().filter(line -> line.contains(" -> node-")).count();
    }
}
