package io.berth.sim.plain;

import io.berth.api.handle.Listers;
import io.berth.api.model.AccessMode;
import io.berth.api.model.CsiNode;
import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.model.Pod;
import io.berth.api.model.StorageClass;
import io.berth.api.model.StorageClass.BindingMode;
import io.berth.api.model.VolumeAttachment;
import io.berth.api.spec.Volume;
import io.berth.sim.cluster.ApiServer;
import io.berth.sim.plain.PlainCluster.Place;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The rules about volumes, written down plainly for the volumes that the simulator has: claims
/// with and without their volume, of drivers, in zones.
public final class PlainVolumes {
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final Set<String> ZONES =
            Set.of(
                    ZONE,
                    "topology.kubernetes.io/region",
                    "failure-domain.beta.kubernetes.io/zone",
                    "failure-domain.beta.kubernetes.io/region");

    private final Sight sight;
    private final PlainBinding binding;

    private PlainVolumes(Sight sight, Promises promises) {
        this.sight = sight;
        this.binding = new PlainBinding(sight, promises);
    }

    /// As a scheduler sees them, who has promised some of them.
    public static PlainVolumes of(Listers listers, Promises promises) {
        return new PlainVolumes(Sight.of(listers), promises);
    }

    /// As they are.
    public static PlainVolumes of(ApiServer server) {
        return new PlainVolumes(Sight.of(server), new Promises());
    }

    /// Which of the plugins keeps the pod from the node; null where none does.
    @Nullable String refusal(PlainCluster cluster, Pod pod, Place place, Set<String> plugins) {
        if (plugins.contains("VolumeRestrictions")
                && (isTaken(cluster, pod) || hasDiskConflict(pod, place))) {
            return "VolumeRestrictions";
        }
        if (!hasClaims(pod)) {
            return null;
        }
        if (plugins.contains("NodeVolumeLimits") && exceeds(pod, place)) {
            return "NodeVolumeLimits";
        }
        if (plugins.contains("VolumeBinding")
                && !binding.isUnclear(pod)
                && binding.refuses(pod, place.node())) {
            return "VolumeBinding";
        }
        if (plugins.contains("VolumeZone") && isElsewhere(pod, place)) {
            return "VolumeZone";
        }
        return null;
    }

    /// Notes which volumes a pod gets with its node.
    public void promise(Pod pod, Node node) {
        binding.promise(pod, node);
    }

    /// Whether nobody can say which volumes the pod gets.
    public boolean isUnclear(Pod pod) {
        return binding.isUnclear(pod);
    }

    static boolean hasClaims(Pod pod) {
        return !claimNames(pod).isEmpty();
    }

    /// The claims of a pod, by name; those that are made for it too.
    public static List<String> claimNames(Pod pod) {
        var names = new ArrayList<String>();
        for (var volume : pod.spec().volumes()) {
            var name = claimName(pod, volume);
            if (name != null) {
                names.add(name);
            }
        }
        return names;
    }

    static @Nullable String claimName(Pod pod, Volume volume) {
        return switch (volume.source()) {
            case Volume.Claim(String name, _) -> name;
            case Volume.Ephemeral _ -> pod.name() + "-" + volume.name();
            default -> null;
        };
    }

    /// The claims that a pod shares with others.
    static List<String> sharedNames(Pod pod) {
        return pod.spec().volumes().stream()
                .map(Volume::source)
                .filter(Volume.Claim.class::isInstance)
                .map(source -> ((Volume.Claim) source).claimName())
                .toList();
    }

    public @Nullable PersistentVolumeClaim claim(String namespace, String name) {
        return sight.find(
                Kind.PERSISTENT_VOLUME_CLAIM, PersistentVolumeClaim.class, namespace, name);
    }

    private @Nullable PersistentVolume volume(String name) {
        return sight.find(Kind.PERSISTENT_VOLUME, PersistentVolume.class, "", name);
    }

    /// Whether a claim is missing, or is for a single pod and another has it (VR-1, VR-3). However
    /// many have it, it counts once, but whoever comes or goes in thought counts for himself, of
    /// whatever namespace (VR-5).
    public boolean isTaken(PlainCluster cluster, Pod pod) {
        var single = new HashSet<String>();
        for (var name : sharedNames(pod)) {
            var claim = claim(pod.namespace(), name);
            if (claim == null) {
                return true;
            }
            if (isForOnePod(claim)) {
                single.add(name);
            }
        }
        long taken =
                single.stream().filter(name -> users(cluster.real(), pod, name) > 0).count()
                        + uses(cluster.come(), single)
                        - uses(cluster.gone(), single);
        return taken > 0;
    }

    private static long uses(List<Pod> pods, Set<String> claims) {
        return pods.stream()
                .flatMap(pod -> sharedNames(pod).stream())
                .filter(claims::contains)
                .count();
    }

    static boolean isForOnePod(PersistentVolumeClaim claim) {
        return claim.accessModes().contains(AccessMode.READ_WRITE_ONCE_POD);
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

    /// How many other pods that have a node use a claim.
    private static long users(PlainCluster cluster, Pod pod, String claim) {
        return cluster.places().stream()
                .flatMap(place -> place.pods().stream())
                .filter(other ->
                        !other.uid().equals(pod.uid())
                                && other.namespace().equals(pod.namespace())
                                && sharedNames(other).contains(claim))
                .count();
    }

    /// Claims of the pod that are for one pod, and that another pod with a node has.
    public List<String> sharedAgainstTheirMode(PlainCluster cluster, Pod pod) {
        return sharedNames(pod).stream()
                .filter(name -> {
                    var claim = claim(pod.namespace(), name);
                    return claim != null && isForOnePod(claim) && users(cluster, pod, name) > 0;
                })
                .toList();
    }

    /// Whether there would be more volumes of a driver than the node takes (VL-7, VL-8).
    private boolean exceeds(Pod pod, Place place) {
        if (!areClaimsKnown(pod)) {
            return true;
        }
        var limits = limits(place.node());
        if (limits == null) {
            return false;
        }
        var mounted = mounted(pod, place);
        var fresh = new HashSet<>(volumesOf(pod));
        fresh.removeAll(mounted);
        var all = new HashSet<>(mounted);
        for (var attachment : sight.all(Kind.VOLUME_ATTACHMENT, VolumeAttachment.class)) {
            var volume = volume(attachment.volumeName());
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

    /// Whether all of the pod's claims are there, and those that are made for it its own (VL-3).
    private boolean areClaimsKnown(Pod pod) {
        for (var volume : pod.spec().volumes()) {
            var name = claimName(pod, volume);
            var claim = name == null ? null : claim(pod.namespace(), name);
            if (name != null
                    && (claim == null
                            || volume.source() instanceof Volume.Ephemeral
                                    && !claim.controllerUid().equals(pod.uid()))) {
                return false;
            }
        }
        return true;
    }

    private @Nullable CsiNode limits(Node node) {
        return sight.find(Kind.CSI_NODE, CsiNode.class, "", node.name());
    }

    private Set<Volume.Csi> mounted(Pod pod, Place place) {
        var mounted = new HashSet<Volume.Csi>();
        for (var other : place.pods()) {
            if (!other.uid().equals(pod.uid())) {
                mounted.addAll(volumesOf(other));
            }
        }
        return mounted;
    }

    /// A driver that would have more volumes on a node with the pod than the node takes, and some
    /// of them for the pod alone; null where there is none.
    public @Nullable String overfull(Pod pod, Place place) {
        var limits = limits(place.node());
        if (limits == null) {
            return null;
        }
        var before = mounted(pod, place);
        var after = new HashSet<>(before);
        after.addAll(volumesOf(pod));
        for (var driver : limits.drivers()) {
            long count = count(after, driver.name());
            if (driver.isLimited()
                    && count > driver.count()
                    && count > count(before, driver.name())) {
                return driver + " with " + after;
            }
        }
        return null;
    }

    private static long count(Set<Volume.Csi> volumes, String driver) {
        return volumes.stream().filter(volume -> volume.driver().equals(driver)).count();
    }

    /// The volumes of a pod's claims, as far as they are known; one that is still to be made counts
    /// for whoever will make it (VL-4).
    private Set<Volume.Csi> volumesOf(Pod pod) {
        var result = new HashSet<Volume.Csi>();
        for (var name : claimNames(pod)) {
            var claim = claim(pod.namespace(), name);
            var volume = claim == null ? null : volume(claim.volumeName());
            if (volume != null) {
                if (volume.source() instanceof Volume.Csi csi) {
                    result.add(csi);
                }
            } else if (claim != null) {
                var by = classOf(claim);
                if (by != null) {
                    result.add(new Volume.Csi(by.provisioner(), "of " + claim.key()));
                }
            }
        }
        return result;
    }

    private @Nullable StorageClass classOf(PersistentVolumeClaim claim) {
        return sight.find(Kind.STORAGE_CLASS, StorageClass.class, "", claim.storageClass());
    }

    /// Whether a volume is missing or in another zone (VZ-2, VZ-4). Claims that are made for a pod
    /// are not asked.
    private boolean isElsewhere(Pod pod, Place place) {
        var labels = place.node().labels();
        boolean isZoned = ZONES.stream().anyMatch(labels::has);
        for (var name : sharedNames(pod)) {
            var claim = claim(pod.namespace(), name);
            if (claim == null) {
                return true;
            }
            if (claim.volumeName().isEmpty()) {
                var by = classOf(claim);
                if (by == null || by.bindingMode() != BindingMode.WAIT_FOR_FIRST_CONSUMER) {
                    return true;
                }
                continue;
            }
            var volume = volume(claim.volumeName());
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

    /// The claims of a pod that have no volume, by name.
    public List<String> unbound(Pod pod) {
        return claimNames(pod).stream()
                .filter(name -> {
                    var claim = claim(pod.namespace(), name);
                    return claim == null || !claim.isBound();
                })
                .toList();
    }

    /// The first of some claims that has no volume, or one that the node cannot reach, in words;
    /// null where there is none.
    public @Nullable String outOfReach(String namespace, List<String> claims, Node node) {
        for (var name : claims) {
            var claim = claim(namespace, name);
            if (claim == null || !claim.isBound()) {
                return name + " is not bound";
            }
            var volume = volume(claim.volumeName());
            if (volume != null && !PlainBinding.reaches(node, volume.nodeAffinity())) {
                return name + " has " + volume.name() + ", which is in " + volume.nodeAffinity();
            }
        }
        return null;
    }
}
