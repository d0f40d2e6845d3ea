package io.berth.e2e.differential;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.e2e.HttpApi;
import io.berth.e2e.differential.scenario.DeviceMaker;
import io.berth.e2e.differential.scenario.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The claims of pods that are tried: makes them with the pod, reads what was allocated, and frees
/// everything again, since no controller does it here.
final class ClaimStage {
    static final String GROUP = "/apis/resource.k8s.io/v1";

    private static final String CLAIMS = "claims";
    private static final String POD_CLAIM = "resource.kubernetes.io/pod-claim-name";
    private static final String EXTENDED = "resource.kubernetes.io/extended-resource-claim";
    private static final String FENCE = "fence";
    private static final String NOTHING = "{\"status\":{\"allocation\":null,\"reservedFor\":null}}";
    private static final String UNPROTECTED = "{\"metadata\":{\"finalizers\":null}}";
    private static final int NOT_FOUND = 404;
    private static final int UNPROCESSABLE = 422;
    private static final int MAX_TRIES = 100;
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Duration POLL = Duration.ofMillis(5);

    private final HttpApi api;
    private final List<Contestant> contestants;
    private int probes;

    ClaimStage(HttpApi api, List<Contestant> contestants) {
        this.api = api;
        this.contestants = contestants;
    }

    /// Whether the pod brings claims.
    static boolean has(JsonNode pod) {
        return pod.has(CLAIMS);
    }

    private static String claims(String namespace) {
        return GROUP + "/namespaces/" + namespace + "/resourceclaims";
    }

    /// The pod as the API server may see it, with claims that are made for a pod of its name.
    ObjectNode withClaims(ObjectNode pod) {
        var made = pod.deepCopy();
        var name = made.at("/metadata/name").asText();
        var namespace = made.at("/metadata/namespace").asText();
        for (var claim : made.remove(CLAIMS)) {
            var claimName = claim.at("/name").asText();
            boolean isGenerated = claim.at("/generated").asBoolean();
            for (var reference : made.at("/spec/resourceClaims")) {
                if (reference.at("/name").asText().equals(claimName)) {
                    ((ObjectNode) reference)
                            .put(
                                    isGenerated ? "resourceClaimTemplateName" : "resourceClaimName",
                                    isGenerated ? "template" : name + "-" + claimName);
                }
            }
            if (!isGenerated) {
                create(namespace, name + "-" + claimName, claim, null);
            }
        }
        return made;
    }

    /// Makes the claims that a controller would make for a pod once it is there.
    void generate(ObjectNode pod, String name) {
        var namespace = pod.at("/metadata/namespace").asText();
        var path = "/api/v1/namespaces/" + namespace + "/pods/" + name;
        var statuses = Json.array();
        for (var claim : pod.path(CLAIMS)) {
            if (claim.at("/generated").asBoolean()) {
                var claimName = claim.at("/name").asText();
                var uid = api.get(path).ok().at("/metadata/uid").asText();
                var owner =
                        Json.object(
                                "apiVersion",
                                "v1",
                                "kind",
                                "Pod",
                                "name",
                                name,
                                "uid",
                                uid,
                                "controller",
                                true);
                create(namespace, name + "-" + claimName, claim, owner);
                statuses.add(
                        Json.object(
                                "name", claimName, "resourceClaimName", name + "-" + claimName));
            }
        }
        if (!statuses.isEmpty()) {
            var status = Json.object("status", Json.object("resourceClaimStatuses", statuses));
            api.patch(path + "/status", status.toString()).ok();
        }
    }

    private void create(String namespace, String name, JsonNode claim, @Nullable ObjectNode owner) {
        var object =
                Json.object(
                        "metadata",
                        Json.object(
                                "name",
                                name,
                                "annotations",
                                owner == null
                                        ? null
                                        : Json.object(POD_CLAIM, claim.at("/name").asText()),
                                "ownerReferences",
                                owner == null ? null : Json.array(owner)),
                        "spec",
                        claim.get("spec"));
        var answer = api.post(claims(namespace), object.toString());
        if (answer.status() / 100 != 2) {
            throw new RefusedException(answer.text("/message"));
        }
    }

    /// What every claim in a namespace has got, after its name without the pod's.
    SortedSet<String> allocations(String namespace, String pod) {
        var found = new TreeSet<String>();
        var uid = api.get("/api/v1/namespaces/" + namespace + "/pods/" + pod).text("/metadata/uid");
        for (var claim : api.get(claims(namespace)).ok().at("/items")) {
            var name = claim.at("/metadata/name").asText();
            var extended = claim.at("/metadata/annotations").has(EXTENDED);
            var text =
                    "%s reserved for %s, finalizers %s%s"
                            .formatted(
                                    steady(claim.at("/status/allocation")),
                                    consumers(claim.at("/status/reservedFor"), pod, uid),
                                    claim.at("/metadata/finalizers"),
                                    extended ? " for " + claim.get("spec") : "");
            found.add((extended ? "extended" : name.replace(pod + "-", "")) + ": " + text);
        }
        return found;
    }

    /// Who uses a claim, of whom the pod that was tried is called by no name of its own.
    private static List<String> consumers(JsonNode reservedFor, String pod, String uid) {
        var found = new ArrayList<String>();
        for (var consumer : reservedFor) {
            boolean isTried =
                    consumer.at("/resource").asText().equals("pods")
                            && consumer.at("/name").asText().equals(pod)
                            && consumer.at("/uid").asText().equals(uid);
            found.add(isTried ? "the pod" : consumer.toString());
        }
        return found;
    }

    /// Without what is given by chance or by the clock.
    private static JsonNode steady(JsonNode allocation) {
        var copy = allocation.deepCopy();
        if (copy instanceof ObjectNode object) {
            if (object.has("allocationTimestamp")) {
                object.put("allocationTimestamp", "TIME");
            }
            for (var result : object.at("/devices/results")) {
                if (result.has("shareID")) {
                    ((ObjectNode) result).put("shareID", "SHARE");
                }
            }
        }
        return copy;
    }

    /// Makes claims as they stood before a pod was tried, and waits until both schedulers know.
    ///
    /// @param standing the claims that belong to the cluster
    void restore(String namespace, List<ObjectNode> standing) {
        Map<String, JsonNode> before = new HashMap<>();
        standing.forEach(
                claim -> before.put(claim.at("/metadata/name").asText(), claim.get("status")));
        for (var claim : api.get(claims(namespace)).ok().at("/items")) {
            var name = claim.at("/metadata/name").asText();
            var path = claims(namespace) + "/" + name;
            if (before.containsKey(name)) {
                restore(path, before.get(name));
            } else {
                free(path);
            }
        }
        fence();
    }

    /// One allocation does not become another: it goes, and the other comes. A scheduler may have
    /// been about to allocate the claim once more.
    private void restore(String path, JsonNode status) {
        var old = Json.object("allocation", status.get("allocation"));
        old.set("reservedFor", status.get("reservedFor"));
        var patch = Json.object("status", old).toString();
        for (int tries = 1; ; tries++) {
            api.patch(path, UNPROTECTED);
            var answer = api.patch(path + "/status", patch);
            if (answer.status() != UNPROCESSABLE || tries == MAX_TRIES) {
                answer.ok();
                return;
            }
            Contestant.pause(POLL);
            api.patch(path + "/status", NOTHING);
        }
    }

    /// A scheduler may have been about to protect the claim once more, so that it stays.
    private void free(String path) {
        for (int tries = 1; tries <= MAX_TRIES; tries++) {
            api.patch(path + "/status", NOTHING);
            api.patch(path, UNPROTECTED);
            api.delete(path);
            if (api.get(path).status() == NOT_FOUND) {
                return;
            }
            Contestant.pause(POLL);
        }
    }

    /// Waits until both schedulers have seen all changes of claims, slices and classes so far: they
    /// hear of each kind in order, so a pod that needs the last of each is placed only then.
    void fence() {
        var name = "probe-" + ++probes;
        post(
                "/api/v1/nodes",
                Json.object(
                        "metadata",
                        Json.object("name", name),
                        "status",
                        Json.object("allocatable", Json.object("pods", "9", "cpu", "9"))));
        post(GROUP + "/deviceclasses", DeviceMaker.object("DeviceClass", name, Json.object()));
        var devices = Json.array();
        for (int i = 0; i < contestants.size(); i++) {
            devices.add(Json.object("name", "d" + i));
        }
        post(
                GROUP + "/resourceslices",
                DeviceMaker.object(
                        "ResourceSlice",
                        name,
                        Json.object(
                                "driver",
                                name + ".example.com",
                                "nodeName",
                                name,
                                "pool",
                                Json.object("name", name, "generation", 1, "resourceSliceCount", 1),
                                "devices",
                                devices)));
        for (int i = 0; i < contestants.size(); i++) {
            probe(name, name + "-" + i, contestants.get(i));
        }
        for (int i = 0; i < contestants.size(); i++) {
            var path = "/api/v1/namespaces/" + FENCE + "/pods/" + name + "-" + i;
            await(path, contestants.get(i));
            api.delete(path + "?gracePeriodSeconds=0").ok();
            free(claims(FENCE) + "/" + name + "-" + i);
        }
        api.delete(GROUP + "/resourceslices/" + name).ok();
        api.delete(GROUP + "/deviceclasses/" + name).ok();
        api.delete("/api/v1/nodes/" + name).ok();
        for (var contestant : contestants) {
            if (!contestant.listenUntil(() -> !contestant.nodes().contains(name), LIMIT)) {
                throw new IllegalStateException(contestant.name() + " still knows " + name);
            }
        }
    }

    private void probe(String name, String pod, Contestant contestant) {
        var wanted =
                Json.object(
                        "deviceClassName",
                        name,
                        "selectors",
                        Json.array(
                                DeviceMaker.selector(
                                        "device.driver == \"" + name + ".example.com\"")));
        post(
                claims(FENCE),
                Json.object(
                        "metadata",
                        Json.object("name", pod),
                        "spec",
                        Json.object(
                                "devices",
                                Json.object(
                                        "requests",
                                        Json.array(Json.object("name", "r", "exactly", wanted))))));
        post(
                "/api/v1/namespaces/" + FENCE + "/pods",
                Json.object(
                        "metadata",
                        Json.object("name", pod),
                        "spec",
                        Json.object(
                                "schedulerName",
                                contestant.schedulerName(),
                                "resourceClaims",
                                Json.array(Json.object("name", "r", "resourceClaimName", pod)),
                                "tolerations",
                                Json.array(Json.object("operator", "Exists")),
                                "containers",
                                Json.array(Json.object("name", "c", "image", "none")))));
    }

    private void post(String path, ObjectNode object) {
        api.post(path, object.toString()).ok();
    }

    private void await(String path, Contestant contestant) {
        Optional<String> node = Optional.empty();
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (node.isEmpty()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException(
                        contestant.name()
                                + " has not placed "
                                + path
                                + ", which needs the last"
                                + " slice, class and claim");
            }
            Contestant.pause(POLL);
            node =
                    Optional.of(api.get(path).ok().at("/spec/nodeName").asText(""))
                            .filter(text -> !text.isEmpty());
        }
    }
}
