package io.berth.controllers.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.controllers.client.ApiFailure;
import io.berth.controllers.client.DeleteHow;
import io.berth.controllers.client.KubeClient;
import io.berth.controllers.client.Resource;
import io.berth.controllers.informer.Informer;
import io.berth.controllers.informer.Informers;
import io.berth.controllers.loop.Timer;
import io.berth.controllers.object.Held;
import io.berth.controllers.object.KubeObject;
import io.berth.controllers.object.Meta;
import io.berth.controllers.object.PodFacts;
import io.berth.controllers.object.Trees;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/// The cluster as a controller has it: what is known of it, and writes that are known at once.
///
/// @param timer for what is to be looked at later
public record Cluster(KubeClient client, Informers informers, Timer timer, InstantSource clock) {
    /// Names of events only have to differ.
    private static final AtomicLong EVENT = new AtomicLong(System.nanoTime());

    public Informer<PodFacts> pods() {
        return informers.pods();
    }

    public Informer<KubeObject> of(Resource kind) {
        return informers.of(kind);
    }

    public Instant now() {
        return clock.instant();
    }

    public KubeObject create(Resource kind, String namespace, ObjectNode object) {
        return of(kind).written(client.create(kind, namespace, object));
    }

    public KubeObject update(Resource kind, ObjectNode object) {
        return of(kind).written(client.update(kind, object));
    }

    /// Writes a status, unless it says what it said before.
    public KubeObject updateStatus(Resource kind, KubeObject before, ObjectNode after) {
        return after.path("status").equals(before.status())
                ? before
                : of(kind).written(client.updateStatus(kind, after));
    }

    public Held patch(Resource kind, Meta meta, String subresource, ObjectNode patch) {
        return informers
                .any(kind)
                .written(client.patch(kind, meta.namespace(), meta.name(), subresource, patch));
    }

    /// Deletes this very object, if it is still there.
    public void delete(Resource kind, Meta meta, DeleteHow how) {
        Optional<ObjectNode> answer = client.delete(kind, meta.namespace(), meta.name(), how);
        informers.any(kind).deleted(meta, answer);
    }

    public void delete(Resource kind, Meta meta) {
        delete(kind, meta, DeleteHow.exactly(meta.uid()).withPolicy("Background"));
    }

    /// Has an object without some finalizer.
    public void removeFinalizer(Resource kind, Meta meta, String finalizer) {
        if (!meta.finalizers().contains(finalizer)) {
            return;
        }
        ObjectNode patch = Trees.metadataPatch(meta);
        Trees.put(
                Trees.child(patch, "metadata"),
                "finalizers",
                meta.finalizers().stream().filter(each -> !each.equals(finalizer)).toList());
        try {
            ObjectNode answer = client.patch(kind, meta.namespace(), meta.name(), "", patch);
            if (meta.isDeleting()) {
                informers.any(kind).deleted(meta, Optional.of(answer));
            } else {
                informers.any(kind).written(answer);
            }
        } catch (ApiFailure failure) {
            if (!failure.isNotFound()) {
                throw failure;
            }
        }
    }

    /// Tells people what was done to an object. Nothing depends on it, so nothing is tried twice.
    public void tell(Resource kind, Meta about, String type, String reason, String message) {
        String namespace = about.namespace().isEmpty() ? "default" : about.namespace();
        String time = Trees.time(now());
        ObjectNode event = Trees.object();
        event.putObject("metadata")
                .put("name", about.name() + "." + Long.toHexString(EVENT.incrementAndGet()))
                .put("namespace", namespace);
        event.putObject("involvedObject")
                .put("apiVersion", kind.apiVersion())
                .put("kind", kind.kind())
                .put("namespace", about.namespace())
                .put("name", about.name())
                .put("uid", about.uid());
        event.put("type", type)
                .put("reason", reason)
                .put("message", message)
                .put("count", 1)
                .put("firstTimestamp", time)
                .put("lastTimestamp", time);
        event.putObject("source")
                .put("component", kind.kind().toLowerCase(java.util.Locale.ROOT) + "-controller");
        try {
            client.create(Resource.EVENTS, namespace, event);
        } catch (ApiFailure untold) {
            // The next event may be luckier.
        }
    }
}
