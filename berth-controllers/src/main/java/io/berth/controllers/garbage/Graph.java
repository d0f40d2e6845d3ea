package io.berth.controllers.garbage;

import io.berth.controllers.client.Resource;
import io.berth.controllers.object.Held;
import io.berth.controllers.object.Meta;
import io.berth.controllers.object.Owner;
import io.berth.controllers.workload.Cluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Who owns whom, as far as the informers know.
final class Graph {
    private final Cluster cluster;

    Graph(Cluster cluster) {
        this.cluster = cluster;
    }

    Optional<Item> find(String key) {
        String[] words = key.split(" ", 3);
        return Resource.of(words[0], words[1])
                .flatMap(kind ->
                        cluster.informers().any(kind).find(words[2]).map(o -> Item.of(kind, o)));
    }

    List<Item> dependents(String uid) {
        var found = new ArrayList<Item>();
        for (Resource kind : Resource.OWNERS_AND_OWNED) {
            for (Held each : cluster.informers().any(kind).ownedBy(uid)) {
                found.add(Item.of(kind, each));
            }
        }
        return found;
    }

    /// What is true of an owner.
    enum State {
        /// It is there to stay, or nobody here can tell.
        SOLID,
        /// It waits for what it owns to go.
        WAITING,
        GONE
    }

    /// Asks the server before it calls an owner gone: an informer may not have seen it yet.
    State state(Item owned, Owner owner) {
        Optional<Resource> kind = Resource.of(owner.apiVersion(), owner.kind());
        if (kind.isEmpty()) {
            return State.SOLID;
        }
        String namespace = kind.get().namespaced() ? owned.meta().namespace() : "";
        Optional<Item> known =
                cluster.informers()
                        .any(kind.get())
                        .find(namespace, owner.name())
                        .map(each -> Item.of(kind.get(), each))
                        .filter(each -> each.meta().uid().equals(owner.uid()));
        Optional<Item> there =
                known.or(() ->
                        cluster.client()
                                .find(kind.get(), namespace, owner.name())
                                .map(tree -> new Item(kind.get(), Meta.of(tree)))
                                .filter(each -> each.meta().uid().equals(owner.uid())));
        return there.map(each -> each.waitsForDependents() ? State.WAITING : State.SOLID)
                .orElse(State.GONE);
    }
}
