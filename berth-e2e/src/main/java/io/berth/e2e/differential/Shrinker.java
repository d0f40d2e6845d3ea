package io.berth.e2e.differential;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.e2e.differential.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/// Makes a scenario smaller while it still shows the same difference: first without whole objects,
/// then without parts of them.
final class Shrinker {
    /// What an object cannot be without, or what says nothing.
    private static final Set<String> KEPT = Set.of("apiVersion", "kind", "metadata", "name");

    private final Predicate<Scenario> stillDiffers;
    private final int limit;
    private int tries;

    /// @param stillDiffers plays a scenario
    /// @param limit how many may be played
    Shrinker(Predicate<Scenario> stillDiffers, int limit) {
        this.stillDiffers = stillDiffers;
        this.limit = limit;
    }

    Scenario shrink(Scenario start) {
        var small = withoutObjects(start);
        var pod = small.pod();
        var objects = small.objects();
        pod = withoutParts(pod, List.of("spec", "metadata"), p -> new Scenario(objects, p));
        var rest = withoutObjects(new Scenario(objects, pod));
        var kept = new ArrayList<>(rest.objects());
        var finalPod = pod;
        for (int i = 0; i < kept.size(); i++) {
            int at = i;
            var smaller =
                    withoutParts(
                            kept.get(i),
                            List.of("spec", "status", "metadata"),
                            object -> {
                                var all = new ArrayList<>(kept);
                                all.set(at, object);
                                return new Scenario(all, finalPod);
                            });
            kept.set(i, smaller);
        }
        return new Scenario(kept, pod);
    }

    private boolean differs(Scenario scenario) {
        return tries++ < limit && stillDiffers.test(scenario);
    }

    /// Halves first, then smaller and smaller groups.
    private Scenario withoutObjects(Scenario start) {
        var left = new ArrayList<>(start.objects());
        for (int size = Math.max(1, left.size() / 2); size >= 1; size /= 2) {
            for (int from = 0; from < left.size(); ) {
                var fewer = new ArrayList<>(left);
                var gone = fewer.subList(from, Math.min(from + size, fewer.size()));
                var names = gone.stream().map(Shrinker::nodeName).toList();
                gone.clear();
                fewer.removeIf(o -> names.contains(o.at("/spec/nodeName").asText("-")));
                boolean hasNode = fewer.stream().anyMatch(o -> !nodeName(o).isEmpty());
                if (hasNode && differs(new Scenario(fewer, start.pod()))) {
                    left.clear();
                    left.addAll(fewer);
                } else {
                    from += size;
                }
            }
        }
        return new Scenario(left, start.pod());
    }

    private static String nodeName(JsonNode object) {
        return object.at("/kind").asText().equals("Node")
                ? object.at("/metadata/name").asText()
                : "";
    }

    private interface Around {
        Scenario with(ObjectNode object);
    }

    private ObjectNode withoutParts(ObjectNode object, List<String> roots, Around around) {
        var current = object;
        for (var root : roots) {
            var pending = new ArrayList<>(List.of("/" + root));
            while (!pending.isEmpty()) {
                var path = pending.removeFirst();
                var parent = current.at(path);
                for (var child : childrenOf(parent)) {
                    var candidate = current.deepCopy();
                    remove(candidate.at(path), child);
                    if (differs(around.with(candidate))) {
                        current = candidate;
                    } else if (parent.isObject()) {
                        pending.add(path + "/" + escape(child));
                    }
                }
                var rest = current.at(path);
                if (rest.isArray()) {
                    for (int i = 0; i < rest.size(); i++) {
                        pending.add(path + "/" + i);
                    }
                }
            }
        }
        return current;
    }

    /// From the last to the first, so that a removal leaves the places of the others as they are.
    private static List<String> childrenOf(JsonNode parent) {
        var children = new ArrayList<String>();
        if (parent.isObject()) {
            parent.fieldNames().forEachRemaining(children::add);
            children.removeIf(KEPT::contains);
            children.removeIf("namespace"::equals);
        } else if (parent.isArray()) {
            for (int i = parent.size() - 1; i >= 0; i--) {
                children.add(Integer.toString(i));
            }
        }
        return children;
    }

    private static void remove(JsonNode parent, String child) {
        if (parent instanceof ObjectNode object) {
            object.remove(child);
        } else if (parent instanceof ArrayNode array) {
            array.remove(Integer.parseInt(child));
        }
    }

    private static String escape(String field) {
        return field.replace("~", "~0").replace("/", "~1");
    }
}
