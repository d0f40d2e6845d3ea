package io.berth.controllers.daemonset;

import static io.berth.controllers.client.Resource.DAEMON_SETS;
import static io.berth.controllers.client.Resource.NODES;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.controllers.client.ApiFailure;
import io.berth.controllers.informer.Informer;
import io.berth.controllers.loop.Controller;
import io.berth.controllers.loop.Loop;
import io.berth.controllers.object.KubeObject;
import io.berth.controllers.object.PodFacts;
import io.berth.controllers.object.Selector;
import io.berth.controllers.object.Share;
import io.berth.controllers.object.Toleration.Taint;
import io.berth.controllers.object.Trees;
import io.berth.controllers.revision.History;
import io.berth.controllers.workload.Adoption;
import io.berth.controllers.workload.Cluster;
import io.berth.controllers.workload.Notices;
import io.berth.controllers.workload.PodMaker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Keeps a pod on every node that suits a daemon set.
public final class DaemonSetController implements Controller {
    private static final int WORKERS = 2;

    private final Cluster cluster;
    private final Informer<KubeObject> sets;
    private final Informer<KubeObject> nodes;
    private final Adoption<PodFacts> adoption;
    private final History history;
    private final PodMaker maker;
    private final Loop loop;

    public DaemonSetController(Cluster cluster) {
        this.cluster = cluster;
        this.sets = cluster.of(DAEMON_SETS);
        this.nodes = cluster.of(NODES);
        this.adoption = new Adoption<>(cluster, cluster.pods());
        this.history = new History(cluster, DAEMON_SETS);
        this.maker = new PodMaker(cluster);
        this.loop = new Loop("daemonsets", WORKERS, cluster.timer(), this::reconcile);
        Notices.ofItself(sets, loop);
        Notices.ofOwner(
                cluster.pods(), sets, loop, set -> Selector.of(set.spec().path("selector")));
        nodes.listen((before, after) -> {
            if (before == null || after == null || differs(before, after)) {
                sets.all().forEach(set -> loop.enqueue(set.meta().key()));
            }
        });
    }

    /// Heartbeats are no news.
    private static boolean differs(KubeObject before, KubeObject after) {
        return !before.meta().labels().equals(after.meta().labels())
                || !Taint.list(before.tree()).equals(Taint.list(after.tree()));
    }

    @Override
    public void start() {
        loop.start();
    }

    private void reconcile(String key) {
        KubeObject set = sets.find(key).orElse(null);
        if (set == null || set.meta().isDeleting()) {
            return;
        }
        try {
            List<KubeObject> revisions = history.of(set);
            KubeObject current = history.current(set, revisions);
            String hash = hash(current);
            place(set, byNode(set), hash);
            roll(set, byNode(set), hash);
            KubeObject latest = sets.find(key).orElse(set);
            report(latest, byNode(latest), hash);
            var inUse = new HashSet<String>(Set.of(current.meta().name()));
            byNode(set)
                    .values()
                    .forEach(pods ->
                            pods.forEach(pod ->
                                    inUse.add(pod.meta().labels().getOrDefault(History.HASH, ""))));
            history.trim(set, revisions, inUse);
        } catch (ApiFailure failure) {
            if (!failure.isNamespaceGoing()) {
                throw failure;
            }
        }
    }

    private static String hash(KubeObject revision) {
        return revision.meta().labels().getOrDefault(History.HASH, "");
    }

    private Map<String, List<PodFacts>> byNode(KubeObject set) {
        var pods = new HashMap<String, List<PodFacts>>();
        Selector selector = Selector.of(set.spec().path("selector"));
        for (PodFacts pod : adoption.claim(DAEMON_SETS, set.meta(), selector)) {
            pods.computeIfAbsent(pod.target(), _ -> new ArrayList<>()).add(pod);
        }
        return pods;
    }

    /// A pod where there should be one and is none, none where there should be none.
    private void place(KubeObject set, Map<String, List<PodFacts>> pods, String hash) {
        JsonNode spec = DaemonPods.spec(set);
        var missing = new ArrayList<ObjectNode>();
        var useless = new ArrayList<PodFacts>();
        for (KubeObject node : nodes.all()) {
            List<PodFacts> here = pods.getOrDefault(node.meta().name(), List.of());
            List<PodFacts> alive = here.stream().filter(PodFacts::isActive).toList();
            here.stream()
                    .filter(pod -> pod.isFinished() && !pod.meta().isDeleting())
                    .forEach(useless::add);
            if (here.isEmpty() && NodeFit.shouldRun(spec, node)) {
                missing.add(DaemonPods.pod(set, node.meta().name(), hash));
            } else if (!NodeFit.mayStay(spec, node)) {
                useless.addAll(alive);
            } else {
                useless.addAll(surplus(set, alive, hash));
            }
        }
        maker.delete(useless);
        maker.create(set.meta().namespace(), missing);
    }

    /// One is enough; while a surge replaces another, two may be.
    private static List<PodFacts> surplus(KubeObject set, List<PodFacts> alive, String hash) {
        boolean replaced = alive.stream().anyMatch(pod -> isOf(pod, hash) && pod.isReady());
        if (alive.size() < 2 || (surge(set, 1) > 0 && !replaced)) {
            return List.of();
        }
        return alive.stream()
                .sorted(
                        Comparator.comparing((PodFacts pod) -> isOf(pod, hash))
                                .thenComparing(PodFacts::isReady)
                                .thenComparing(pod -> pod.meta().name()))
                .limit(alive.size() - 1L)
                .toList();
    }

    private static int surge(KubeObject set, int total) {
        return Share.roundedUp(rolling(set).path("maxSurge"), total);
    }

    private static JsonNode rolling(KubeObject set) {
        return set.spec().path("updateStrategy").path("rollingUpdate");
    }

    private static boolean isOf(PodFacts pod, String hash) {
        return pod.meta().labels().getOrDefault(History.HASH, "").equals(hash);
    }

    /// Replaces pods of old revisions, no more at once than may be missing.
    private void roll(KubeObject set, Map<String, List<PodFacts>> pods, String hash) {
        if (!set.spec().path("updateStrategy").path("type").asText().equals("RollingUpdate")) {
            return;
        }
        JsonNode spec = DaemonPods.spec(set);
        List<KubeObject> wanted =
                nodes.all().stream().filter(node -> NodeFit.shouldRun(spec, node)).toList();
        int surge = surge(set, wanted.size());
        int may = Share.roundedUp(rolling(set).path("maxUnavailable"), wanted.size());
        int budget = surge > 0 ? surge : Math.max(1, may);
        var old = new ArrayList<PodFacts>();
        for (KubeObject node : wanted) {
            List<PodFacts> here = pods.getOrDefault(node.meta().name(), List.of());
            boolean available =
                    here.stream()
                            .anyMatch(
                                    p -> p.isActive() && p.isAvailable(least(set), cluster.now()));
            boolean mixed = here.stream().anyMatch(pod -> isOf(pod, hash));
            if (surge > 0 ? mixed && here.size() > 1 : !available) {
                budget--;
            }
            here.stream()
                    .filter(pod -> pod.isActive() && !isOf(pod, hash) && !mixed)
                    .forEach(old::add);
        }
        // Those that are of no use to anybody cost nothing.
        List<PodFacts> unready = old.stream().filter(pod -> !pod.isReady()).toList();
        List<PodFacts> ready =
                old.stream().filter(PodFacts::isReady).limit(Math.max(0, budget)).toList();
        if (surge > 0) {
            maker.create(
                    set.meta().namespace(),
                    ready.stream().map(pod -> DaemonPods.pod(set, pod.target(), hash)).toList());
        } else {
            maker.delete(ready);
        }
        maker.delete(unready);
    }

    private static Duration least(KubeObject set) {
        return Duration.ofSeconds(set.spec().path("minReadySeconds").asLong(0));
    }

    private void report(KubeObject set, Map<String, List<PodFacts>> pods, String hash) {
        JsonNode spec = DaemonPods.spec(set);
        int desired = 0;
        int current = 0;
        int misplaced = 0;
        int ready = 0;
        int available = 0;
        int updated = 0;
        for (KubeObject node : nodes.all()) {
            List<PodFacts> here =
                    pods.getOrDefault(node.meta().name(), List.of()).stream()
                            .filter(PodFacts::isActive)
                            .toList();
            if (!NodeFit.shouldRun(spec, node)) {
                misplaced += here.isEmpty() || NodeFit.mayStay(spec, node) ? 0 : 1;
                continue;
            }
            desired++;
            current += here.isEmpty() ? 0 : 1;
            ready += here.stream().anyMatch(PodFacts::isReady) ? 1 : 0;
            available +=
                    here.stream().anyMatch(p -> p.isAvailable(least(set), cluster.now())) ? 1 : 0;
            updated += here.stream().anyMatch(pod -> isOf(pod, hash)) ? 1 : 0;
        }
        ObjectNode object = set.copy();
        ObjectNode status = Trees.child(object, "status");
        status.put("desiredNumberScheduled", desired)
                .put("currentNumberScheduled", current)
                .put("numberMisscheduled", misplaced)
                .put("numberReady", ready)
                .put("observedGeneration", set.meta().generation());
        count(status, "updatedNumberScheduled", updated);
        count(status, "numberAvailable", available);
        count(status, "numberUnavailable", desired - available);
        KubeObject _ = cluster.updateStatus(DAEMON_SETS, set, object);
        if (available < ready) {
            loop.enqueueAfter(set.meta().key(), least(set));
        }
    }

    private static void count(ObjectNode status, String field, int value) {
        if (value == 0) {
            status.remove(field);
        } else {
            status.put(field, value);
        }
    }

    @Override
    public void close() {
        loop.close();
    }
}
