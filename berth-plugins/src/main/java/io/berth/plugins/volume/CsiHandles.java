package io.berth.plugins.volume;

import io.berth.api.label.Labels;
import io.berth.api.spec.Volume;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The names by which drivers know volumes of old.
public final class CsiHandles {
    /// A volume for which its driver has no name.
    public static final class UntranslatableException extends Exception {
        private static final long serialVersionUID = 1;

        UntranslatableException(String message) {
            super(message);
        }
    }

    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String OLD_ZONE = "failure-domain.beta.kubernetes.io/zone";
    private static final String ZONES_APART = "__";
    private static final String UNSPECIFIED = "UNSPECIFIED";
    private static final String AWS = "aws://";
    private static final Pattern AWS_VOLUME = Pattern.compile("vol-[^/]*");

    private CsiHandles() {}

    /// The driver's name of a volume.
    ///
    /// @param source one that [InTreeVolume] knows
    /// @param labels of the persistent volume; none for a volume of a pod
    public static String of(Volume.Source source, Labels labels) throws UntranslatableException {
        return switch (source) {
            case Volume.AwsElasticBlockStore disk -> aws(disk.volumeId());
            case Volume.GcePersistentDisk disk -> gce(disk.name(), labels);
            case Volume.AzureDisk disk -> azure(disk);
            case Volume.Cinder volume -> volume.volumeId();
            case Volume.Portworx volume -> volume.volumeId();
            case Volume.Vsphere volume -> volume.path();
            default -> throw new UntranslatableException("no driver stands in for " + source);
        };
    }

    /// `vol-1`, or `aws://zone/vol-1`.
    private static String aws(String id) throws UntranslatableException {
        if (!id.startsWith(AWS)) {
            return id;
        }
        int path = id.indexOf('/', AWS.length());
        String volume = path < 0 ? "" : trimmed(id.substring(path));
        if (!AWS_VOLUME.matcher(volume).matches()) {
            throw new UntranslatableException(
                    "failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS"
                            + " volume ("
                            + id
                            + ")");
        }
        return volume;
    }

    private static String trimmed(String path) {
        int from = 0;
        int to = path.length();
        while (from < to && path.charAt(from) == '/') {
            from++;
        }
        while (to > from && path.charAt(to - 1) == '/') {
            to--;
        }
        return path.substring(from, to);
    }

    private static String gce(String disk, Labels labels) throws UntranslatableException {
        var old = labels.value(OLD_ZONE);
        var label = old == null || old.isEmpty() ? labels.value(ZONE) : old;
        if (label == null || label.isEmpty()) {
            return gce("zones", UNSPECIFIED, disk);
        }
        var zones = List.of(label.split(ZONES_APART, -1));
        return zones.size() == 1
                ? gce("zones", label, disk)
                : gce("regions", gceRegion(zones), disk);
    }

    private static String gce(String level, String place, String disk) {
        return "projects/" + UNSPECIFIED + "/" + level + "/" + place + "/disks/" + disk;
    }

    /// Zones are called `europe-west1-b`; all of them must be in one region.
    private static String gceRegion(List<String> zones) throws UntranslatableException {
        var regions = new TreeSet<String>();
        for (var zone : zones) {
            var parts = zone.split("-", -1);
            if (parts.length != 3) {
                throw new UntranslatableException(
                        "failed to get region from zones: zone in unexpected format, expected:"
                                + " {locale}-{region}-{zone}, got: "
                                + zone);
            }
            regions.add(parts[0] + "-" + parts[1]);
        }
        if (regions.size() != 1) {
            throw new UntranslatableException(
                    regions.stream()
                            .map(region -> region + ":{}")
                            .collect(
                                    Collectors.joining(
                                            " ",
                                            "failed to get region from zones: multiple or no"
                                                    + " regions gotten from zones, got: map[",
                                            "]")));
        }
        return regions.first();
    }

    private static String azure(Volume.AzureDisk disk) throws UntranslatableException {
        if (!disk.kind().equalsIgnoreCase(Volume.AzureDisk.MANAGED)) {
            throw new UntranslatableException(
                    "kind(" + disk.kind() + ") is not supported in csi migration");
        }
        return disk.uri();
    }
}
