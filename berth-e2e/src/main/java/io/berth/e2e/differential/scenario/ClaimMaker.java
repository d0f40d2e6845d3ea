package io.berth.e2e.differential.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Makes clusters whose nodes have devices, and pods that claim some.
///
/// A pod to be placed carries its claims in a field `claims` of its own, which the API server never
/// sees: they are made with the pod, for each scheduler anew.
final class ClaimMaker {
    private static final String NAMESPACE = "red";
    private static final List<String> ATTRIBUTES =
            List.of("board", "board", "board", "model", "numa", "firmware", "index", "missing");

    /// What may end in an error. Which node's error is told depends on where a scheduler begins, so
    /// such a pod may go to one node only.
    private static final List<String> MAY_FAIL =
            List.of("model", "firmware", "unknown.example.com", "\"All\"");

    private static final String SHARE = "a1b2c3d4-0000-4000-8000-000000000001";

    private final long seed;
    private final List<String> nodes;
    private final List<ObjectNode> objects;

    ClaimMaker(long seed) {
        this.seed = seed;
        var draw = new Draw(seed * 13_000_027);
        this.nodes = IntStream.rangeClosed(1, draw.between(3, 4)).mapToObj(i -> "n" + i).toList();
        this.objects = List.copyOf(objects(draw));
    }

    private List<ObjectNode> objects(Draw draw) {
        var all = new ArrayList<ObjectNode>();
        nodes.forEach(name -> all.add(node(draw, name)));
        all.addAll(DeviceMaker.classes());
        var devices = new DeviceMaker(draw);
        var sorts = draw.some(List.of(DeviceMaker.Sort.values()), 4, 4);
        for (int i = 0; i < nodes.size(); i++) {
            all.addAll(devices.slices(nodes.get(i), sorts.get(i)));
        }
        all.addAll(devices.slicesOfAll(nodes));
        all.addAll(taken(draw, all));
        return all;
    }

    private static ObjectNode node(Draw draw, String name) {
        var room = Json.object("cpu", "8", "memory", "32Gi", "pods", "20");
        return Json.object(
                "apiVersion",
                "v1",
                "kind",
                "Node",
                "metadata",
                Json.object(
                        "name",
                        name,
                        "labels",
                        Json.object(
                                Vocabulary.HOSTNAME,
                                name,
                                Vocabulary.ZONE,
                                draw.oneOf(Vocabulary.ZONES))),
                "status",
                Json.object("capacity", room, "allocatable", room.deepCopy()));
    }

    /// Claims that have devices already; some for pods that run, some for nobody.
    private static List<ObjectNode> taken(Draw draw, List<ObjectNode> cluster) {
        var claims = new ArrayList<ObjectNode>();
        for (var slice : cluster) {
            var node = slice.at("/spec/nodeName").asText("");
            if (!slice.at("/kind").asText().equals("ResourceSlice") || node.isEmpty()) {
                continue;
            }
            for (var device : slice.at("/spec/devices")) {
                boolean isPart = device.has("consumesCounters");
                boolean isShared = device.has("allowMultipleAllocations");
                if (draw.percent(isShared ? 40 : isPart ? 9 : 15)) {
                    claims.add(claimWith(draw, "taken-" + claims.size(), slice, device, node));
                }
            }
        }
        return claims;
    }

    private static ObjectNode claimWith(
            Draw draw, String name, JsonNode slice, JsonNode device, String node) {
        var selected =
                Json.object(
                        "nodeSelectorTerms",
                        Json.array(
                                Json.object(
                                        "matchFields",
                                        Json.array(
                                                Json.object(
                                                        "key",
                                                        "metadata.name",
                                                        "operator",
                                                        "In",
                                                        "values",
                                                        Json.array(node))))));
        var result =
                Json.object(
                        "request",
                        "r",
                        "driver",
                        slice.at("/spec/driver").asText(),
                        "pool",
                        slice.at("/spec/pool/name").asText(),
                        "device",
                        device.at("/name").asText());
        if (device.has("allowMultipleAllocations")) {
            var taken = Json.object("memory", draw.oneOf("8Gi", "20Gi", "40Gi"));
            if (device.at("/capacity").has("ports")) {
                taken.put("ports", "1");
            }
            result.put("shareID", SHARE).set("consumedCapacity", taken);
        }
        var claim =
                DeviceMaker.object(
                        "ResourceClaim",
                        name,
                        Json.object(
                                "devices",
                                Json.object("requests", Json.array(exactly("r", request("any"))))));
        ((ObjectNode) claim.get("metadata")).put("namespace", NAMESPACE);
        claim.set(
                "status",
                Json.object(
                        "allocation",
                        Json.object(
                                "devices",
                                Json.object("results", Json.array(result)),
                                "nodeSelector",
                                selected,
                                // Or else upstream adds one with the next reservation, in vain.
                                "allocationTimestamp",
                                "2026-01-02T00:00:00Z"),
                        "reservedFor",
                        draw.percent(60)
                                ? Json.array(
                                        Json.object(
                                                "resource",
                                                "pods",
                                                "name",
                                                "b",
                                                "uid",
                                                "b-" + name))
                                : null));
        return claim;
    }

    List<ObjectNode> objects() {
        return objects;
    }

    ObjectNode pod(int number) {
        var draw = new Draw(seed * 11_000_003 + number);
        var matter = draw.oneOf(DeviceMatter.values());
        var claims = new ArrayList<ObjectNode>();
        var references = new ArrayList<ObjectNode>();
        boolean asksByResource = matter.asksByResource();
        boolean isMixed = matter == DeviceMatter.ANYTHING;
        for (int i = draw.percent(isMixed ? 25 : 10) ? 2 : asksByResource ? 0 : 1; i > 0; i--) {
            var name = "c" + i;
            boolean isGenerated = draw.percent(40);
            var spec = isMixed || asksByResource ? spec(draw) : matter.spec(draw);
            claims.add(Json.object("name", name, "generated", isGenerated, "spec", spec));
            references.add(Json.object("name", name));
        }
        if (isMixed && draw.percent(20)) {
            objects.stream()
                    .filter(o -> o.at("/kind").asText().equals("ResourceClaim"))
                    .findFirst()
                    .ifPresent(shared ->
                            references.add(
                                    Json.object(
                                            "name",
                                            "shared",
                                            "resourceClaimName",
                                            shared.at("/metadata/name").asText())));
        }
        var text = claims.toString();
        boolean isBound =
                MAY_FAIL.stream().anyMatch(text::contains) || draw.percent(matter.boundPercent());
        return Json.object(
                "apiVersion",
                "v1",
                "kind",
                "Pod",
                "metadata",
                Json.object("namespace", NAMESPACE, "name", "pod"),
                "claims",
                Json.array(claims),
                "spec",
                Json.object(
                        // The claims are there before the scheduler looks.
                        "schedulingGates",
                        Json.array(Json.object("name", "claims")),
                        "nodeSelector",
                        isBound ? Json.object(Vocabulary.HOSTNAME, node(draw, matter)) : null,
                        "resourceClaims",
                        Json.arrayOrNull(references),
                        "initContainers",
                        initContainers(draw, matter),
                        "containers",
                        containers(draw, matter)));
    }

    private static @Nullable ArrayNode initContainers(Draw draw, DeviceMatter matter) {
        if (matter == DeviceMatter.INIT_CONTAINERS) {
            return Json.array(
                    container(draw, "first", true, draw.percent(10)),
                    container(draw, "next", true, draw.percent(10)),
                    container(draw, "last", draw.percent(50), draw.percent(10)));
        }
        return matter == DeviceMatter.RESOURCE && draw.percent(40)
                ? Json.array(
                        container(draw, "first", true, draw.percent(40)),
                        container(draw, "next", draw.percent(50), false))
                : null;
    }

    private static ArrayNode containers(Draw draw, DeviceMatter matter) {
        if (matter == DeviceMatter.INIT_CONTAINERS) {
            return Json.array(container(draw, "main", draw.percent(25), false));
        }
        return matter == DeviceMatter.RESOURCE && draw.percent(30)
                ? Json.array(
                        container(draw, "main", true, false), container(draw, "more", true, false))
                : Json.array(container(draw, "main", matter.asksByResource(), false));
    }

    /// A node with devices that the matter is about, if there is one.
    private String node(Draw draw, DeviceMatter matter) {
        var suitable =
                objects.stream()
                        .filter(each -> matter.isAbout(each.at("/spec")))
                        .map(each -> each.at("/spec/nodeName").asText())
                        .filter(name -> !name.isEmpty())
                        .toList();
        return draw.oneOf(suitable.isEmpty() ? nodes : suitable);
    }

    /// @param livesOn whether an init container is a sidecar
    private static ObjectNode container(
            Draw draw, String name, boolean asksByResource, boolean livesOn) {
        var amounts = Json.object("cpu", "100m");
        if (asksByResource) {
            amounts.put(
                    draw.percent(85) ? DeviceMaker.EXTENDED : DeviceMaker.IMPLICIT,
                    draw.oneOf("1", "1", "2", "3"));
        }
        return Json.object(
                "name",
                name,
                "image",
                "app",
                "restartPolicy",
                livesOn ? "Always" : null,
                "resources",
                Json.object("requests", amounts, "limits", amounts.deepCopy()));
    }

    private static ObjectNode spec(Draw draw) {
        var names = List.of("r", "s", "t").subList(0, draw.percent(75) ? 1 : draw.between(2, 3));
        var requests = new ArrayList<ObjectNode>();
        var references = new ArrayList<>(names);
        for (var name : names) {
            if (draw.percent(25)) {
                var choices = new ArrayList<ObjectNode>();
                for (var choice : List.of("x", "y", "z").subList(0, draw.between(2, 3))) {
                    var wanted = wanted(draw);
                    wanted.put("name", choice);
                    choices.add(wanted);
                    references.add(name + "/" + choice);
                }
                requests.add(Json.object("name", name, "firstAvailable", choices));
            } else {
                requests.add(exactly(name, wanted(draw)));
            }
        }
        return Json.object(
                "devices",
                Json.object(
                        "requests",
                        requests,
                        "constraints",
                        draw.percent(25) ? Json.array(constraint(draw, references)) : null,
                        "config",
                        draw.percent(20) ? Json.array(DeviceMaker.config("claim")) : null));
    }

    static ObjectNode exactly(String name, ObjectNode wanted) {
        return Json.object("name", name, "exactly", wanted);
    }

    static ObjectNode request(String className) {
        return Json.object("deviceClassName", className);
    }

    private static ObjectNode wanted(Draw draw) {
        var wanted = request(draw.oneOf(DeviceMaker.CLASSES));
        if (draw.percent(3)) {
            wanted.put("deviceClassName", "absent");
        }
        if (draw.percent(8)) {
            wanted.put("allocationMode", "All");
        } else if (draw.percent(25)) {
            wanted.put("count", draw.percent(80) ? 2 : 3);
        }
        var expression = expression(draw);
        if (expression != null) {
            wanted.set("selectors", Json.array(DeviceMaker.selector(expression)));
        }
        if (draw.percent(15)) {
            wanted.set(
                    "tolerations",
                    Json.array(
                            Json.object(
                                    "key",
                                    draw.oneOf("worn", "other"),
                                    "operator",
                                    "Exists",
                                    "effect",
                                    draw.percent(50) ? "NoSchedule" : null)));
        }
        if (draw.percent(25)) {
            wanted.set(
                    "capacity",
                    Json.object(
                            "requests",
                            Json.object("memory", draw.oneOf("5Gi", "10Gi", "40Gi", "70Gi"))));
        }
        return wanted;
    }

    private static @Nullable String expression(Draw draw) {
        var domain = "device.attributes[\"" + DeviceMaker.DRIVER + "\"]";
        return switch (draw.between(1, 28)) {
            case 1 -> domain + ".board == \"board-0\"";
            case 2 -> "\"numa\" in " + domain + " && " + domain + ".numa == 0";
            case 3 -> domain + ".index > 0";
            // These fail for devices without the attribute.
            case 4 -> domain + ".model == \"b\"";
            case 5 -> domain + ".firmware.isGreaterThan(semver(\"1.5.0\"))";
            case 6 -> DeviceMaker.memoryOf("30Gi");
            case 7 -> "device.allowMultipleAllocations == true";
            case 8 -> domain + ".?healthy.orValue(true)";
            case 9 -> "device.attributes[\"unknown.example.com\"].x == 1";
            default -> null;
        };
    }

    private static ObjectNode constraint(Draw draw, List<String> references) {
        var attribute = DeviceMaker.DRIVER + "/" + draw.oneOf(ATTRIBUTES);
        return Json.object(
                "requests",
                draw.percent(60) ? null : Json.array(draw.some(references, 1, 2)),
                draw.percent(75) ? "matchAttribute" : "distinctAttribute",
                attribute);
    }
}
