package io.berth.e2e.differential.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/// What a pod with claims is about. The rest of it is plain: a pod that is refused for a second
/// reason hides the first.
enum DeviceMatter {
    /// Some devices of many: which are taken follows from the order of pools, slices and devices.
    ORDER,
    /// Devices that have something in common, or differ in it.
    CONSTRAINT,
    /// Devices with taints, and tolerations that just cover them or just do not.
    TAINT,
    /// Parts of devices, of which some are in use.
    COUNTERS,
    /// Shares of devices, in amounts that lie between those that may be had.
    CAPACITY,
    /// Lists of alternatives, of which other nodes can satisfy others.
    LIST,
    /// Extended resources that devices stand for.
    RESOURCE,
    /// The same in init containers, of which some need more than others.
    INIT_CONTAINERS,
    /// All of it at once.
    ANYTHING;

    private static final String PLAIN_CLASS = "gpu";
    private static final List<String> COMMON = List.of("board", "board", "numa", "firmware");
    private static final List<String> AMOUNTS =
            List.of("1Gi", "5Gi", "9Gi", "11Gi", "21Gi", "30Gi", "37Gi", "41Gi", "63Gi", "70Gi");

    /// How many of a hundred such pods may go to one node only, so that both schedulers choose
    /// among the same devices. Of lists the scores of all nodes say more.
    int boundPercent() {
        return switch (this) {
            case LIST -> 25;
            case RESOURCE, ANYTHING -> 40;
            default -> 85;
        };
    }

    boolean asksByResource() {
        return this == RESOURCE || this == INIT_CONTAINERS;
    }

    /// Whether it is about such devices.
    ///
    /// @param spec that of a slice
    boolean isAbout(JsonNode spec) {
        var first = spec.at("/devices/0");
        boolean isPart = first.has("consumesCounters");
        boolean isShared = first.has("allowMultipleAllocations");
        boolean isPlain = !first.isMissingNode() && !isPart && !isShared;
        return switch (this) {
            case ORDER -> isPlain && spec.at("/pool/resourceSliceCount").asInt() > 1;
            case CONSTRAINT -> isPlain;
            case TAINT -> spec.at("/devices").findValue("taints") != null;
            case COUNTERS -> isPart;
            case CAPACITY -> isShared;
            case RESOURCE, INIT_CONTAINERS ->
                    spec.at("/driver").asText().equals(DeviceMaker.OTHER_DRIVER);
            case LIST, ANYTHING -> !first.isMissingNode();
        };
    }

    /// What a claim asks for.
    ObjectNode spec(Draw draw) {
        return switch (this) {
            case ORDER -> spec(ClaimMaker.exactly("r", counted(draw, 3)));
            case CONSTRAINT -> constrained(draw);
            case TAINT -> spec(ClaimMaker.exactly("r", tolerating(draw)));
            case COUNTERS -> parts(draw);
            case CAPACITY -> spec(ClaimMaker.exactly("r", share(draw)));
            case LIST ->
                    draw.percent(25)
                            ? spec(list("r", draw), list("s", draw))
                            : spec(list("r", draw));
            case RESOURCE, INIT_CONTAINERS, ANYTHING ->
                    throw new IllegalStateException(this + " has no claims of its own");
        };
    }

    private static ObjectNode spec(ObjectNode... requests) {
        return Json.object("devices", Json.object("requests", Json.array((Object[]) requests)));
    }

    private static ObjectNode counted(Draw draw, int most) {
        var wanted = ClaimMaker.request(draw.percent(80) ? PLAIN_CLASS : "any");
        wanted.put("count", draw.between(1, most));
        return wanted;
    }

    private static ObjectNode constrained(Draw draw) {
        boolean isOne = draw.percent(60);
        var wanted = ClaimMaker.request(PLAIN_CLASS);
        wanted.put("count", isOne ? draw.between(2, 3) : 1);
        var spec =
                isOne
                        ? spec(ClaimMaker.exactly("r", wanted))
                        : spec(
                                ClaimMaker.exactly("r", wanted),
                                ClaimMaker.exactly("s", counted(draw, 2)));
        var constraint =
                Json.object(
                        "requests",
                        draw.percent(70) ? null : Json.array("r"),
                        draw.percent(75) ? "matchAttribute" : "distinctAttribute",
                        DeviceMaker.DRIVER + "/" + draw.oneOf(COMMON));
        ((ObjectNode) spec.get("devices")).set("constraints", Json.array(constraint));
        return spec;
    }

    private static ObjectNode tolerating(Draw draw) {
        var wanted = counted(draw, 2);
        var toleration =
                switch (draw.between(1, 6)) {
                    case 1 -> Json.object("operator", "Exists");
                    case 2 -> Json.object("key", "worn", "operator", "Exists");
                    case 3 -> Json.object("key", "worn", "operator", "Equal", "value", "yes");
                    case 4 -> Json.object("key", "worn", "operator", "Equal", "value", "no");
                    default -> null;
                };
        if (toleration != null) {
            if (draw.percent(40)) {
                toleration.put("effect", draw.oneOf("NoSchedule", "NoExecute"));
            }
            wanted.set("tolerations", Json.array(toleration));
        }
        return wanted;
    }

    private static ObjectNode parts(Draw draw) {
        var large = ClaimMaker.request(PLAIN_CLASS);
        var least = draw.oneOf("10Gi", "20Gi", "40Gi", "40Gi", "80Gi");
        large.set("selectors", Json.array(DeviceMaker.selector(DeviceMaker.memoryOf(least))));
        large.put("count", draw.between(1, 3));
        return draw.percent(50)
                ? spec(ClaimMaker.exactly("r", large))
                : spec(ClaimMaker.exactly("r", large), ClaimMaker.exactly("s", counted(draw, 3)));
    }

    private static ObjectNode share(Draw draw) {
        var wanted = counted(draw, 2);
        if (draw.percent(90)) {
            wanted.set(
                    "capacity",
                    Json.object("requests", Json.object("memory", draw.oneOf(AMOUNTS))));
        }
        return wanted;
    }

    /// The last alternative is one that most nodes have.
    private static ObjectNode list(String name, Draw draw) {
        var choices = new ArrayList<ObjectNode>();
        var names = List.of("x", "y", "z").subList(0, draw.between(2, 3));
        for (var choice : names) {
            var wanted =
                    choice.equals(names.getLast())
                            ? ClaimMaker.request(PLAIN_CLASS)
                            : alternative(draw);
            wanted.put("name", choice);
            choices.add(wanted);
        }
        return Json.object("name", name, "firstAvailable", choices);
    }

    private static ObjectNode alternative(Draw draw) {
        var wanted = ClaimMaker.request(PLAIN_CLASS);
        var domain = "device.attributes[\"" + DeviceMaker.DRIVER + "\"]";
        var expression =
                switch (draw.between(1, 7)) {
                    case 1 -> DeviceMaker.memoryOf("80Gi");
                    case 2 -> DeviceMaker.memoryOf("40Gi");
                    case 3 -> domain + ".index > 2";
                    case 4 -> domain + ".?healthy.orValue(false)";
                    case 5 -> "device.allowMultipleAllocations == true";
                    case 6 -> domain + ".?numa.orValue(7) == 1";
                    default -> null;
                };
        if (expression == null) {
            wanted.put("count", draw.between(2, 6));
        } else {
            wanted.set("selectors", Json.array(DeviceMaker.selector(expression)));
        }
        return wanted;
    }
}
