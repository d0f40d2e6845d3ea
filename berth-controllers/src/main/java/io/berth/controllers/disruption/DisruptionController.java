package io.berth.controllers.disruption;

import static io.berth.controllers.client.Resource.BUDGETS;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.controllers.client.Resource;
import io.berth.controllers.informer.Informer;
import io.berth.controllers.loop.Controller;
import io.berth.controllers.loop.Loop;
import io.berth.controllers.object.Conditions;
import io.berth.controllers.object.KubeObject;
import io.berth.controllers.object.Owner;
import io.berth.controllers.object.PodFacts;
import io.berth.controllers.object.Selector;
import io.berth.controllers.object.Share;
import io.berth.controllers.object.Trees;
import io.berth.controllers.workload.Cluster;
import io.berth.controllers.workload.Notices;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Works out how many pods of a budget may be evicted now.
public final class DisruptionController implements Controller {
    private static final int WORKERS = 2;

    /// An eviction that was allowed and did not come is forgotten after this.
    private static final Duration EVICTION = Duration.ofMinutes(2);

    private final Cluster cluster;
    private final Informer<KubeObject> budgets;
    private final Loop loop;

    public DisruptionController(Cluster cluster) {
        this.cluster = cluster;
        this.budgets = cluster.of(BUDGETS);
        this.loop = new Loop("disruption", WORKERS, cluster.timer(), this::reconcile);
        Notices.ofItself(budgets, loop);
        cluster.pods()
                .listen((before, after) -> {
                    if (before == null || after == null || differs(before, after)) {
                        PodFacts pod = Notices.either(before, after);
                        budgets.inNamespace(pod.meta().namespace()).stream()
                                .filter(budget -> selector(budget).test(pod.meta().labels()))
                                .forEach(budget -> loop.enqueue(budget.meta().key()));
                    }
                });
        for (Resource kind :
                List.of(
                        Resource.REPLICA_SETS,
                        Resource.DEPLOYMENTS,
                        Resource.STATEFUL_SETS,
                        Resource.REPLICATION_CONTROLLERS)) {
            cluster.of(kind)
                    .listen((before, after) ->
                            budgets.inNamespace(Notices.either(before, after).meta().namespace())
                                    .forEach(budget -> loop.enqueue(budget.meta().key())));
        }
    }

    private static boolean differs(PodFacts before, PodFacts after) {
        return before.isReady() != after.isReady()
                || before.isActive() != after.isActive()
                || !before.meta().labels().equals(after.meta().labels());
    }

    private static Selector selector(KubeObject budget) {
        return budget.spec().path("selector").isMissingNode()
                ? new Selector(List.of(new Selector.Requirement("", "In", List.of())))
                : Selector.of(budget.spec().path("selector"));
    }

    @Override
    public void start() {
        loop.start();
    }

    private void reconcile(String key) {
        KubeObject budget = budgets.find(key).orElse(null);
        if (budget == null) {
            return;
        }
        Selector selector = selector(budget);
        List<PodFacts> pods =
                cluster.pods().inNamespace(budget.meta().namespace()).stream()
                        .filter(pod -> selector.test(pod.meta().labels()))
                        .filter(pod -> !pod.isFinished())
                        .toList();
        Instant now = cluster.now();
        ObjectNode object = budget.copy();
        ObjectNode status = Trees.child(object, "status");
        var disrupted = disrupted(budget, pods, now);
        long healthy =
                pods.stream()
                        .filter(pod -> pod.isActive() && pod.isReady())
                        .filter(pod -> !disrupted.containsKey(pod.meta().name()))
                        .count();
        Numbers numbers = numbers(budget, pods);
        long allowed = numbers.expected <= 0 ? 0 : Math.max(0, healthy - numbers.desired);
        status.put("currentHealthy", healthy)
                .put("desiredHealthy", numbers.desired)
                .put("expectedPods", numbers.expected)
                .put("disruptionsAllowed", allowed)
                .put("observedGeneration", budget.meta().generation());
        if (disrupted.isEmpty()) {
            status.remove("disruptedPods");
        } else {
            ObjectNode names = status.putObject("disruptedPods");
            disrupted.forEach((name, time) -> names.put(name, Trees.time(time)));
            loop.enqueueAfter(key, EVICTION);
        }
        Conditions.set(
                status,
                "DisruptionAllowed",
                allowed > 0 ? "True" : "False",
                allowed > 0 ? "SufficientPods" : "InsufficientPods",
                "",
                now);
        Conditions.find(status, "DisruptionAllowed")
                .ifPresent(c ->
                        ((ObjectNode) c).put("observedGeneration", budget.meta().generation()));
        KubeObject _ = cluster.updateStatus(BUDGETS, budget, object);
    }

    /// Pods whose eviction was allowed and that are still there, for a while.
    private static Map<String, Instant> disrupted(
            KubeObject budget, List<PodFacts> pods, Instant now) {
        var still = new HashMap<String, Instant>();
        for (var each : budget.status().path("disruptedPods").properties()) {
            Instant time = Trees.instant(each.getValue()).orElse(Instant.EPOCH);
            boolean there =
                    pods.stream()
                            .anyMatch(pod ->
                                    pod.meta().name().equals(each.getKey())
                                            && !pod.meta().isDeleting());
            if (there && time.plus(EVICTION).isAfter(now)) {
                still.put(each.getKey(), time);
            }
        }
        return still;
    }

    private record Numbers(int expected, int desired) {}

    private Numbers numbers(KubeObject budget, List<PodFacts> pods) {
        JsonNode min = budget.spec().path("minAvailable");
        JsonNode max = budget.spec().path("maxUnavailable");
        if (max.isMissingNode() && !Share.isPercent(min)) {
            return new Numbers(pods.size(), min.isMissingNode() ? 1 : min.asInt());
        }
        int expected = expected(pods);
        return max.isMissingNode()
                ? new Numbers(expected, Share.roundedUp(min, expected))
                : new Numbers(expected, Math.max(0, expected - Share.roundedUp(max, expected)));
    }

    /// How many pods their owners want, which is more than there are while some are missing.
    private int expected(List<PodFacts> pods) {
        var sizes = new HashMap<String, Integer>();
        int unowned = 0;
        for (PodFacts pod : pods) {
            Optional<KubeObject> owner = scaled(pod);
            if (owner.isPresent()) {
                sizes.put(owner.get().meta().uid(), owner.get().spec().path("replicas").asInt(1));
            } else {
                unowned++;
            }
        }
        return unowned + sizes.values().stream().mapToInt(Integer::intValue).sum();
    }

    /// The workload whose size counts: a deployment where the replica set has one.
    private Optional<KubeObject> scaled(PodFacts pod) {
        String namespace = pod.meta().namespace();
        return pod.meta()
                .controller()
                .flatMap(owner -> find(namespace, owner))
                .map(owner ->
                        owner.meta()
                                .controller()
                                .flatMap(higher -> find(namespace, higher))
                                .orElse(owner))
                .filter(owner -> owner.spec().has("replicas"));
    }

    private Optional<KubeObject> find(String namespace, Owner owner) {
        return Resource.of(owner.apiVersion(), owner.kind())
                .filter(kind -> !kind.equals(Resource.PODS))
                .flatMap(kind -> cluster.of(kind).find(namespace, owner.name()))
                .filter(each -> each.meta().uid().equals(owner.uid()));
    }

    @Override
    public void close() {
        loop.close();
    }
}
