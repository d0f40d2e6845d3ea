package io.berth.e2e.differential;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.e2e.HttpApi;
import io.berth.e2e.differential.scenario.Json;
import io.berth.e2e.differential.scenario.Vocabulary;
import io.berth.e2e.differential.scenario.VolumeMaker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The volumes and claims on stage. Schedulers write them, and what is written cannot be taken back
/// in place, so they are made anew after a trial.
final class Shelf {
    /// Keeps an object that is being deleted.
    private static final String HOLD = "differential.example/hold";

    private static final String VOLUMES = "/api/v1/persistentvolumes";

    private final HttpApi api;

    /// The version in which an object was left, by path.
    private final Map<String, String> versions = new HashMap<>();

    Shelf(HttpApi api) {
        this.api = api;
    }

    boolean isEmpty() {
        return versions.isEmpty();
    }

    void put(ObjectNode object) {
        var wanted = object.deepCopy();
        boolean isLeaving = object.at("/metadata/annotations").has(Vocabulary.LEAVING);
        if (isLeaving) {
            ((ObjectNode) wanted.get("metadata")).set("finalizers", Json.array(HOLD));
        }
        if (namesUidOfClaim(object)) {
            var reference = (ObjectNode) wanted.at("/spec/claimRef");
            var claim =
                    api.get(
                            Kinds.collection(
                                            "PersistentVolumeClaim",
                                            reference.at("/namespace").asText())
                                    + "/"
                                    + reference.at("/name").asText());
            reference.put("uid", claim.text("/metadata/uid"));
        }
        var answer = api.post(Kinds.collectionOf(object), wanted.toString());
        if (answer.status() == 422 || answer.status() == 400 || answer.status() == 403) {
            throw new RefusedException(answer.text("/message"));
        }
        answer.ok();
        var path = Kinds.pathOf(object);
        if (object.has("status")) {
            var status = Json.object("status", object.get("status")).toString();
            api.patch(path + "/status", status).ok();
        }
        if (isLeaving) {
            api.delete(path).ok();
        }
        versions.put(path, api.get(path).ok().at("/metadata/resourceVersion").asText());
    }

    private static boolean namesUidOfClaim(JsonNode object) {
        return object.at("/spec/claimRef/uid").asText().equals(VolumeMaker.UID_OF_CLAIM);
    }

    /// Takes an object away, also one that is held back.
    void remove(String path) {
        versions.remove(path);
        api.patch(path, "{\"metadata\":{\"finalizers\":null}}");
        api.delete(path);
    }

    /// Takes everything away, also what was made by others.
    void clear() {
        for (var object : all()) {
            remove(Kinds.pathOf(object));
        }
        versions.clear();
    }

    /// Whether somebody has changed the object since it was put here.
    boolean hasChanged(JsonNode object) {
        return !object.at("/metadata/resourceVersion")
                .asText()
                .equals(versions.get(Kinds.pathOf(object)));
    }

    /// Makes anew what was changed, and takes away what was added.
    ///
    /// @param wanted what was there, by path
    /// @return whether there was anything to do
    boolean restore(Map<String, ObjectNode> wanted) {
        var renewed = new ArrayList<ObjectNode>();
        boolean isRestored = false;
        var claims = new ArrayList<String>();
        for (var object : all()) {
            var path = Kinds.pathOf(object);
            if (hasChanged(object) || !wanted.containsKey(path)) {
                remove(path);
                isRestored = true;
                claims.add(Kinds.namespace(object) + "/" + Kinds.name(object));
                var before = wanted.get(path);
                if (before != null) {
                    renewed.add(before);
                }
            }
        }
        // Claims that are made anew have other uids.
        for (var object : wanted.values()) {
            if (namesUidOfClaim(object)
                    && claims.contains(
                            object.at("/spec/claimRef/namespace").asText()
                                    + "/"
                                    + object.at("/spec/claimRef/name").asText())
                    && !renewed.contains(object)) {
                remove(Kinds.pathOf(object));
                renewed.add(object);
            }
        }
        for (boolean isClaim : new boolean[] {true, false}) {
            renewed.stream()
                    .filter(o -> Kinds.kind(o).equals("PersistentVolumeClaim") == isClaim)
                    .forEach(this::put);
        }
        return isRestored;
    }

    /// All volumes of the cluster.
    List<ObjectNode> volumes() {
        return list(VOLUMES, "PersistentVolume");
    }

    /// All claims of a namespace.
    List<ObjectNode> claims(String namespace) {
        return list(Kinds.collection("PersistentVolumeClaim", namespace), "PersistentVolumeClaim");
    }

    private List<ObjectNode> all() {
        var all = new ArrayList<>(volumes());
        Vocabulary.NAMESPACES.forEach(namespace -> all.addAll(claims(namespace)));
        return all;
    }

    /// Objects in lists do not name their kind.
    private List<ObjectNode> list(String path, String kind) {
        var all = new ArrayList<ObjectNode>();
        for (var item : api.get(path).ok().at("/items")) {
            all.add(((ObjectNode) item).put("kind", kind));
        }
        return all;
    }
}
