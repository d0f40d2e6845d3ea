package io.berth.plugins.volumezone;

import io.berth.api.model.PersistentVolume;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// A zone or region that a volume's label names, or several.
///
/// @param key of the label
/// @param values any of which will do
record Topology(String key, Set<String> values) {
    private static final String OLD_ZONE = "failure-domain.beta.kubernetes.io/zone";
    private static final String OLD_REGION = "failure-domain.beta.kubernetes.io/region";
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String REGION = "topology.kubernetes.io/region";

    /// The labels that count, in the order in which they are asked (VZ-1).
    static final List<String> LABELS = List.of(OLD_ZONE, OLD_REGION, ZONE, REGION);

    private static final String APART = "__";

    Topology {
        values = Set.copyOf(values);
    }

    /// What a volume's labels say. One that cannot be understood says nothing.
    static List<Topology> of(PersistentVolume volume) {
        var labels = volume.labels();
        if (labels.isEmpty()) {
            return List.of();
        }
        var result = new ArrayList<Topology>(2);
        for (var key : LABELS) {
            var text = labels.value(key);
            var values = text == null ? Set.<String>of() : values(text);
            if (text != null && !values.isEmpty()) {
                result.add(new Topology(key, values));
            }
        }
        return result;
    }

    private static Set<String> values(String text) {
        var result = new LinkedHashSet<String>();
        for (var piece : text.split(APART, -1)) {
            var trimmed = piece.strip();
            if (trimmed.isEmpty()) {
                return Set.of();
            }
            result.add(trimmed);
        }
        return result;
    }

    /// The label that a node has in place of an old one; the same for others.
    String newKey() {
        return switch (key) {
            case OLD_ZONE -> ZONE;
            case OLD_REGION -> REGION;
            default -> key;
        };
    }
}
