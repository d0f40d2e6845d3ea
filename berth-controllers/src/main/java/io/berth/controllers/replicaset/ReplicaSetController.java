package io.berth.controllers.replicaset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.controllers.client.ApiFailure;
import io.berth.controllers.client.Resource;
import io.berth.controllers.informer.Informer;
import io.berth.controllers.loop.Controller;
import io.berth.controllers.loop.Loop;
import io.berth.controllers.object.Conditions;
import io.berth.controllers.object.KubeObject;
import io.berth.controllers.object.PodFacts;
import io.berth.controllers.object.Selector;
import io.berth.controllers.object.Trees;
import io.berth.controllers.workload.Adoption;
import io.berth.controllers.workload.Cluster;
import io.berth.controllers.workload.Notices;
import io.berth.controllers.workload.PodMaker;
import io.berth.controllers.workload.Ranking;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Keeps as many pods as a replica set wants, or a replication controller, its elder.
public final class ReplicaSetController implements Controller {
    private static final int WORKERS = 8;

    /// More than so many at once is left to the next turn.
    private static final int BURST = 500;

    private final Resource kind;
    private final Cluster cluster;
    private final Informer<KubeObject> sets;
    private final Adoption<PodFacts> adoption;
    private final PodMaker maker;
    private final Loop loop;

    /// @param kind ReplicaSet or ReplicationController
    public ReplicaSetController(Cluster cluster, Resource kind) {
        this.kind = kind;
        this.cluster = cluster;
        this.sets = cluster.of(kind);
        this.adoption = new Adoption<>(cluster, cluster.pods());
        this.maker = new PodMaker(cluster);
        this.loop = new Loop(kind.plural(), WORKERS, cluster.timer(), this::reconcile);
        Notices.ofItself(sets, loop);
        Notices.ofOwner(cluster.pods(), sets, loop, this::selector);
    }

    @Override
    public void start() {
        loop.start();
    }

    private Selector selector(KubeObject set) {
        JsonNode selector = set.spec().path("selector");
        return kind.equals(Resource.REPLICATION_CONTROLLERS)
                ? Selector.ofMap(selector)
                : Selector.of(selector);
    }

    private void reconcile(String key) {
        KubeObject set = sets.find(key).orElse(null);
        if (set == null) {
            return;
        }
        List<PodFacts> mine =
                adoption.claim(kind, set.meta(), selector(set)).stream()
                        .filter(PodFacts::isActive)
                        .toList();
        try {
            if (!set.meta().isDeleting()) {
                resize(set, mine);
            }
            report(set, "");
        } catch (ApiFailure failure) {
            if (failure.isNamespaceGoing()) {
                return;
            }
            report(set, String.valueOf(failure.getMessage()));
            throw failure;
        }
    }

    private void resize(KubeObject set, List<PodFacts> mine) {
        int missing = set.spec().path("replicas").asInt(1) - mine.size();
        if (missing > 0) {
            int now = Math.min(missing, BURST);
            maker.create(
                    set.meta().namespace(),
                    IntStream.range(0, now).mapToObj(_ -> pod(set)).toList());
            again(set, now < missing);
        } else if (missing < 0) {
            int now = Math.min(-missing, BURST);
            maker.delete(Ranking.firstToGo(mine, related(set)).subList(0, now));
            again(set, now < -missing);
        }
    }

    private void again(KubeObject set, boolean more) {
        if (more) {
            loop.enqueue(set.meta().key());
        }
    }

    private ObjectNode pod(KubeObject set) {
        return PodMaker.fromTemplate(set.spec().path("template"), kind, set.meta());
    }

    /// The pods of all replica sets of one deployment: during a rolling update they share nodes.
    private List<PodFacts> related(KubeObject set) {
        var pods = new ArrayList<>(cluster.pods().ownedBy(set.meta().uid()));
        set.meta()
                .controller()
                .ifPresent(owner -> {
                    for (KubeObject sibling : sets.ownedBy(owner.uid())) {
                        if (!sibling.meta().uid().equals(set.meta().uid())) {
                            pods.addAll(cluster.pods().ownedBy(sibling.meta().uid()));
                        }
                    }
                });
        return pods;
    }

    /// @param problem why pods could not be made or removed; empty where all went well
    private void report(KubeObject set, String problem) {
        KubeObject current = sets.find(set.meta().key()).orElse(set);
        if (!current.meta().uid().equals(set.meta().uid())) {
            return;
        }
        Instant now = cluster.now();
        List<PodFacts> mine =
                cluster.pods().ownedBy(set.meta().uid()).stream()
                        .filter(pod -> pod.meta().isControlledBy(set.meta()))
                        .filter(PodFacts::isActive)
                        .toList();
        Duration least = Duration.ofSeconds(set.spec().path("minReadySeconds").asLong(0));
        ObjectNode object = current.copy();
        ObjectNode status = Trees.child(object, "status");
        status.put("replicas", mine.size());
        count(status, "fullyLabeledReplicas", labelled(set, mine));
        count(status, "readyReplicas", mine.stream().filter(PodFacts::isReady).count());
        long available = mine.stream().filter(pod -> pod.isAvailable(least, now)).count();
        count(status, "availableReplicas", available);
        status.put("observedGeneration", set.meta().generation());
        failure(status, problem, now);
        KubeObject _ = cluster.updateStatus(kind, current, object);
        if (!least.isZero() && available < mine.stream().filter(PodFacts::isReady).count()) {
            loop.enqueueAfter(set.meta().key(), least);
        }
    }

    private static void failure(ObjectNode status, String problem, Instant now) {
        if (!problem.isEmpty()) {
            Conditions.set(status, "ReplicaFailure", "True", "FailedCreate", problem, now);
        } else if (Conditions.find(status, "ReplicaFailure").isPresent()) {
            Conditions.remove(status, "ReplicaFailure");
            if (status.path("conditions").isEmpty()) {
                status.remove("conditions");
            }
        }
    }

    private static long labelled(KubeObject set, List<PodFacts> pods) {
        var labels = Selector.ofMap(set.spec().path("template").path("metadata").path("labels"));
        return pods.stream().filter(pod -> labels.test(pod.meta().labels())).count();
    }

    /// The server leaves zeros out.
    private static void count(ObjectNode status, String field, long value) {
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
