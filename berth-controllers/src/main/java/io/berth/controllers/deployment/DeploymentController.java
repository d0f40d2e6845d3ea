package io.berth.controllers.deployment;

import static io.berth.controllers.client.Resource.DEPLOYMENTS;
import static io.berth.controllers.client.Resource.REPLICA_SETS;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.controllers.informer.Informer;
import io.berth.controllers.loop.Controller;
import io.berth.controllers.loop.Loop;
import io.berth.controllers.object.KubeObject;
import io.berth.controllers.object.PodFacts;
import io.berth.controllers.object.Selector;
import io.berth.controllers.object.Trees;
import io.berth.controllers.workload.Adoption;
import io.berth.controllers.workload.Cluster;
import io.berth.controllers.workload.Notices;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Brings a deployment from one revision to the next: a replica set for each, the new one growing
/// as the old ones shrink.
public final class DeploymentController implements Controller {
    private static final int WORKERS = 4;

    private final Cluster cluster;
    private final Informer<KubeObject> deployments;
    private final Adoption<KubeObject> adoption;
    private final ReplicaSets replicaSets;
    private final DeploymentStatus status;
    private final Loop loop;

    public DeploymentController(Cluster cluster) {
        this.cluster = cluster;
        this.deployments = cluster.of(DEPLOYMENTS);
        this.adoption = new Adoption<>(cluster, cluster.of(REPLICA_SETS));
        this.replicaSets = new ReplicaSets(cluster);
        this.status = new DeploymentStatus(cluster);
        this.loop = new Loop("deployments", WORKERS, cluster.timer(), this::reconcile);
        Notices.ofItself(deployments, loop);
        Notices.ofOwner(
                cluster.of(REPLICA_SETS), deployments, loop, DeploymentController::selector);
        cluster.pods()
                .listen((before, after) -> {
                    if (after == null && before != null) {
                        podGone(before);
                    }
                });
    }

    /// Whoever recreates pods waits for the last old one to go.
    private void podGone(PodFacts pod) {
        pod.meta()
                .controller()
                .filter(owner -> owner.kind().equals(REPLICA_SETS.kind()))
                .flatMap(owner ->
                        cluster.of(REPLICA_SETS).find(pod.meta().namespace(), owner.name()))
                .flatMap(set -> set.meta().controller().map(owner -> owner.name()))
                .ifPresent(name -> loop.enqueue(pod.meta().namespace() + "/" + name));
    }

    private static Selector selector(KubeObject deployment) {
        return Selector.of(deployment.spec().path("selector"));
    }

    @Override
    public void start() {
        loop.start();
    }

    private void reconcile(String key) {
        KubeObject deployment = deployments.find(key).orElse(null);
        if (deployment == null) {
            return;
        }
        List<KubeObject> sets =
                adoption.claim(DEPLOYMENTS, deployment.meta(), selector(deployment));
        if (!deployment.meta().isDeleting()) {
            sets = advance(deployment, new ArrayList<>(sets));
        }
        KubeObject latest =
                deployments
                        .find(key)
                        .filter(each -> each.meta().uid().equals(deployment.meta().uid()))
                        .orElse(deployment);
        status.report(latest, sets, Revisions.current(latest, sets))
                .ifPresent(delay -> loop.enqueueAfter(key, delay));
    }

    /// One step; the change that comes of it brings the next one.
    private List<KubeObject> advance(KubeObject deployment, List<KubeObject> sets) {
        Optional<KubeObject> current = Revisions.current(deployment, sets);
        if (deployment.spec().path("paused").asBoolean()) {
            scale(deployment, sets, current);
            return sets;
        }
        KubeObject newest = newest(deployment, sets, current);
        if (isScaling(deployment, sets)) {
            scale(deployment, sets, Optional.of(newest));
            return sets;
        }
        if (deployment.spec().path("strategy").path("type").asText().equals("Recreate")) {
            recreate(deployment, sets, newest);
        } else {
            roll(deployment, sets, newest);
        }
        cleanUp(deployment, sets);
        return sets;
    }

    /// The set of the revision that is wanted, made where there is none, with its number in place.
    private KubeObject newest(
            KubeObject deployment, List<KubeObject> sets, Optional<KubeObject> current) {
        List<KubeObject> old = new ArrayList<>(sets);
        current.ifPresent(old::remove);
        long revision = Revisions.highest(old) + 1;
        KubeObject set;
        if (current.isPresent()) {
            long mine = Math.max(revision, Revisions.revision(current.get()));
            set = replicaSets.annotate(deployment, current.get(), mine);
        } else {
            Rollout rollout = Rollout.of(deployment);
            boolean recreate =
                    deployment.spec().path("strategy").path("type").asText().equals("Recreate");
            int size = recreate ? 0 : rollout.newSize(0, Rollout.wanted(sets));
            set = replicaSets.create(deployment, revision, size);
        }
        replace(sets, set);
        number(deployment, Revisions.revision(set));
        return set;
    }

    private void number(KubeObject deployment, long revision) {
        String text = Long.toString(revision);
        if (!deployment.meta().annotation(Revisions.REVISION).equals(text)) {
            ObjectNode patch = Trees.object();
            patch.withObject("/metadata/annotations").put(Revisions.REVISION, text);
            cluster.patch(DEPLOYMENTS, deployment.meta(), "", patch);
        }
    }

    private static void replace(List<KubeObject> sets, KubeObject set) {
        sets.removeIf(each -> each.meta().uid().equals(set.meta().uid()));
        sets.add(set);
    }

    /// Whether the wanted number is another than the one that the sets were made for.
    private static boolean isScaling(KubeObject deployment, List<KubeObject> sets) {
        String wanted = Integer.toString(Rollout.of(deployment).replicas());
        return sets.stream()
                .filter(set -> Rollout.wanted(set) > 0)
                .map(set -> set.meta().annotation(Revisions.DESIRED))
                .anyMatch(desired -> !desired.isEmpty() && !desired.equals(wanted));
    }

    /// Another size: of the only set with pods, or in the middle of an update of all by their
    /// share.
    private void scale(KubeObject deployment, List<KubeObject> sets, Optional<KubeObject> newest) {
        Rollout rollout = Rollout.of(deployment);
        List<KubeObject> active = sets.stream().filter(set -> Rollout.wanted(set) > 0).toList();
        if (active.size() <= 1) {
            KubeObject only = active.isEmpty() ? newest.orElse(null) : active.getFirst();
            if (only != null) {
                replace(sets, replicaSets.resize(deployment, only, rollout.replicas()));
            }
            return;
        }
        proportion(deployment, sets, active, rollout);
    }

    private void proportion(
            KubeObject deployment,
            List<KubeObject> sets,
            List<KubeObject> active,
            Rollout rollout) {
        int total = Rollout.wanted(active);
        int target = rollout.replicas() > 0 ? rollout.most() : 0;
        int left = target - total;
        var order = new ArrayList<>(active);
        order.sort(Comparator.comparingInt((KubeObject set) -> Rollout.wanted(set)).reversed());
        for (KubeObject set : order) {
            int size = Rollout.wanted(set);
            int share = (int) Math.round((double) size * target / total) - size;
            share = left > 0 ? Math.clamp(share, 0, left) : Math.clamp(share, left, 0);
            left -= share;
            boolean last = set.equals(order.getLast());
            int next = Math.max(0, size + share + (last ? left : 0));
            replace(sets, replicaSets.resize(deployment, set, next));
        }
    }

    private void recreate(KubeObject deployment, List<KubeObject> sets, KubeObject newest) {
        boolean oldGone = true;
        for (KubeObject set : List.copyOf(sets)) {
            if (set.meta().uid().equals(newest.meta().uid())) {
                continue;
            }
            replace(sets, replicaSets.resize(deployment, set, 0));
            oldGone &=
                    cluster.pods().ownedBy(set.meta().uid()).stream()
                            .allMatch(PodFacts::isFinished);
        }
        if (oldGone) {
            int wanted = Rollout.of(deployment).replicas();
            replace(sets, replicaSets.resize(deployment, newest, wanted));
        }
    }

    private void roll(KubeObject deployment, List<KubeObject> sets, KubeObject newest) {
        Rollout rollout = Rollout.of(deployment);
        int before = Rollout.wanted(newest);
        int size = rollout.newSize(before, Rollout.wanted(sets));
        KubeObject grown = replicaSets.resize(deployment, newest, size);
        replace(sets, grown);
        if (size > before) {
            return;
        }
        shrink(deployment, sets, grown, rollout);
    }

    /// Takes from the old sets what may be missed: first what is of no use, then what is.
    private void shrink(
            KubeObject deployment, List<KubeObject> sets, KubeObject newest, Rollout rollout) {
        List<KubeObject> old =
                sets.stream()
                        .filter(set -> !set.meta().uid().equals(newest.meta().uid()))
                        .filter(set -> Rollout.wanted(set) > 0)
                        .sorted(Comparator.comparing(set -> set.meta().created()))
                        .toList();
        if (old.isEmpty()) {
            return;
        }
        int missing = Rollout.wanted(newest) - Rollout.available(newest);
        int spare = Rollout.wanted(sets) - rollout.least() - Math.max(0, missing);
        if (spare <= 0) {
            return;
        }
        for (KubeObject set : old) {
            int useless = Rollout.wanted(set) - Rollout.available(set);
            int take = Math.clamp(useless, 0, Math.max(0, spare));
            if (take > 0) {
                replace(sets, replicaSets.resize(deployment, set, Rollout.wanted(set) - take));
                spare -= take;
            }
        }
        // What a set says of itself may be older than its size, so the spare ones limit this too.
        int available = Math.min(spare, Rollout.available(sets) - rollout.least());
        for (KubeObject set : old) {
            KubeObject now = find(sets, set);
            int take = Math.clamp(Rollout.wanted(now), 0, Math.max(0, available));
            if (take > 0) {
                replace(sets, replicaSets.resize(deployment, now, Rollout.wanted(now) - take));
                available -= take;
            }
        }
    }

    private static KubeObject find(List<KubeObject> sets, KubeObject set) {
        return sets.stream()
                .filter(each -> each.meta().uid().equals(set.meta().uid()))
                .findFirst()
                .orElse(set);
    }

    /// Forgets the oldest revisions, once the newest one is all there is.
    private void cleanUp(KubeObject deployment, List<KubeObject> sets) {
        int limit = deployment.spec().path("revisionHistoryLimit").asInt(10);
        List<KubeObject> old =
                sets.stream()
                        .filter(set -> Revisions.revision(set) != Revisions.highest(sets))
                        .filter(set -> Rollout.wanted(set) == 0 && Rollout.actual(set) == 0)
                        .filter(set -> !set.meta().isDeleting())
                        .filter(set ->
                                set.meta().generation()
                                        <= set.status().path("observedGeneration").asLong())
                        .sorted(Comparator.comparingLong(Revisions::revision))
                        .toList();
        for (KubeObject set : old.subList(0, Math.max(0, old.size() - limit))) {
            cluster.delete(REPLICA_SETS, set.meta());
            sets.remove(set);
        }
    }

    @Override
    public void close() {
        loop.close();
    }
}
