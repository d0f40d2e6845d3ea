package io.berth.plugins.volumebinding;

import io.berth.api.label.Requirement;
import io.berth.api.model.PersistentVolume;
import io.berth.api.spec.NodeSelector;
import io.berth.plugins.volume.InTreeVolume;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The nodes that reach a volume of old in the words of the driver that stands in for its plugin:
/// zones have another label there (VB-6).
final class MigratedAffinity {
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String REGION = "topology.kubernetes.io/region";
    private static final String OLD_ZONE = "failure-domain.beta.kubernetes.io/zone";
    private static final String OLD_REGION = "failure-domain.beta.kubernetes.io/region";

    private MigratedAffinity() {}

    /// The label of the driver's zones; empty for drivers whose volumes keep their words.
    private static String zoneLabel(InTreeVolume kind) {
        return switch (kind) {
            case AWS_EBS -> "topology.ebs.csi.aws.com/zone";
            case GCE_PD -> "topology.gke.io/zone";
            case CINDER -> "topology.cinder.csi.openstack.org/zone";
            case AZURE_DISK, AZURE_FILE, PORTWORX, VSPHERE -> "";
        };
    }

    static @Nullable NodeSelector of(PersistentVolume volume, InTreeVolume kind) {
        String zone = zoneLabel(kind);
        return zone.isEmpty() ? volume.nodeAffinity() : translated(volume, zone);
    }

    private static @Nullable NodeSelector translated(PersistentVolume volume, String driverZone) {
        var affinity = volume.nodeAffinity();
        boolean isOld = usesOldLabels(volume);
        String zone = isOld ? OLD_ZONE : ZONE;
        if (names(affinity, zone)) {
            affinity = renamed(affinity, zone, driverZone);
        } else {
            var label = volume.labels().value(zone);
            affinity = label == null ? affinity : withZones(affinity, driverZone, label);
        }
        return isOld && names(affinity, OLD_REGION)
                ? renamed(affinity, OLD_REGION, REGION)
                : affinity;
    }

    private static boolean usesOldLabels(PersistentVolume volume) {
        if (asksFor(volume.nodeAffinity(), ZONE)) {
            return false;
        }
        return asksFor(volume.nodeAffinity(), OLD_ZONE)
                || !volume.labels().has(ZONE) && volume.labels().has(OLD_ZONE);
    }

    private static boolean asksFor(@Nullable NodeSelector affinity, String key) {
        return affinity != null
                && affinity.terms().stream()
                        .flatMap(term -> term.expressions().stream())
                        .anyMatch(each -> each.key().equals(key));
    }

    /// Whether values of the label are asked for; that it is there at all counts for nothing.
    private static boolean names(@Nullable NodeSelector affinity, String key) {
        return affinity != null
                && affinity.terms().stream()
                        .flatMap(term -> term.expressions().stream())
                        .anyMatch(each -> each.key().equals(key) && !each.values().isEmpty());
    }

    private static @Nullable NodeSelector renamed(
            @Nullable NodeSelector affinity, String from, String to) {
        if (affinity == null) {
            return null;
        }
        return new NodeSelector(
                affinity.terms().stream()
                        .map(term ->
                                new NodeSelector.Term(
                                        term.expressions().stream()
                                                .map(each -> renamed(each, from, to))
                                                .toList(),
                                        term.fields()))
                        .toList());
    }

    private static Requirement renamed(Requirement requirement, String from, String to) {
        return requirement.key().equals(from)
                ? new Requirement(to, requirement.operator(), requirement.values())
                : requirement;
    }

    private static @Nullable NodeSelector withZones(
            @Nullable NodeSelector affinity, String key, String label) {
        var zones =
                Arrays.stream(label.split("__", -1))
                        .map(String::strip)
                        .filter(zone -> !zone.isEmpty())
                        .sorted()
                        .distinct()
                        .toList();
        if (zones.isEmpty()) {
            return affinity;
        }
        var zone = new Requirement(key, Requirement.Operator.IN, zones);
        var terms =
                affinity == null || affinity.terms().isEmpty()
                        ? List.of(new NodeSelector.Term(List.of(), List.of()))
                        : affinity.terms();
        return new NodeSelector(
                terms.stream()
                        .map(term -> {
                            var all = new ArrayList<>(term.expressions());
                            all.add(zone);
                            return new NodeSelector.Term(all, term.fields());
                        })
                        .toList());
    }
}
