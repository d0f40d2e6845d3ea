package io.berth.e2e.differential.scenario;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes slices of devices, and the classes that claims name.
public final class DeviceMaker {
    static final String DRIVER = "gpu.example.com";
    static final String OTHER_DRIVER = "nic.example.com";
    static final String EXTENDED = "example.com/card";
    static final String IMPLICIT = "deviceclass.resource.kubernetes.io/card";
    static final List<String> CLASSES =
            List.of("gpu", "gpu", "gpu", "any", "any", "model-a", "large", "card");

    private static final List<String> MODELS = List.of("a", "b");
    private static final List<String> EFFECTS = List.of("NoSchedule", "NoExecute", "None");

    private final Draw draw;

    DeviceMaker(Draw draw) {
        this.draw = draw;
    }

    static List<ObjectNode> classes() {
        return List.of(
                deviceClass("gpu", "device.driver == \"%s\"".formatted(DRIVER)),
                deviceClass("any", null),
                // Fails where a device has no model.
                deviceClass(
                        "model-a", "device.attributes[\"%s\"].model == \"a\"".formatted(DRIVER)),
                deviceClass("large", memoryOf("40Gi")),
                extended());
    }

    private static ObjectNode deviceClass(String name, @Nullable String expression) {
        return object(
                "DeviceClass",
                name,
                Json.object(
                        "selectors",
                        expression == null ? null : Json.array(selector(expression)),
                        "config",
                        name.equals("gpu") ? Json.array(config("class")) : null));
    }

    private static ObjectNode extended() {
        return object(
                "DeviceClass",
                "card",
                Json.object(
                        "selectors",
                        Json.array(selector("device.driver == \"%s\"".formatted(OTHER_DRIVER))),
                        "extendedResourceName",
                        EXTENDED));
    }

    static String memoryOf(String least) {
        return "device.capacity[\"%s\"].?memory.orValue(quantity(\"0\")).compareTo(quantity(\"%s\")) >= 0"
                .formatted(DRIVER, least);
    }

    public static ObjectNode selector(String expression) {
        return Json.object("cel", Json.object("expression", expression));
    }

    static ObjectNode config(String from) {
        return Json.object(
                "opaque", Json.object("driver", DRIVER, "parameters", Json.object("from", from)));
    }

    /// What devices a node has.
    enum Sort {
        WHOLE,
        IN_TWO_SLICES,
        PARTS,
        SHARED
    }

    /// The slices of a node: of one driver, at times of two, now and then of none.
    List<ObjectNode> slices(String node, Sort sort) {
        if (draw.percent(5)) {
            return List.of();
        }
        var place = Json.object("nodeName", node);
        var slices = new ArrayList<ObjectNode>();
        switch (sort) {
            case WHOLE ->
                    slices.add(slice(node, place, 1, 1, 1, "devices", plain(draw.between(2, 6))));
            case IN_TWO_SLICES -> slices.addAll(inTwoParts(node, place));
            case PARTS -> slices.addAll(counted(node, place));
            case SHARED -> slices.add(slice(node, place, 1, 1, 1, "devices", shared()));
        }
        if (draw.percent(20)) {
            // A pool whose name comes before the other's.
            slices.add(slice("a-" + node, place, 1, 1, 1, "devices", plain(2)));
        }
        if (draw.percent(50)) {
            int count = draw.between(2, 4);
            var cards = slice(node + "-cards", place, 1, 1, 1, "devices", plain(count));
            ((ObjectNode) cards.get("spec")).put("driver", OTHER_DRIVER);
            slices.add(cards);
        }
        return slices;
    }

    /// Devices that no single node has.
    List<ObjectNode> slicesOfAll(List<String> nodes) {
        var slices = new ArrayList<ObjectNode>();
        if (draw.percent(15)) {
            var everywhere = Json.object("allNodes", true);
            slices.add(slice("net", everywhere, 1, 1, 1, "devices", plain(2)));
        }
        if (draw.percent(15)) {
            var place = Json.object("perDeviceNodeSelection", true);
            var devices = plain(3);
            devices.forEach(each -> ((ObjectNode) each).put("nodeName", draw.oneOf(nodes)));
            slices.add(slice("spread", place, 1, 1, 1, "devices", devices));
        }
        if (draw.percent(15)) {
            var term =
                    Json.object(
                            "matchExpressions",
                            Json.array(
                                    Json.object(
                                            "key",
                                            Vocabulary.ZONE,
                                            "operator",
                                            "In",
                                            "values",
                                            Json.array(draw.oneOf(Vocabulary.ZONES)))));
            var place =
                    Json.object("nodeSelector", Json.object("nodeSelectorTerms", Json.array(term)));
            slices.add(slice("zone", place, 1, 1, 1, "devices", plain(2)));
        }
        return slices;
    }

    /// A pool of two slices, of which one may not be there yet, or be of an older generation.
    private List<ObjectNode> inTwoParts(String pool, ObjectNode place) {
        var all = plain(4);
        var first = Json.array(all.get(0), all.get(1));
        var second = Json.array(all.get(2), all.get(3));
        var slices = new ArrayList<ObjectNode>();
        slices.add(slice(pool, place, 1, 2, 2, "devices", first));
        if (draw.percent(85)) {
            int generation = draw.percent(85) ? 2 : 1;
            slices.add(slice(pool, place, 2, generation, 2, "devices", second));
        }
        return slices;
    }

    private List<ObjectNode> counted(String pool, ObjectNode place) {
        var sets = Json.array();
        var devices = Json.array();
        int count = draw.between(1, 2);
        for (int set = 0; set < count; set++) {
            sets.add(
                    Json.object(
                            "name",
                            "set-" + set,
                            "counters",
                            Json.object("memory", value("80Gi"), "engines", value("4"))));
            devices.add(part(set, "whole", "80Gi", "4"));
            for (int i = 0; i < 2; i++) {
                devices.add(part(set, "half-" + i, "40Gi", draw.oneOf("2", "3")));
            }
            for (int i = 0; i < 4; i++) {
                devices.add(part(set, "quarter-" + i, "20Gi", "1"));
            }
        }
        return List.of(
                slice(pool, place, 1, 1, 2, "sharedCounters", sets),
                slice(pool, place, 2, 1, 2, "devices", devices));
    }

    private ObjectNode part(int set, String name, String memory, String engines) {
        return Json.object(
                "name",
                "set-" + set + "-" + name,
                "attributes",
                attributes(set),
                "capacity",
                Json.object("memory", value(memory)),
                "consumesCounters",
                Json.array(
                        Json.object(
                                "counterSet",
                                "set-" + set,
                                "counters",
                                Json.object("memory", value(memory), "engines", value(engines)))));
    }

    private ArrayNode shared() {
        var devices = Json.array();
        int count = draw.between(1, 3);
        for (int i = 0; i < count; i++) {
            var policy =
                    switch (draw.between(1, 4)) {
                        case 1 ->
                                Json.object(
                                        "default",
                                        "10Gi",
                                        "validValues",
                                        Json.array("10Gi", "20Gi", "40Gi"));
                        case 2, 3 ->
                                Json.object(
                                        "default",
                                        "8Gi",
                                        "validRange",
                                        Json.object("min", "4Gi", "max", "64Gi", "step", "4Gi"));
                        default -> null;
                    };
            devices.add(
                    Json.object(
                            "name",
                            "d" + i,
                            "allowMultipleAllocations",
                            true,
                            "attributes",
                            attributes(i),
                            "capacity",
                            Json.object(
                                    "memory",
                                    Json.object("value", "80Gi", "requestPolicy", policy),
                                    "ports",
                                    draw.percent(30) ? value("4") : null)));
        }
        return devices;
    }

    private ArrayNode plain(int count) {
        var devices = Json.array();
        int tainted = draw.percent(30) ? 60 : 5;
        for (int i = 0; i < count; i++) {
            devices.add(
                    Json.object(
                            "name",
                            "d" + i,
                            "attributes",
                            attributes(i),
                            "capacity",
                            draw.percent(70)
                                    ? Json.object(
                                            "memory", value(draw.oneOf("20Gi", "40Gi", "80Gi")))
                                    : null,
                            "taints",
                            draw.percent(tainted)
                                    ? Json.array(
                                            Json.object(
                                                    "key",
                                                    draw.percent(80) ? "worn" : "hot",
                                                    "value",
                                                    "yes",
                                                    "effect",
                                                    draw.oneOf(EFFECTS),
                                                    "timeAdded",
                                                    "2026-01-02T00:00:00Z"))
                                    : null));
        }
        return devices;
    }

    private ObjectNode attributes(int index) {
        return Json.object(
                "index",
                Json.object("int", index),
                "board",
                Json.object(
                        "string", "board-" + (draw.percent(50) ? index / 2 : draw.between(0, 1))),
                "model",
                draw.percent(92) ? Json.object("string", draw.oneOf(MODELS)) : null,
                "numa",
                draw.percent(50) ? Json.object("int", draw.between(0, 1)) : null,
                "firmware",
                draw.percent(80) ? Json.object("version", draw.oneOf("1.0.0", "2.1.0")) : null,
                "healthy",
                draw.percent(50) ? Json.object("bool", draw.percent(70)) : null);
    }

    private static ObjectNode value(String amount) {
        return Json.object("value", amount);
    }

    private static ObjectNode slice(
            String pool,
            ObjectNode place,
            int number,
            int generation,
            int count,
            String field,
            ArrayNode content) {
        var spec = place.deepCopy();
        spec.put("driver", DRIVER);
        spec.set(
                "pool",
                Json.object("name", pool, "generation", generation, "resourceSliceCount", count));
        spec.set(field, content);
        return object("ResourceSlice", pool + "-" + number, spec);
    }

    /// An object of `resource.k8s.io`.
    public static ObjectNode object(String kind, String name, ObjectNode spec) {
        return Json.object(
                "apiVersion",
                "resource.k8s.io/v1",
                "kind",
                kind,
                "metadata",
                Json.object("name", name),
                "spec",
                spec);
    }
}
