package io.berth.bench.load;

import io.berth.e2e.ControlPlane;
import io.berth.e2e.HttpApi;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/// The nodes and pods of the load on a real control plane.
final class LoadCluster {
    private static final int CLIENTS = 16;
    private static final String DEVICES = "/apis/resource.k8s.io/v1";
    private static final String VOLUMES = "/api/v1/persistentvolumes";
    private static final String STORAGE = "/apis/storage.k8s.io/v1";
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final Duration CHURN_PAUSE = Duration.ofMillis(200);

    private final HttpApi api;
    private final int nodes;
    private int namespaces;
    private boolean small;
    private boolean hasDrivers;

    LoadCluster(ControlPlane plane, int nodes) throws Exception {
        this.api = plane.admin().withLimit(LONG);
        this.nodes = nodes;
        api.post(
                        "/apis/scheduling.k8s.io/v1/priorityclasses",
                        """
                        {"metadata":{"name":"%s"},"value":1000,"apiVersion":"scheduling.k8s.io/v1",
                         "kind":"PriorityClass"}
                        """
                                .formatted(Workloads.PRIORITY_CLASS))
                .ok();
        inParallel(nodes, i -> api.post("/api/v1/nodes", Workloads.node(i, small)).ok());
    }

    /// Creates what the workload wants to be there, and the pods to be placed; returns the
    /// namespace.
    String prepare(Workload workload, int pods) throws Exception {
        size(workload.name().equals("preemption"));
        String namespace = api.createNamespace("load-" + ++namespaces);
        String path = "/api/v1/namespaces/" + namespace + "/pods";
        int bound = (int) (workload.boundPerNode() * nodes);
        createClaims(workload.storage(), namespace, bound, "b");
        createClaims(workload.storage(), namespace, pods, "p");
        createBound(path, bound, workload.bound());
        provide(workload.devices(), namespace);
        claim(workload.devices(), namespace, pods);
        inParallel(workload.hopeless(), i -> api.post(path, Workloads.hopeless(i)).ok());
        create(workload, namespace, pods);
        return namespace;
    }

    /// Creates pods that have their nodes, as many on each, in a namespace of their own; returns
    /// it.
    String fill(int pods, IntFunction<String> pod) throws Exception {
        String namespace = api.createNamespace("load-" + ++namespaces);
        createBound("/api/v1/namespaces/" + namespace + "/pods", pods, pod);
        return namespace;
    }

    private void createBound(String path, int count, IntFunction<String> pod) throws Exception {
        inParallel(
                count,
                i -> {
                    String placed = "\"spec\":{\"nodeName\":\"node-" + i % nodes + "\",";
                    api.post(path, pod.apply(i).replaceFirst("\"spec\":\\{", placed)).ok();
                });
    }

    /// Creates a pod that no node can take.
    void createHopeless(String namespace) {
        api.post("/api/v1/namespaces/" + namespace + "/pods", Workloads.hopeless(0)).ok();
    }

    /// Creates a pod that waits for one reason or another.
    void createWaiting(String namespace, int i) {
        api.post("/api/v1/namespaces/" + namespace + "/pods", Workloads.waiting(i)).ok();
    }

    /// Creates pods to be placed, in a namespace of their own; returns it.
    String create(Workload workload, int pods) throws Exception {
        String namespace = announce(workload, pods);
        create(workload, namespace, pods);
        return namespace;
    }

    /// Creates a namespace with what pods that come later claim; returns it.
    String announce(Workload workload, int pods) throws Exception {
        String namespace = api.createNamespace("load-" + ++namespaces);
        claim(workload.devices(), namespace, pods);
        createClaims(workload.storage(), namespace, pods, "p");
        return namespace;
    }

    /// Creates the pods to be placed.
    void create(Workload workload, String namespace, int pods) throws Exception {
        String path = "/api/v1/namespaces/" + namespace + "/pods";
        inParallel(pods, i -> api.post(path, workload.pod().apply(i)).ok());
    }

    /// Gives the nodes their devices, of which some are taken.
    private void provide(DeviceLoad devices, String namespace) throws Exception {
        if (devices.isNone()) {
            return;
        }
        devices.classes().forEach(each -> api.post(DEVICES + "/deviceclasses", each).ok());
        inParallel(
                nodes,
                i ->
                        devices.slices()
                                .apply(i)
                                .forEach(each -> api.post(DEVICES + "/resourceslices", each).ok()));
        int taken = devices.takenPerNode();
        inParallel(
                nodes * taken,
                i -> {
                    api.post(claims(namespace), devices.claimOf("taken-" + i)).ok();
                    api.patch(
                                    claims(namespace) + "/taken-" + i + "/status",
                                    DeviceLoad.taken(i / taken, i % taken))
                            .ok();
                });
    }

    /// Makes the claims that pods refer to by their names.
    private void claim(DeviceLoad devices, String namespace, int pods) throws Exception {
        if (!devices.claim().isEmpty()) {
            inParallel(pods, i -> api.post(claims(namespace), devices.claimOf("p" + i)).ok());
        }
    }

    static String claims(String namespace) {
        return DEVICES + "/namespaces/" + namespace + "/resourceclaims";
    }

    /// Frees and removes claims: no controller does it here.
    private void removeClaims(String namespace, Predicate<String> which) throws Exception {
        var names = new ArrayList<String>();
        for (var claim : api.get(claims(namespace)).ok().path("items")) {
            String name = claim.at("/metadata/name").asText();
            if (which.test(name)) {
                names.add(name);
            }
        }
        inParallel(
                names.size(),
                i -> {
                    String path = claims(namespace) + "/" + names.get(i);
                    api.patch(
                            path + "/status",
                            "{\"status\":{\"allocation\":null,\"reservedFor\":null}}");
                    api.patch(path, "{\"metadata\":{\"finalizers\":null}}");
                    api.delete(path).ok();
                });
    }

    /// Takes the devices from the nodes.
    void withdraw(Workload workload) {
        if (!workload.devices().isNone()) {
            api.delete(DEVICES + "/resourceslices").ok();
            api.delete(DEVICES + "/deviceclasses").ok();
        }
    }

    private void createClaims(Storage storage, String namespace, int count, String prefix)
            throws Exception {
        if (storage == Storage.NONE) {
            return;
        }
        createDrivers();
        String claims = "/api/v1/namespaces/" + namespace + "/persistentvolumeclaims";
        inParallel(
                count,
                i -> {
                    String name = prefix + i;
                    String volume = namespace + "-" + name;
                    if (storage.isBound()) {
                        api.post(VOLUMES, storage.volume(volume, namespace, name, "")).ok();
                    }
                    api.post(claims, storage.claim(name, volume)).ok();
                });
    }

    /// Only where a workload asks for them: every pod on a node with drivers costs a little more.
    private void createDrivers() throws Exception {
        if (hasDrivers) {
            return;
        }
        hasDrivers = true;
        api.post(STORAGE + "/storageclasses", Storage.storageClass()).ok();
        api.post(STORAGE + "/csidrivers", Storage.driver()).ok();
        inParallel(nodes, i -> api.post(STORAGE + "/csinodes", Storage.csiNode(i)).ok());
        for (int zone = 0; zone < Workloads.ZONES; zone++) {
            api.post(STORAGE + "/namespaces/default/csistoragecapacities", Storage.capacity(zone))
                    .ok();
        }
    }

    /// Preemption wants nodes that are full with few pods.
    private void size(boolean wantedSmall) throws Exception {
        if (small != wantedSmall) {
            small = wantedSmall;
            String cpu = small ? "4" : "32";
            String patch =
                    "{\"status\":{\"allocatable\":{\"cpu\":\"%1$s\"},\"capacity\":{\"cpu\":\"%1$s\"}}}"
                            .formatted(cpu);
            inParallel(nodes, i -> api.patch("/api/v1/nodes/node-" + i + "/status", patch).ok());
        }
    }

    String version(String namespace) {
        return api.get("/api/v1/namespaces/" + namespace + "/pods?limit=1")
                .ok()
                .at("/metadata/resourceVersion")
                .asText();
    }

    /// Lets a node and a service come and go until it is closed.
    AutoCloseable churn() {
        var ended = new AtomicBoolean();
        var thread = Thread.ofVirtual().name("churn").start(() -> churn(ended));
        return () -> {
            ended.set(true);
            thread.join();
        };
    }

    private void churn(AtomicBoolean ended) {
        for (int i = 0; !ended.get(); i++) {
            String node = Workloads.node(nodes + i, true);
            api.post("/api/v1/nodes", node);
            api.post(
                    "/api/v1/namespaces/default/services",
                    """
                    {"apiVersion":"v1","kind":"Service","metadata":{"name":"churn-%d"},
                     "spec":{"clusterIP":"None","selector":{"app":"churn"}}}
                    """
                            .formatted(i));
            try {
                Thread.sleep(CHURN_PAUSE);
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
                return;
            } finally {
                api.delete("/api/v1/nodes/node-" + (nodes + i));
                api.delete("/api/v1/namespaces/default/services/churn-" + i);
            }
        }
    }

    /// Takes the measured pods away with their claims; devices that others have stay taken.
    void makeRoom(String namespace) throws Exception {
        removePods(namespace);
        removeClaims(namespace, name -> name.startsWith("p"));
    }

    private void removePods(String namespace) {
        api.delete("/api/v1/namespaces/" + namespace + "/pods?gracePeriodSeconds=0").ok();
    }

    /// Takes all pods and volumes away at once: nothing runs them that would have to end them.
    void clean(Workload workload, String namespace) throws Exception {
        removePods(namespace);
        if (!workload.devices().isNone()) {
            removeClaims(namespace, _ -> true);
        }
        api.delete("/apis/events.k8s.io/v1/namespaces/" + namespace + "/events").ok();
        api.delete("/api/v1/namespaces/" + namespace + "/persistentvolumeclaims").ok();
        api.delete(VOLUMES + "?labelSelector=load%3D" + namespace).ok();
    }

    private static void inParallel(int count, IntConsumer body) throws Exception {
        try (var clients = Executors.newFixedThreadPool(CLIENTS)) {
            var done = new ArrayList<Future<?>>();
            for (int i = 0; i < count; i++) {
                int index = i;
                done.add(clients.submit(() -> body.accept(index)));
            }
            for (var one : done) {
                one.get();
            }
        }
    }
}
