package io.berth.plugins.volume;

import io.berth.api.label.Requirement;
import io.berth.api.model.Node;
import io.berth.api.model.PersistentVolume;
import io.berth.api.spec.NodeSelector;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Says where volumes are, in a few words: for explanations.
public final class VolumePlaces {
    private VolumePlaces() {}

    /// Where a volume of a claim is, such as `volume pv-1 (claim data) is in zone b`.
    public static String sentence(String claim, PersistentVolume volume) {
        var place = of(volume);
        return "volume %s (claim %s) is %s"
                .formatted(volume.name(), claim, place.isEmpty() ? "elsewhere" : "in " + place);
    }

    /// Such as `zone b`; empty where it is not that simple.
    public static String of(PersistentVolume volume) {
        var affinity = volume.nodeAffinity();
        if (affinity != null) {
            return of(affinity);
        }
        var zone = volume.labels().value(Node.ZONE_LABEL);
        return zone == null ? "" : "zone " + zone.replace("__", " or ");
    }

    /// The same for a selector of nodes.
    public static String of(NodeSelector places) {
        return places.terms().stream()
                .filter(term -> term.fields().isEmpty())
                .map(term ->
                        term.expressions().stream()
                                .map(VolumePlaces::text)
                                .collect(Collectors.joining(" and ")))
                .collect(Collectors.joining(", or "));
    }

    private static String text(Requirement requirement) {
        return requirement.operator() == Requirement.Operator.IN
                ? shortened(requirement.key()) + " " + String.join(" or ", requirement.values())
                : requirement.text();
    }

    private static String shortened(String key) {
        return key.substring(key.lastIndexOf('/') + 1);
    }

    /// The labels that a node where the volume is would have; empty where several could do, or
    /// where it is not that simple.
    static List<Requirement> labels(PersistentVolume volume) {
        var affinity = volume.nodeAffinity();
        var zone = volume.labels().value(Node.ZONE_LABEL);
        var wanted = new ArrayList<Requirement>();
        if (affinity != null && !affinity.terms().isEmpty()) {
            wanted.addAll(affinity.terms().getFirst().expressions());
        } else if (zone != null) {
            wanted.add(Requirement.is(Node.ZONE_LABEL, zone.split("__", -1)[0]));
        }
        return wanted.stream()
                        .allMatch(each ->
                                each.operator() == Requirement.Operator.IN
                                        && !each.key().equals(Node.HOSTNAME_LABEL))
                ? wanted
                : List.of();
    }
}
