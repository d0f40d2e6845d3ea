package io.berth.plugins.volumerestrictions;

import io.berth.api.model.Pod;
import io.berth.api.spec.Volume;
import java.util.Collections;
import java.util.List;

/// Disks that two pods on one node cannot share (rule VR-4).
final class DiskConflicts {
    private DiskConflicts() {}

    /// Those of a pod's volumes that are such disks.
    static List<Volume.Source> disksOf(List<Volume> volumes) {
        for (var volume : volumes) {
            if (isDisk(volume.source())) {
                return volumes.stream().map(Volume::source).filter(DiskConflicts::isDisk).toList();
            }
        }
        return List.of();
    }

    private static boolean isDisk(Volume.Source source) {
        return source instanceof Volume.GcePersistentDisk
                || source instanceof Volume.AwsElasticBlockStore
                || source instanceof Volume.Rbd
                || source instanceof Volume.Iscsi;
    }

    /// Whether a pod uses one of the disks in a way that leaves no room for another.
    static boolean conflict(List<Volume.Source> disks, Pod other) {
        var volumes = other.spec().volumes();
        for (int i = 0; i < volumes.size(); i++) {
            var used = volumes.get(i).source();
            for (int k = 0; k < disks.size(); k++) {
                if (conflict(disks.get(k), used)) {
                    return true;
                }
            }
        }
        return false;
    }

    static boolean conflict(Volume.Source one, Volume.Source two) {
        return switch (one) {
            case Volume.GcePersistentDisk disk ->
                    two instanceof Volume.GcePersistentDisk other
                            && disk.name().equals(other.name())
                            && !(disk.readOnly() && other.readOnly());
            case Volume.AwsElasticBlockStore disk ->
                    two instanceof Volume.AwsElasticBlockStore other
                            && disk.volumeId().equals(other.volumeId());
            case Volume.Iscsi disk ->
                    two instanceof Volume.Iscsi other
                            && disk.iqn().equals(other.iqn())
                            && !(disk.readOnly() && other.readOnly());
            case Volume.Rbd disk ->
                    two instanceof Volume.Rbd other
                            && !Collections.disjoint(disk.monitors(), other.monitors())
                            && disk.pool().equals(other.pool())
                            && disk.image().equals(other.image())
                            && !(disk.readOnly() && other.readOnly());
            default -> false;
        };
    }
}
