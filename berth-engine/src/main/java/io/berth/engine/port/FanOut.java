package io.berth.engine.port;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// One feed for several consumers, who all hear the same in the same order.
///
/// Whoever joins late has to be told what there is by somebody else, from a [ClusterImage] that is
/// taken after joining: what happens meanwhile may then be heard twice, but never missed, and the
/// last word on each object is the right one. From any thread.
public final class FanOut implements ClusterFeed {
    private final List<ClusterFeed> consumers = new CopyOnWriteArrayList<>();

    public FanOut(ClusterFeed... first) {
        consumers.addAll(List.of(first));
    }

    /// Lets somebody hear what happens from now on.
    public void join(ClusterFeed consumer) {
        consumers.add(consumer);
    }

    /// Tells somebody nothing more.
    public void leave(ClusterFeed consumer) {
        consumers.remove(consumer);
    }

    @Override
    public void seen(ClusterObject object) {
        consumers.forEach(consumer -> consumer.seen(object));
    }

    @Override
    public void gone(Kind kind, String namespace, String name) {
        consumers.forEach(consumer -> consumer.gone(kind, namespace, name));
    }

    @Override
    public void synced(Kind kind) {
        consumers.forEach(consumer -> consumer.synced(kind));
    }
}
