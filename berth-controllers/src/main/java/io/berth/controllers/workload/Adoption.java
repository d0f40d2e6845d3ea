package io.berth.controllers.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.controllers.client.ApiFailure;
import io.berth.controllers.client.Resource;
import io.berth.controllers.informer.Informer;
import io.berth.controllers.object.Held;
import io.berth.controllers.object.Meta;
import io.berth.controllers.object.Owner;
import io.berth.controllers.object.Selector;
import io.berth.controllers.object.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// Settles which objects an owner manages: those that match its selector and have no other manager.
/// One that matches and has none is taken in, one that does not match any more is let go.
///
/// @param <T> what is known of the objects
/// @param managed the kind of the objects
public record Adoption<T extends Held>(Cluster cluster, Informer<T> managed) {
    public List<T> claim(Resource kind, Meta owner, Predicate<Map<String, String>> selector) {
        var mine = new ArrayList<T>();
        for (T each : managed.ownedBy(owner.uid())) {
            if (!each.meta().isControlledBy(owner)) {
                continue;
            }
            if (selector.test(each.meta().labels())) {
                mine.add(each);
            } else if (!owner.isDeleting()) {
                release(each, owner);
            }
        }
        if (!owner.isDeleting() && !isEverything(selector)) {
            for (T each : managed.unmanaged(owner.namespace())) {
                if (!each.meta().isDeleting() && selector.test(each.meta().labels())) {
                    adopt(each, Owner.managing(kind, owner), mine);
                }
            }
        }
        return mine;
    }

    private static boolean isEverything(Predicate<Map<String, String>> selector) {
        return selector instanceof Selector known && known.isEmpty();
    }

    private void adopt(T object, Owner owner, List<T> mine) {
        if (isFinishedPod(object)) {
            return;
        }
        ObjectNode patch = Trees.metadataPatch(object.meta());
        var owners = new ArrayList<>(object.meta().owners());
        owners.add(owner);
        Trees.putOwners(patch, owners);
        if (write(object.meta(), patch)) {
            managed.find(object.meta().key()).ifPresent(mine::add);
        }
    }

    private static boolean isFinishedPod(Held object) {
        return object instanceof io.berth.controllers.object.PodFacts pod && pod.isFinished();
    }

    private void release(T object, Meta owner) {
        ObjectNode patch = Trees.metadataPatch(object.meta());
        Trees.putOwners(
                patch,
                object.meta().owners().stream()
                        .filter(each -> !each.uid().equals(owner.uid()))
                        .toList());
        write(object.meta(), patch);
    }

    /// @return false if the object is gone
    private boolean write(Meta meta, ObjectNode patch) {
        try {
            Held _ = cluster.patch(managed.resource(), meta, "", patch);
            return true;
        } catch (ApiFailure failure) {
            if (failure.isNotFound()) {
                return false;
            }
            throw failure;
        }
    }
}
