package io.berth.controllers.garbage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.controllers.client.ApiFailure;
import io.berth.controllers.client.DeleteHow;
import io.berth.controllers.client.Resource;
import io.berth.controllers.informer.Informer;
import io.berth.controllers.loop.Controller;
import io.berth.controllers.loop.Loop;
import io.berth.controllers.object.Held;
import io.berth.controllers.object.Meta;
import io.berth.controllers.object.Owner;
import io.berth.controllers.object.Trees;
import io.berth.controllers.workload.Cluster;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Deletes objects all of whose owners are gone. An owner that is deleted in the foreground stays
/// until those that block it are gone; one that is deleted as an orphaner stays until all that it
/// owns has forgotten it.
public final class GarbageCollector implements Controller {
    private static final int WORKERS = 8;

    private final Cluster cluster;
    private final Graph graph;
    private final Loop loop;

    public GarbageCollector(Cluster cluster) {
        this.cluster = cluster;
        this.graph = new Graph(cluster);
        this.loop = new Loop("garbage", WORKERS, cluster.timer(), this::reconcile);
        Resource.OWNERS_AND_OWNED.forEach(kind -> listen(cluster.informers().any(kind)));
    }

    private <T extends Held> void listen(Informer<T> informer) {
        Resource kind = informer.resource();
        informer.listen((before, after) -> {
            if (after != null) {
                changed(before == null ? null : before.meta(), Item.of(kind, after));
            } else if (before != null) {
                gone(before.meta());
            }
        });
    }

    private void changed(@Nullable Meta before, Item now) {
        Meta meta = now.meta();
        boolean news =
                before == null
                        || !before.owners().equals(meta.owners())
                        || !before.finalizers().equals(meta.finalizers())
                        || before.isDeleting() != meta.isDeleting();
        boolean matters =
                !meta.owners().isEmpty() || now.waitsForDependents() || now.waitsForOrphans();
        if (news && matters) {
            loop.enqueue(now.key());
        }
        if (before != null && !before.owners().equals(meta.owners())) {
            before.owners().forEach(owner -> lookAt(meta, owner));
        }
    }

    private void gone(Meta last) {
        graph.dependents(last.uid()).forEach(each -> loop.enqueue(each.key()));
        last.owners().forEach(owner -> lookAt(last, owner));
    }

    /// An owner may have waited for this one.
    private void lookAt(Meta owned, Owner owner) {
        Resource.of(owner.apiVersion(), owner.kind())
                .ifPresent(kind -> {
                    String namespace = kind.namespaced() ? owned.namespace() : "";
                    cluster.informers()
                            .any(kind)
                            .find(namespace, owner.name())
                            .map(each -> Item.of(kind, each))
                            .filter(Item::waitsForDependents)
                            .ifPresent(each -> loop.enqueue(each.key()));
                });
    }

    @Override
    public void start() {
        loop.start();
    }

    private void reconcile(String key) {
        Item item = graph.find(key).orElse(null);
        if (item == null) {
            return;
        }
        try {
            if (item.waitsForOrphans()) {
                orphan(item);
            } else if (item.waitsForDependents()) {
                awaitDependents(item);
            } else if (!item.meta().isDeleting() && !item.meta().owners().isEmpty()) {
                judge(item);
            }
        } catch (ApiFailure failure) {
            if (!failure.isNotFound()) {
                throw failure;
            }
        }
    }

    private void orphan(Item item) {
        for (Item each : graph.dependents(item.meta().uid())) {
            keepOwners(each, owner -> !owner.uid().equals(item.meta().uid()));
        }
        cluster.removeFinalizer(item.kind(), item.meta(), Item.ORPHAN);
    }

    private void awaitDependents(Item item) {
        String uid = item.meta().uid();
        List<Item> dependents = graph.dependents(uid);
        boolean blocked =
                dependents.stream()
                        .flatMap(each -> each.meta().owners().stream())
                        .anyMatch(owner -> owner.uid().equals(uid) && owner.blocks());
        if (blocked) {
            dependents.forEach(each -> loop.enqueue(each.key()));
        } else {
            cluster.removeFinalizer(item.kind(), item.meta(), Item.FOREGROUND);
        }
    }

    private void judge(Item item) {
        var solid = new ArrayList<Owner>();
        var waiting = new ArrayList<Owner>();
        for (Owner owner : item.meta().owners()) {
            switch (graph.state(item, owner)) {
                case SOLID -> solid.add(owner);
                case WAITING -> waiting.add(owner);
                case GONE -> {
                    // Neither holds the object nor waits for it.
                }
            }
        }
        if (!solid.isEmpty()) {
            if (solid.size() < item.meta().owners().size()) {
                keepOwners(item, solid::contains);
            }
            return;
        }
        boolean owns = !graph.dependents(item.meta().uid()).isEmpty();
        String policy = !waiting.isEmpty() && owns ? "Foreground" : item.policy();
        cluster.delete(
                item.kind(),
                item.meta(),
                DeleteHow.exactly(item.meta().uid())
                        .withVersion(item.meta().version())
                        .withPolicy(policy));
    }

    private void keepOwners(Item item, Predicate<Owner> which) {
        ObjectNode patch = Trees.metadataPatch(item.meta());
        Trees.putOwners(patch, item.meta().owners().stream().filter(which).toList());
        try {
            Held _ = cluster.patch(item.kind(), item.meta(), "", patch);
        } catch (ApiFailure failure) {
            if (!failure.isNotFound()) {
                throw failure;
            }
        }
    }

    @Override
    public void close() {
        loop.close();
    }
}
