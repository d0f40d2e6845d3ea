package io.berth.up;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.api.handle.Log;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.api.model.ResourceClaim;
import io.berth.api.spec.Container;
import io.berth.engine.port.ClusterFeed;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiException;
import io.berth.kube.client.ApiRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/// Plays the kubelet of every node: a pod that has a node, and the devices that it claims, starts
/// to run, that of a job succeeds after a while, and a pod that is being deleted goes away after a
/// moment. Nothing is really run.
///
/// The watches of pods and claims call it, each for one at a time; the writes happen on virtual
/// threads, a bounded number at once.
final class SimulatedKubelet implements ClusterFeed, AutoCloseable {
    private static final int WRITES_AT_ONCE = 32;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final int MAX_TRIES = 5;

    /// How long the work of a job's pod takes.
    private static final Duration JOB_TIME = Duration.ofSeconds(2);

    private final ApiClient client;
    private final Duration startTime;
    private final Duration stopTime;
    private final Log log;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore slots = new Semaphore(WRITES_AT_ONCE);
    private final AtomicInteger addresses = new AtomicInteger();

    /// Pods that are being started or stopped, by uid and step: the watch shows a pod several times
    /// before our write comes back.
    private final Set<String> underWay = ConcurrentHashMap.newKeySet();

    private final ClaimedDevices claimed = new ClaimedDevices(this::observe);

    /// @param startTime how long containers take to start
    /// @param stopTime how long containers take to stop
    SimulatedKubelet(ApiClient client, Duration startTime, Duration stopTime, Log log) {
        this.client = client;
        this.startTime = startTime;
        this.stopTime = stopTime;
        this.log = log;
    }

    @Override
    public void seen(ClusterObject object) {
        switch (object) {
            case Pod pod -> observe(pod);
            case ResourceClaim claim -> claimed.seen(claim);
            default -> {
                // Nothing that concerns a kubelet.
            }
        }
    }

    @Override
    public void gone(Kind kind, String namespace, String name) {
        claimed.gone(kind, namespace, name);
    }

    @Override
    public void synced(Kind kind) {}

    /// Does what the kubelet of the pod's node would do.
    private void observe(Pod pod) {
        if (!pod.isAssigned()) {
            return;
        }
        if (pod.isTerminating()) {
            claimed.forget(pod);
            begin("stop", pod, stopTime, () -> delete(pod));
        } else if (pod.phase().equals("Pending")) {
            if (!claimed.areReadyFor(pod)) {
                return;
            }
            begin("start", pod, startTime, () -> reportRunning(pod));
        } else if (pod.phase().equals("Running") && isJob(pod)) {
            begin("finish", pod, JOB_TIME, () -> reportSucceeded(pod));
        }
    }

    private static boolean isJob(Pod pod) {
        return pod.controller() != null && pod.controller().kind().equals("Job");
    }

    private void begin(String step, Pod pod, Duration after, Runnable write) {
        String key = step + " " + pod.uid();
        if (threads.isShutdown() || !underWay.add(key)) {
            return;
        }
        threads.execute(() -> {
            try {
                Thread.sleep(after);
                slots.acquire();
                try {
                    retry(step, pod, write);
                } finally {
                    slots.release();
                }
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            } finally {
                underWay.remove(key);
            }
        });
    }

    private void retry(String step, Pod pod, Runnable write) throws InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                write.run();
                return;
            } catch (ApiException problem) {
                if (problem.failure() == ApiException.Failure.INTERRUPTED
                        || problem.code() == NOT_FOUND
                        || problem.code() == CONFLICT) {
                    // The pod is gone or has been replaced by one of the same name.
                    return;
                }
                if (attempt == MAX_TRIES) {
                    log.error(problem, "Simulated kubelet gave up", "step", step, "pod", pod.key());
                    return;
                }
                Thread.sleep(Duration.ofMillis(100L << attempt));
            }
        }
    }

    private void delete(Pod pod) {
        ObjectNode options = Json.object();
        options.put("gracePeriodSeconds", 0).putObject("preconditions").put("uid", pod.uid());
        client.send(ApiRequest.delete(path(pod), Json.bytes(options)));
    }

    private void reportRunning(Pod pod) {
        byte[] patch = Json.bytes(running(pod, address(addresses.incrementAndGet())));
        client.send(
                ApiRequest.patch(path(pod) + "/status", ApiRequest.STRATEGIC_MERGE_PATCH, patch));
    }

    private void reportSucceeded(Pod pod) {
        String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        ObjectNode patch = Json.object();
        patch.putObject("metadata").put("uid", pod.uid());
        ObjectNode status = patch.putObject("status");
        status.put("phase", "Succeeded");
        ArrayNode conditions = status.putArray("conditions");
        for (String type : List.of("Ready", "ContainersReady")) {
            Json.addCondition(conditions, type, "False", now);
        }
        addContainers(status, "containerStatuses", pod.spec().containers(), true, now);
        client.send(
                ApiRequest.patch(
                        path(pod) + "/status",
                        ApiRequest.STRATEGIC_MERGE_PATCH,
                        Json.bytes(patch)));
    }

    /// A strategic merge patch, so that the scheduler's condition stays.
    private static ObjectNode running(Pod pod, String address) {
        String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        ObjectNode patch = Json.object();
        // The uid guards against a pod of the same name that was created meanwhile.
        patch.putObject("metadata").put("uid", pod.uid());
        ObjectNode status = patch.putObject("status");
        status.put("phase", "Running")
                .put("startTime", now)
                .put("hostIP", SimulatedNodes.address(pod.nodeName()))
                .put("podIP", address);
        status.putArray("hostIPs").addObject().put("ip", SimulatedNodes.address(pod.nodeName()));
        status.putArray("podIPs").addObject().put("ip", address);
        ArrayNode conditions = status.putArray("conditions");
        for (String type :
                List.of("PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady")) {
            Json.addCondition(conditions, type, "True", now);
        }
        addContainers(status, "initContainerStatuses", pod.spec().initContainers(), true, now);
        addContainers(status, "containerStatuses", pod.spec().containers(), false, now);
        return patch;
    }

    private static void addContainers(
            ObjectNode status, String field, List<Container> containers, boolean over, String now) {
        if (containers.isEmpty()) {
            return;
        }
        ArrayNode list = status.putArray(field);
        for (Container container : containers) {
            ObjectNode entry = list.addObject();
            boolean ended = over && !container.restartable();
            entry.put("name", container.name())
                    .put("image", container.image())
                    .put("imageID", "")
                    .put("ready", true)
                    .put("started", !ended)
                    .put("restartCount", 0);
            if (ended) {
                entry.putObject("state")
                        .putObject("terminated")
                        .put("exitCode", 0)
                        .put("reason", "Completed")
                        .put("startedAt", now)
                        .put("finishedAt", now);
            } else {
                entry.putObject("state").putObject("running").put("startedAt", now);
            }
        }
    }

    private static String path(Pod pod) {
        return "/api/v1/namespaces/" + pod.namespace() + "/pods/" + pod.name();
    }

    /// Addresses in 10.128.0.0/9, one after the other.
    private static String address(int number) {
        return "10.%d.%d.%d".formatted(128 + (number >> 16 & 127), number >> 8 & 255, number & 255);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
