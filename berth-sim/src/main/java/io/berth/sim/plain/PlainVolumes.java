package io.berth.sim.plain;

import io.berth.api.handle.Listers;
import io.berth.api.model.AccessMode;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.CsiNode;
import io.berth.api.model.Kind;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.model.Pod;
import io.berth.api.model.VolumeAttachment;
import io.berth.api.spec.Volume;
import io.berth.sim.cluster.ApiServer;
import io.berth.sim.plain.PlainCluster.Place;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The rules about volumes, written down plainly for the volumes that the simulator has: claims
/// with their volume, of drivers, in zones.
///
/// @param claims by namespace and name
/// @param volumes by name
/// @param csiNodes by name
public record PlainVolumes(
        BiFunction<String, String, @Nullable PersistentVolumeClaim> claims,
        Function<String, @Nullable PersistentVolume> volumes,
        Function<String, @Nullable CsiNode> csiNodes,
        Supplier<List<VolumeAttachment>> attachments) {
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final Set<String> ZONES =
            Set.of(
                    ZONE,
                    "topology.kubernetes.io/region",
                    "failure-domain.beta.kubernetes.io/zone",
                    "failure-domain.beta.kubernetes.io/region");

    /// As a scheduler sees them.
    public static PlainVolumes of(Listers listers) {
        var claims = listers.of(Kind.PERSISTENT_VOLUME_CLAIM, PersistentVolumeClaim.class);
        var volumes = listers.of(Kind.PERSISTENT_VOLUME, PersistentVolume.class);
        var csiNodes = listers.of(Kind.CSI_NODE, CsiNode.class);
        var attachments = listers.of(Kind.VOLUME_ATTACHMENT, VolumeAttachment.class);
        return new PlainVolumes(
                claims::get, volumes::get, csiNodes::get, () -> List.copyOf(attachments.all()));
    }

    /// As they are.
    public static PlainVolumes of(ApiServer server) {
        return new PlainVolumes(
                (namespace, name) ->
                        find(
                                server,
                                Kind.PERSISTENT_VOLUME_CLAIM,
                                namespace + "/" + name,
                                PersistentVolumeClaim.class),
                name -> find(server, Kind.PERSISTENT_VOLUME, name, PersistentVolume.class),
                name -> find(server, Kind.CSI_NODE, name, CsiNode.class),
                () ->
                        server.list(Kind.VOLUME_ATTACHMENT).stream()
                                .map(stored -> (VolumeAttachment) stored.object())
                                .toList());
    }

    private static <T extends ClusterObject> @Nullable T find(
            ApiServer server, Kind kind, String key, Class<T> type) {
        var stored = server.find(kind, key);
        return stored == null ? null : type.cast(stored.object());
    }

    /// Which of the plugins keeps the pod from the node; null where none does.
    @Nullable String refusal(PlainCluster cluster, Pod pod, Place place, Set<String> plugins) {
        if (plugins.contains("VolumeRestrictions")
                && (isTaken(cluster, pod) || hasDiskConflict(pod, place))) {
            return "VolumeRestrictions";
        }
        if (claimNames(pod).isEmpty()) {
            return null;
        }
        if (plugins.contains("NodeVolumeLimits") && exceeds(pod, place)) {
            return "NodeVolumeLimits";
        }
        if (plugins.contains("VolumeZone") && isElsewhere(pod, place)) {
            return "VolumeZone";
        }
        return null;
    }

    private static List<String> claimNames(Pod pod) {
        return pod.spec().volumes().stream()
                .map(Volume::source)
                .filter(Volume.Claim.class::isInstance)
                .map(source -> ((Volume.Claim) source).claimName())
                .toList();
    }

    /// Whether a claim is missing, or is for a single pod and another has it (VR-1, VR-3).
    public boolean isTaken(PlainCluster cluster, Pod pod) {
        for (var name : claimNames(pod)) {
            var claim = claims.apply(pod.namespace(), name);
            if (claim == null
                    || claim.accessModes().contains(AccessMode.READ_WRITE_ONCE_POD)
                            && isUsed(cluster, pod, name)) {
                return true;
            }
        }
        return false;
    }

    /// The only disks here are such that no two pods can have one (VR-4).
    private static boolean hasDiskConflict(Pod pod, Place place) {
        return place.pods().stream()
                .filter(other -> !other.uid().equals(pod.uid()))
                .anyMatch(other -> disksOf(other).stream().anyMatch(disksOf(pod)::contains));
    }

    static List<String> disksOf(Pod pod) {
        return pod.spec().volumes().stream()
                .map(Volume::source)
                .filter(Volume.AwsElasticBlockStore.class::isInstance)
                .map(source -> ((Volume.AwsElasticBlockStore) source).volumeId())
                .toList();
    }

    private static boolean isUsed(PlainCluster cluster, Pod pod, String claim) {
        return cluster.places().stream()
                .flatMap(place -> place.pods().stream())
                .anyMatch(other ->
                        !other.uid().equals(pod.uid())
                                && other.namespace().equals(pod.namespace())
                                && claimNames(other).contains(claim));
    }

    /// Whether there would be more volumes of a driver than the node takes (VL-7, VL-8).
    private boolean exceeds(Pod pod, Place place) {
        var limits = csiNodes.apply(place.node().name());
        if (limits == null) {
            return false;
        }
        var mounted = new HashSet<Volume.Csi>();
        for (var other : place.pods()) {
            if (!other.uid().equals(pod.uid())) {
                mounted.addAll(volumesOf(other));
            }
        }
        var fresh = new HashSet<>(volumesOf(pod));
        fresh.removeAll(mounted);
        var all = new HashSet<>(mounted);
        for (var attachment : attachments.get()) {
            var volume = volumes.apply(attachment.volumeName());
            if (attachment.nodeName().equals(place.node().name())
                    && volume != null
                    && volume.source() instanceof Volume.Csi csi) {
                all.add(new Volume.Csi(attachment.attacher(), csi.handle()));
            }
        }
        return limits.drivers().stream()
                .anyMatch(driver -> {
                    long more = count(fresh, driver.name());
                    return driver.isLimited()
                            && more > 0
                            && count(all, driver.name()) + more > driver.count();
                });
    }

    static long count(Set<Volume.Csi> volumes, String driver) {
        return volumes.stream().filter(volume -> volume.driver().equals(driver)).count();
    }

    /// The volumes of a pod's claims, as far as they are known.
    public Set<Volume.Csi> volumesOf(Pod pod) {
        var result = new HashSet<Volume.Csi>();
        for (var name : claimNames(pod)) {
            var claim = claims.apply(pod.namespace(), name);
            var volume = claim == null ? null : volumes.apply(claim.volumeName());
            if (volume != null && volume.source() instanceof Volume.Csi csi) {
                result.add(csi);
            }
        }
        return result;
    }

    /// Whether a volume is missing or in another zone (VZ-2, VZ-4).
    private boolean isElsewhere(Pod pod, Place place) {
        var labels = place.node().labels();
        boolean isZoned = ZONES.stream().anyMatch(labels::has);
        for (var name : claimNames(pod)) {
            var claim = claims.apply(pod.namespace(), name);
            var volume = claim == null ? null : volumes.apply(claim.volumeName());
            if (volume == null) {
                return true;
            }
            var zone = volume.labels().value(ZONE);
            if (isZoned && zone != null && !zone.equals(labels.value(ZONE))) {
                return true;
            }
        }
        return false;
    }
}
