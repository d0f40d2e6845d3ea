package io.berth.e2e.differential;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.e2e.HttpApi;
import io.berth.e2e.differential.scenario.Json;
import io.berth.e2e.differential.scenario.StorageMaker;
import io.berth.e2e.differential.scenario.VolumeMaker;
import java.time.Duration;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/// Plays the controller that binds claims to volumes, and makes volumes, for one pod: once a
/// scheduler has written what it wants, it is noted and then done.
final class PlayedController {
    private static final Duration PAUSE = Duration.ofMillis(20);

    /// What a scheduler finds already written as it would write it, it does not change; so after a
    /// while what is there is taken for its word.
    private static final Duration LATE = Duration.ofMillis(1500);

    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final HttpApi api;
    private final Shelf shelf;
    private final String namespace;
    private final List<String> claims;
    private final long startedNanos = System.nanoTime();
    private final SortedSet<String> written = new TreeSet<>();
    private long lastNanos = startedNanos;
    private int madeCount;

    PlayedController(HttpApi api, Shelf shelf, String namespace, List<String> claims) {
        this.api = api.withLimit(LIMIT);
        this.shelf = shelf;
        this.namespace = namespace;
        this.claims = claims;
    }

    /// The objects as the scheduler left them.
    SortedSet<String> written() {
        return written;
    }

    /// Looks for something to do, but not too often.
    void look() {
        long now = System.nanoTime();
        if (claims.isEmpty() || now - lastNanos < PAUSE.toNanos()) {
            return;
        }
        lastNanos = now;
        boolean isLate = now - startedNanos > LATE.toNanos();
        var volumes = shelf.volumes();
        for (var claim : shelf.claims(namespace)) {
            if (claims.contains(Kinds.name(claim)) && isOpen(claim)) {
                bind(claim, volumes, isLate);
            }
        }
    }

    private static boolean isOpen(JsonNode claim) {
        return !claim.at("/metadata/annotations").has(VolumeMaker.BIND_COMPLETED)
                && !claim.at("/metadata").has("deletionTimestamp")
                && claim.at("/spec/volumeName").asText().isEmpty();
    }

    private void bind(ObjectNode claim, List<ObjectNode> volumes, boolean isLate) {
        var uid = claim.at("/metadata/uid").asText();
        for (var volume : volumes) {
            if (volume.at("/spec/claimRef/uid").asText().equals(uid)
                    && (isLate || shelf.hasChanged(volume))) {
                note(volume, uid);
                complete(claim, Kinds.name(volume));
                return;
            }
        }
        if (claim.at("/metadata/annotations").has(VolumeMaker.SELECTED_NODE)
                && (isLate || shelf.hasChanged(claim))) {
            note(claim, uid);
            complete(claim, make(claim));
        }
    }

    private void complete(JsonNode claim, String volume) {
        api.patch(
                        Kinds.pathOf(claim),
                        Json.object(
                                        "metadata",
                                        Json.object(
                                                "annotations",
                                                Json.object(VolumeMaker.BIND_COMPLETED, "yes")),
                                        "spec",
                                        Json.object("volumeName", volume))
                                .toString())
                .ok();
    }

    private String make(JsonNode claim) {
        var name = "made-" + Kinds.name(claim) + "-" + ++madeCount;
        var volume =
                Json.object(
                        "apiVersion",
                        "v1",
                        "kind",
                        "PersistentVolume",
                        "metadata",
                        Json.object("name", name),
                        "spec",
                        Json.object(
                                "capacity",
                                claim.at("/spec/resources/requests"),
                                "accessModes",
                                claim.at("/spec/accessModes"),
                                "storageClassName",
                                claim.at("/spec/storageClassName").asText(),
                                "claimRef",
                                Json.object(
                                        "namespace",
                                        namespace,
                                        "name",
                                        Kinds.name(claim),
                                        "uid",
                                        claim.at("/metadata/uid").asText()),
                                "csi",
                                Json.object(
                                        "driver",
                                        StorageMaker.PLAIN_DRIVER,
                                        "volumeHandle",
                                        name)));
        api.post(Kinds.collectionOf(volume), volume.toString()).ok();
        return name;
    }

    /// An object without what differs between two that are made alike.
    private void note(ObjectNode object, String uidOfClaim) {
        var copy = object.deepCopy();
        var metadata = (ObjectNode) copy.get("metadata");
        metadata.remove(
                List.of(
                        "uid",
                        "resourceVersion",
                        "creationTimestamp",
                        "managedFields",
                        "generation",
                        "ownerReferences"));
        if (copy.at("/spec/claimRef") instanceof ObjectNode reference) {
            reference.put(
                    "uid", reference.at("/uid").asText().equals(uidOfClaim) ? "own" : "another");
            if (reference.has("resourceVersion")) {
                reference.put("resourceVersion", "some");
            }
        }
        copy.remove("status");
        written.add(copy.toString());
    }
}
