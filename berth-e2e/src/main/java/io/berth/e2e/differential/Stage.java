package io.berth.e2e.differential;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.e2e.HttpApi;
import io.berth.e2e.differential.scenario.Json;
import io.berth.e2e.differential.scenario.Vocabulary;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;

/// The cluster that both schedulers look at: makes a scenario's objects, and clears them away.
///
/// Nothing but the tests moves in it: there are no controllers and no kubelets, so a status is
/// written by hand and an evicted pod stays until it is cleared away.
final class Stage {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration EYES_LIMIT = Duration.ofMinutes(3);

    /// The launcher may build Berth first.
    private static final Duration START_LIMIT = Duration.ofMinutes(5);

    private static final String FENCE = "fence";

    /// Nothing tells that a class or a driver was seen. What comes too late shows as a difference
    /// that does not show again.
    private static final Duration SILENT_PAUSE = Duration.ofMillis(300);

    /// There is nobody to end a pod, or to delete what belongs to an object.
    private static final String AT_ONCE = "?gracePeriodSeconds=0&propagationPolicy=Background";

    private final HttpApi api;
    private final List<Contestant> contestants;

    /// What is on stage, by path, in the order of making.
    private final Map<String, ObjectNode> standing = new LinkedHashMap<>();

    /// Pods that wait beside the one to be placed; each scheduler gets its own.
    private List<ObjectNode> companions = List.of();

    private final Shelf shelf;
    private final ClaimStage claims;
    private int fences;

    Stage(HttpApi api, List<Contestant> contestants) {
        this.api = api.withLimit(LIMIT);
        this.contestants = contestants;
        this.shelf = new Shelf(this.api);
        this.claims = new ClaimStage(this.api, contestants);
    }

    /// Makes what every scenario may count on, and waits until both schedulers look.
    void furnish() {
        api.createNamespace(FENCE);
        Vocabulary.furniture().forEach(this::create);
        fence(START_LIMIT);
    }

    /// Makes, replaces and deletes objects until these are there, and waits until both schedulers
    /// have seen it.
    void become(List<ObjectNode> objects) {
        companions = objects.stream().filter(Stage::isCompanion).toList();
        var wanted = new LinkedHashMap<String, ObjectNode>();
        objects.stream()
                .filter(o -> !isCompanion(o))
                .sorted(Comparator.comparingInt(Stage::turn))
                .forEach(o -> wanted.put(Kinds.pathOf(o), o));
        var gone = new ArrayList<>(standing.keySet());
        gone.removeAll(wanted.keySet());
        boolean hasChanged = !gone.isEmpty();
        boolean hasVolumes = false;
        boolean hasSilent = false;
        for (var path : gone) {
            // A finished pod that was to leave is gone already.
            var object = standing.remove(path);
            hasSilent |= object != null && isSilent(object);
            if (object != null && Kinds.isVolumeOrClaim(object)) {
                shelf.remove(path);
                hasVolumes = true;
            } else {
                api.delete(path + AT_ONCE);
            }
        }
        for (var object : wanted.entrySet()) {
            var before = standing.get(object.getKey());
            if (!object.getValue().equals(before)) {
                hasVolumes |= Kinds.isVolumeOrClaim(object.getValue());
                hasSilent |= isSilent(object.getValue());
                if (before == null) {
                    create(object.getValue());
                } else {
                    replace(object.getKey(), object.getValue());
                }
                standing.put(object.getKey(), object.getValue());
                hasChanged = true;
            }
        }
        if (hasChanged) {
            awaitEyes();
            if (standing.values().stream().anyMatch(o -> Kinds.kind(o).equals("DeviceClass"))) {
                claims.fence();
            }
        }
        if (hasSilent) {
            Contestant.pause(SILENT_PAUSE);
        }
        if (hasVolumes) {
            awaitVolumes(contestants);
        }
    }

    /// Pods come last, and volumes after the claims that they name.
    private static int turn(JsonNode object) {
        return switch (Kinds.kind(object)) {
            case "PersistentVolumeClaim" -> 1;
            case "PersistentVolume" -> 2;
            case "Pod" -> 3;
            default -> 0;
        };
    }

    /// Whether it is of a kind of which schedulers never say that they have seen it.
    private static boolean isSilent(JsonNode object) {
        var kind = Kinds.kind(object);
        return kind.startsWith("CSI")
                || kind.equals("StorageClass")
                || kind.equals("VolumeAttachment");
    }

    private void replace(String path, ObjectNode object) {
        for (var part : List.of(path, path + "/status")) {
            var answer = api.put(part, object.toString());
            if (answer.status() / 100 != 2) {
                throw new RefusedException(answer.text("/message"));
            }
        }
    }

    /// Waits until both schedulers have seen all changes of nodes and pods so far. They hear of
    /// each kind in order, so a last object that has no part in anything is a sign.
    private void awaitEyes() {
        var nodes = new HashSet<String>();
        standing.values().stream()
                .filter(o -> Kinds.kind(o).equals("Node"))
                .forEach(o -> nodes.add(Kinds.name(o)));
        var last = "last-" + ++fences;
        create(
                Json.object(
                        "apiVersion",
                        "v1",
                        "kind",
                        "Node",
                        "metadata",
                        Json.object("name", last),
                        "spec",
                        Json.object("unschedulable", true)));
        for (var contestant : contestants) {
            require(
                    contestant,
                    contestant.listenUntil(() -> contestant.nodes().contains(last), EYES_LIMIT),
                    "the node " + last);
        }
        api.delete("/api/v1/nodes/" + last).ok();
        awaitNodes(nodes);
        fence(EYES_LIMIT);
    }

    /// Deletes everything and waits until both schedulers have seen it.
    void strike() {
        var namespaced = new HashSet<String>();
        boolean hasNodes = false;
        for (var object : standing.values()) {
            hasNodes |= Kinds.kind(object).equals("Node");
            namespaced.add(Kinds.collectionOf(object));
        }
        namespaced.remove("/api/v1/nodes");
        for (var namespace : Vocabulary.NAMESPACES) {
            namespaced.add("/api/v1/namespaces/" + namespace + "/pods");
            api.delete("/apis/events.k8s.io/v1/namespaces/" + namespace + "/events").ok();
        }
        namespaced.removeIf(path -> path.contains("/persistentvolume"));
        namespaced.forEach(path -> api.delete(path + AT_ONCE).ok());
        if (!shelf.isEmpty()) {
            shelf.clear();
        }
        if (hasNodes) {
            api.delete("/api/v1/nodes").ok();
        }
        standing.clear();
        companions = List.of();
        fence(EYES_LIMIT);
        awaitNodes(Set.of());
    }

    /// Creates a pod for a scheduler.
    void createPod(ObjectNode pod, String name, String scheduler) {
        var pending = pendingPod(pod, name, scheduler);
        if (ClaimStage.has(pod)) {
            create(claims.withClaims(pending));
            claims.generate(pod, name);
        } else {
            create(pending);
        }
    }

    /// What the claims in a pod's namespace have got; empty for a pod that brings none.
    SortedSet<String> allocations(ObjectNode pod, String name) {
        return ClaimStage.has(pod)
                ? claims.allocations(Kinds.namespace(pod), name)
                : Collections.emptySortedSet();
    }

    /// Takes back what a pod has claimed.
    void restoreClaims(ObjectNode pod) {
        if (ClaimStage.has(pod)) {
            claims.restore(
                    Kinds.namespace(pod),
                    standing.values().stream()
                            .filter(o -> Kinds.kind(o).equals("ResourceClaim"))
                            .toList());
        }
    }

    void createCompanions(String scheduler) {
        for (var pod : companions) {
            create(pendingPod(pod, Kinds.name(pod), scheduler));
        }
    }

    void deleteCompanions() {
        for (var pod : companions) {
            deletePod(pod.at("/metadata/namespace").asText(), Kinds.name(pod));
        }
    }

    private static ObjectNode pendingPod(ObjectNode pod, String name, String scheduler) {
        var copy = pod.deepCopy();
        ((ObjectNode) copy.get("metadata")).put("name", name);
        ((ObjectNode) copy.get("spec")).put("schedulerName", scheduler);
        return copy;
    }

    JsonNode pod(String namespace, String name) {
        return api.get("/api/v1/namespaces/" + namespace + "/pods/" + name).body();
    }

    /// Takes a pod away at once: there is no kubelet to end it.
    void deletePod(String namespace, String name) {
        api.delete("/api/v1/namespaces/" + namespace + "/pods/" + name + "?gracePeriodSeconds=0");
    }

    void openGates(String namespace, String name) {
        api.patch(
                        "/api/v1/namespaces/" + namespace + "/pods/" + name,
                        "{\"spec\":{\"schedulingGates\":null}}")
                .ok();
    }

    /// The note of the event that tells why a pod got no place; empty while there is none.
    String failureNote(String namespace, String pod) {
        var events =
                api.get(
                                "/api/v1/namespaces/%s/events?fieldSelector=involvedObject.name=%s"
                                        .formatted(namespace, pod))
                        .ok();
        for (var event : events.at("/items")) {
            if (event.at("/reason").asText().equals("FailedScheduling")) {
                return event.at("/message").asText();
            }
        }
        return "";
    }

    /// Pods that somebody has sent away since the cluster was made.
    List<JsonNode> evictedPods() {
        var leaving = new ArrayList<JsonNode>();
        for (var pod : api.get("/api/v1/pods").ok().at("/items")) {
            if (pod.at("/metadata").has("deletionTimestamp")
                    && !pod.at("/metadata/annotations").has(Vocabulary.LEAVING)) {
                leaving.add(pod);
            }
        }
        return leaving;
    }

    /// Puts evicted pods back as they were, together with all pods of their nodes: among pods that
    /// have not started, the order in which they came decides.
    void revive(List<JsonNode> evicted) {
        var nodes = new HashSet<String>();
        for (var pod : evicted) {
            nodes.add(nodeName(pod));
            deletePod(pod.at("/metadata/namespace").asText(), Kinds.name(pod));
        }
        var neighbours =
                standing.values().stream()
                        .filter(o -> Kinds.isPod(o) && nodes.contains(nodeName(o)))
                        .toList();
        neighbours.forEach(pod -> api.delete(Kinds.pathOf(pod) + AT_ONCE));
        neighbours.forEach(this::create);
    }

    private static String nodeName(JsonNode pod) {
        return pod.at("/spec/nodeName").asText();
    }

    /// Waits until both schedulers have seen all changes of pods so far: they hear of pods in
    /// order, so a last one that is bound to no node at all is a sign.
    private void fence(Duration limit) {
        var name = "fence-" + ++fences;
        create(
                Json.object(
                        "apiVersion",
                        "v1",
                        "kind",
                        "Pod",
                        "metadata",
                        Json.object("namespace", FENCE, "name", name),
                        "spec",
                        Json.object(
                                "nodeName",
                                "nowhere",
                                "containers",
                                Json.array(Json.object("name", "c", "image", "none")))));
        for (var contestant : contestants) {
            require(
                    contestant,
                    contestant.listenUntil(
                            () -> contestant.hasSeenBound(FENCE + "/" + name), limit),
                    "the pod " + name);
        }
        deletePod(FENCE, name);
    }

    /// Waits until these schedulers have seen all changes of volumes and claims so far: they hear
    /// of each kind in order, so a last pair that leads nowhere is tried until it is found.
    private void awaitVolumes(List<Contestant> eyes) {
        var name = "last-" + ++fences;
        var claim = LastPair.claim(FENCE, name);
        var volume = LastPair.volume(FENCE, name);
        shelf.put(claim);
        shelf.put(volume);
        for (var contestant : eyes) {
            long deadline = System.nanoTime() + EYES_LIMIT.toNanos();
            while (!hasFound(name, contestant)) {
                require(contestant, System.nanoTime() < deadline, "the volume " + name);
            }
        }
        shelf.remove(Kinds.pathOf(claim));
        shelf.remove(Kinds.pathOf(volume));
    }

    private boolean hasFound(String claim, Contestant contestant) {
        var name = claim + "-" + ++fences;
        create(LastPair.pod(FENCE, name, claim, contestant.schedulerName()));
        var key = FENCE + "/" + name;
        require(
                contestant,
                contestant.listenUntil(
                        () -> contestant.about(key).stream().anyMatch(LogLine::isDecision),
                        EYES_LIMIT),
                "the pod " + name);
        deletePod(FENCE, name);
        return contestant.about(key).stream()
                .filter(LogLine::isDecision)
                .noneMatch(line -> line.value("err").contains("not found"));
    }

    /// What binds a pod's claims in this cluster.
    PlayedController controller(String namespace, List<String> claims) {
        return new PlayedController(api, shelf, namespace, claims);
    }

    /// Makes the claims of a pod's ephemeral volumes, as their controller does, and waits until a
    /// scheduler has seen them.
    ///
    /// @param isOwner whether they belong to the pod
    void createClaims(String namespace, String name, boolean isOwner, Contestant contestant) {
        var pod = pod(namespace, name);
        for (var volume : pod.at("/spec/volumes")) {
            var template = volume.at("/ephemeral/volumeClaimTemplate");
            if (!template.isMissingNode() && !template.at("/metadata/labels").has("late")) {
                shelf.put(LastPair.claimOf(pod, volume, isOwner));
            }
        }
        awaitVolumes(List.of(contestant));
    }

    /// Makes volumes and claims what they were before somebody wrote them.
    void restoreVolumes() {
        if (!shelf.isEmpty() && shelf.restore(standing)) {
            awaitVolumes(contestants);
        }
    }

    private void awaitNodes(Set<String> nodes) {
        for (var contestant : contestants) {
            require(
                    contestant,
                    contestant.listenUntil(() -> contestant.nodes().equals(nodes), EYES_LIMIT),
                    "the nodes " + nodes + ", but knows " + contestant.nodes());
        }
    }

    private static void require(Contestant contestant, boolean seen, String what) {
        if (!seen) {
            throw new IllegalStateException(contestant.name() + " has not seen " + what);
        }
    }

    private void create(ObjectNode object) {
        if (Kinds.isVolumeOrClaim(object)) {
            shelf.put(object);
            return;
        }
        var answer = api.post(Kinds.collectionOf(object), object.toString());
        if (answer.status() == 422 || answer.status() == 400 || answer.status() == 403) {
            throw new RefusedException(answer.text("/message"));
        }
        answer.ok();
        boolean isStatusKept = Kinds.kind(object).equals("Node");
        if (object.has("status") && !isStatusKept) {
            var status = Json.object("status", object.get("status")).toString();
            var written = api.patch(Kinds.pathOf(object) + "/status", status);
            if (written.status() / 100 != 2) {
                throw new RefusedException(written.text("/message"));
            }
        }
        if (object.at("/metadata/annotations").has(Vocabulary.LEAVING)) {
            api.delete(Kinds.pathOf(object)).ok();
        }
    }

    private static boolean isCompanion(JsonNode object) {
        return Kinds.isPod(object) && !object.at("/spec").has("nodeName");
    }
}
