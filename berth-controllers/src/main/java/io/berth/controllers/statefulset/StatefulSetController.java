package io.berth.controllers.statefulset;

import static io.berth.controllers.client.Resource.STATEFUL_SETS;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.controllers.client.ApiFailure;
import io.berth.controllers.informer.Informer;
import io.berth.controllers.loop.Controller;
import io.berth.controllers.loop.Loop;
import io.berth.controllers.object.KubeObject;
import io.berth.controllers.object.PodFacts;
import io.berth.controllers.object.Selector;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// Keeps the pods of a stateful set: numbered, each with its claims, started one after the other
/// and ended in reverse, or all at once where the set says so.
public final class StatefulSetController implements Controller {
    private static final int WORKERS = 4;

    private final Cluster cluster;
    private final Informer<KubeObject> sets;
    private final Adoption<PodFacts> adoption;
    private final History history;
    private final SetClaims claims;
    private final PodMaker maker;
    private final Loop loop;

    public StatefulSetController(Cluster cluster) {
        this.cluster = cluster;
        this.sets = cluster.of(STATEFUL_SETS);
        this.adoption = new Adoption<>(cluster, cluster.pods());
        this.history = new History(cluster, STATEFUL_SETS);
        this.claims = new SetClaims(cluster);
        this.maker = new PodMaker(cluster);
        this.loop = new Loop("statefulsets", WORKERS, cluster.timer(), this::reconcile);
        Notices.ofItself(sets, loop);
        Notices.ofOwner(
                cluster.pods(), sets, loop, set -> Selector.of(set.spec().path("selector")));
    }

    @Override
    public void start() {
        loop.start();
    }

    /// What is known of a set at one look.
    private record View(
            KubeObject set,
            Map<Integer, PodFacts> pods,
            List<KubeObject> revisions,
            KubeObject current,
            KubeObject update) {
        int first() {
            return set.spec().path("ordinals").path("start").asInt(0);
        }

        int replicas() {
            return set.spec().path("replicas").asInt(1);
        }

        boolean isWanted(int ordinal) {
            return ordinal >= first() && ordinal < first() + replicas();
        }

        boolean inOrder() {
            return !set.spec().path("podManagementPolicy").asText().equals("Parallel");
        }

        Duration least() {
            return Duration.ofSeconds(set.spec().path("minReadySeconds").asLong(0));
        }
    }

    private void reconcile(String key) {
        KubeObject set = sets.find(key).orElse(null);
        if (set == null || set.meta().isDeleting()) {
            return;
        }
        try {
            View view = look(set);
            advance(view);
            View after = look(sets.find(key).orElse(set));
            report(after);
            trim(after);
        } catch (ApiFailure failure) {
            if (!failure.isNamespaceGoing()) {
                throw failure;
            }
        }
    }

    private View look(KubeObject set) {
        var pods = new TreeMap<Integer, PodFacts>();
        for (PodFacts pod :
                adoption.claim(
                        STATEFUL_SETS, set.meta(), Selector.of(set.spec().path("selector")))) {
            int ordinal = SetPods.ordinal(set, pod);
            if (ordinal >= 0) {
                pods.put(ordinal, pod);
            }
        }
        List<KubeObject> revisions = history.of(set);
        KubeObject update = history.current(set, revisions);
        String name = set.status().path("currentRevision").asText("");
        KubeObject current =
                revisions.stream()
                        .filter(each -> each.meta().name().equals(name))
                        .findFirst()
                        .orElse(update);
        return new View(set, pods, revisions, current, update);
    }

    /// One step. In order means that nothing else is begun while a pod is not there and ready.
    private void advance(View view) {
        for (int ordinal = view.first(); ordinal < view.first() + view.replicas(); ordinal++) {
            PodFacts pod = view.pods.get(ordinal);
            if (pod == null) {
                claims.ensure(view.set, ordinal);
                PodFacts _ = maker.create(view.set.meta().namespace(), pod(view, ordinal));
            } else if (pod.isFinished() && !pod.meta().isDeleting()) {
                maker.delete(pod);
            } else if (isDone(view, pod)) {
                continue;
            }
            if (view.inOrder()) {
                soon(view, pod);
                return;
            }
        }
        if (shrink(view)) {
            return;
        }
        claims.release(view.set, view.first(), view.replicas());
        roll(view);
    }

    private boolean isDone(View view, PodFacts pod) {
        return !pod.meta().isDeleting()
                && pod.phase().equals("Running")
                && pod.isAvailable(view.least(), cluster.now());
    }

    private void soon(View view, @org.jspecify.annotations.Nullable PodFacts pod) {
        if (pod != null && pod.isReady() && !view.least().isZero()) {
            loop.enqueueAfter(view.set.meta().key(), view.least());
        }
    }

    private ObjectNode pod(View view, int ordinal) {
        JsonNode partition =
                view.set.spec().path("updateStrategy").path("rollingUpdate").path("partition");
        boolean rolling =
                view.set
                        .spec()
                        .path("updateStrategy")
                        .path("type")
                        .asText()
                        .equals("RollingUpdate");
        boolean old =
                rolling && ordinal < partition.asInt(0) + view.first() && partition.asInt(0) > 0;
        KubeObject revision = old ? view.current : view.update;
        return SetPods.pod(view.set, ordinal, revision);
    }

    /// Ends pods that are not wanted any more, the last one first.
    ///
    /// @return whether there were any
    private boolean shrink(View view) {
        List<Map.Entry<Integer, PodFacts>> tooMany =
                view.pods.entrySet().stream()
                        .filter(each -> !view.isWanted(each.getKey()))
                        .sorted(Map.Entry.<Integer, PodFacts>comparingByKey().reversed())
                        .toList();
        for (var each : tooMany) {
            if (!each.getValue().meta().isDeleting()) {
                maker.delete(each.getValue());
            }
            if (view.inOrder()) {
                return true;
            }
        }
        return !tooMany.isEmpty();
    }

    /// Ends one pod of an old revision, the last one first; its successor is of the new one.
    private void roll(View view) {
        JsonNode strategy = view.set.spec().path("updateStrategy");
        if (!strategy.path("type").asText().equals("RollingUpdate")) {
            return;
        }
        int from = view.first() + strategy.path("rollingUpdate").path("partition").asInt(0);
        var last = new ArrayList<>(view.pods.entrySet());
        last.sort(Map.Entry.<Integer, PodFacts>comparingByKey(Comparator.reverseOrder()));
        for (var each : last) {
            if (each.getKey() < from || !view.isWanted(each.getKey())) {
                continue;
            }
            PodFacts pod = each.getValue();
            if (!isOf(pod, view.update)) {
                if (!pod.meta().isDeleting()) {
                    maker.delete(pod);
                }
                return;
            }
            if (!isDone(view, pod)) {
                return;
            }
        }
    }

    private static boolean isOf(PodFacts pod, KubeObject revision) {
        return pod.meta().labels().getOrDefault(History.HASH, "").equals(revision.meta().name());
    }

    private void report(View view) {
        ObjectNode object = view.set.copy();
        ObjectNode status = Trees.child(object, "status");
        List<PodFacts> mine = view.pods.values().stream().filter(pod -> !pod.isFinished()).toList();
        long updated = mine.stream().filter(pod -> isOf(pod, view.update)).count();
        long ready = mine.stream().filter(PodFacts::isReady).count();
        boolean complete =
                updated == view.replicas() && ready == view.replicas() && mine.size() == updated;
        KubeObject current = complete ? view.update : view.current;
        status.put("replicas", mine.size());
        status.put("observedGeneration", view.set.meta().generation());
        count(status, "readyReplicas", ready);
        status.put(
                "availableReplicas",
                mine.stream().filter(p -> p.isAvailable(view.least(), cluster.now())).count());
        count(status, "updatedReplicas", updated);
        count(status, "currentReplicas", mine.stream().filter(pod -> isOf(pod, current)).count());
        status.put("currentRevision", current.meta().name());
        status.put("updateRevision", view.update.meta().name());
        if (!status.has("collisionCount")) {
            status.put("collisionCount", 0);
        }
        KubeObject _ = cluster.updateStatus(STATEFUL_SETS, view.set, object);
    }

    private static void count(ObjectNode status, String field, long value) {
        if (value == 0) {
            status.remove(field);
        } else {
            status.put(field, value);
        }
    }

    private void trim(View view) {
        var inUse = new HashMap<String, Boolean>();
        view.pods
                .values()
                .forEach(pod ->
                        Optional.ofNullable(pod.meta().labels().get(History.HASH))
                                .ifPresent(name -> inUse.put(name, true)));
        inUse.put(view.current.meta().name(), true);
        inUse.put(view.update.meta().name(), true);
        history.trim(view.set, view.revisions, Set.copyOf(inUse.keySet()));
    }

    @Override
    public void close() {
        loop.close();
    }
}
