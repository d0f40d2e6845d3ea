package io.berth.controllers.revision;

import static io.berth.controllers.client.Resource.REVISIONS;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.controllers.client.ApiFailure;
import io.berth.controllers.client.Resource;
import io.berth.controllers.object.KubeObject;
import io.berth.controllers.object.Owner;
import io.berth.controllers.object.Selector;
import io.berth.controllers.object.Trees;
import io.berth.controllers.workload.Adoption;
import io.berth.controllers.workload.Cluster;
import io.berth.controllers.workload.Words;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/// The revisions of an owner's template, kept as objects. `kubectl rollout undo` puts one of them
/// back: what a revision holds is a patch that restores its template.
public final class History {
    /// The label by which pods say which revision they are of.
    public static final String HASH = "controller-revision-hash";

    private final Cluster cluster;
    private final Resource kind;
    private final Adoption<KubeObject> adoption;

    public History(Cluster cluster, Resource kind) {
        this.cluster = cluster;
        this.kind = kind;
        this.adoption = new Adoption<>(cluster, cluster.of(REVISIONS));
    }

    /// The revisions of an owner, the oldest first.
    public List<KubeObject> of(KubeObject owner) {
        var all =
                new ArrayList<>(
                        adoption.claim(
                                kind, owner.meta(), Selector.of(owner.spec().path("selector"))));
        all.sort(
                Comparator.comparingLong(History::number)
                        .thenComparing(each -> each.meta().name()));
        return all;
    }

    public static long number(KubeObject revision) {
        return revision.tree().path("revision").asLong(0);
    }

    /// The revision of the template as it is now: a new one, or an old one that is the newest
    /// again.
    public KubeObject current(KubeObject owner, List<KubeObject> all) {
        ObjectNode data = data(owner);
        long next = all.isEmpty() ? 1 : number(all.getLast()) + 1;
        for (KubeObject each : all.reversed()) {
            if (Trees.withoutNulls(each.tree().path("data")).equals(data)) {
                return each.equals(all.getLast()) ? each : renumbered(each, next);
            }
        }
        return create(owner, data, next);
    }

    private static ObjectNode data(KubeObject owner) {
        ObjectNode data = Trees.object();
        ObjectNode template = (ObjectNode) Trees.withoutNulls(owner.spec().path("template"));
        template.put("$patch", "replace");
        data.putObject("spec").set("template", template);
        return data;
    }

    private KubeObject renumbered(KubeObject revision, long number) {
        ObjectNode object = revision.copy();
        object.put("revision", number);
        return cluster.update(REVISIONS, object);
    }

    private KubeObject create(KubeObject owner, ObjectNode data, long number) {
        long collisions = owner.status().path("collisionCount").asLong(0);
        String hash = Words.hash(data, collisions);
        ObjectNode revision = Trees.object();
        ObjectNode metadata = revision.putObject("metadata");
        metadata.put("name", owner.meta().name() + "-" + hash);
        JsonNode labels = owner.spec().path("template").path("metadata").path("labels");
        metadata.set("labels", labels.isObject() ? labels.deepCopy() : Trees.object());
        Trees.child(metadata, "labels").put(HASH, hash);
        metadata.putArray("ownerReferences").add(Owner.managing(kind, owner.meta()).tree());
        revision.set("data", data);
        revision.put("revision", number);
        try {
            return cluster.create(REVISIONS, owner.meta().namespace(), revision);
        } catch (ApiFailure failure) {
            if (failure.isAlreadyThere()) {
                collide(owner, metadata.path("name").asText());
            }
            throw failure;
        }
    }

    /// A name that somebody else's revision has makes the next hash another one.
    private void collide(KubeObject owner, String name) {
        boolean ours =
                cluster.client()
                        .find(REVISIONS, owner.meta().namespace(), name)
                        .map(KubeObject::of)
                        .filter(each -> each.meta().isControlledBy(owner.meta()))
                        .isPresent();
        if (!ours) {
            ObjectNode object = owner.copy();
            ObjectNode status = Trees.child(object, "status");
            status.put("collisionCount", status.path("collisionCount").asLong(0) + 1);
            KubeObject _ = cluster.updateStatus(kind, owner, object);
        }
    }

    /// The word by which pods of a revision are labelled.
    public static String label(KubeObject revision) {
        return revision.meta().name();
    }

    /// What a template was in a revision.
    public static JsonNode template(KubeObject revision) {
        JsonNode template = revision.tree().path("data").path("spec").path("template").deepCopy();
        if (template instanceof ObjectNode tree) {
            tree.remove("$patch");
        }
        return template;
    }

    /// Forgets the oldest revisions that no pod is of.
    public void trim(KubeObject owner, List<KubeObject> all, Collection<String> inUse) {
        int limit = owner.spec().path("revisionHistoryLimit").asInt(10);
        List<KubeObject> unused =
                all.stream()
                        .filter(each -> !inUse.contains(each.meta().name()))
                        .filter(each ->
                                !inUse.contains(each.meta().labels().getOrDefault(HASH, "")))
                        .toList();
        for (KubeObject each : unused.subList(0, Math.max(0, unused.size() - limit))) {
            cluster.delete(REVISIONS, each.meta());
        }
    }
}
