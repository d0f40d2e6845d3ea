package io.berth.sim.plain;

import io.berth.api.amount.Quantity;
import io.berth.api.model.CsiDriver;
import io.berth.api.model.CsiStorageCapacity;
import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolume.ClaimReference;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.model.Pod;
import io.berth.api.model.StorageClass;
import io.berth.api.model.StorageClass.BindingMode;
import io.berth.api.spec.NodeSelector;
import io.berth.api.spec.Volume;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Which volumes the claims of a pod have, or would get on a node (VB-2 to VB-11), written down
/// plainly.
final class PlainBinding {
    private final Sight sight;
    private final Promises promises;

    PlainBinding(Sight sight, Promises promises) {
        this.sight = sight;
        this.promises = promises;
    }

    /// What would happen on a node.
    ///
    /// @param volumes by the key of their claim
    /// @param provisioned claims for which volumes would be made
    private record Choice(
            Map<String, PersistentVolume> volumes, List<PersistentVolumeClaim> provisioned) {}

    /// Whether the pod cannot go to a node for its claims.
    boolean refuses(Pod pod, Node node) {
        return PlainVolumes.hasClaims(pod) && choice(pod, node) == null;
    }

    /// Notes what a pod gets with its node.
    void promise(Pod pod, Node node) {
        var choice = PlainVolumes.hasClaims(pod) ? choice(pod, node) : null;
        if (choice == null) {
            return;
        }
        for (var claim : claims(pod)) {
            var volume = choice.volumes.get(claim.key());
            if (volume != null) {
                var reference = new ClaimReference(claim.namespace(), claim.name(), claim.uid());
                promises.promise(pod.uid(), volume.toBuilder().claim(reference).build());
            }
        }
        for (var claim : choice.provisioned) {
            promises.promise(pod.uid(), claim.toBuilder().selectedNode(node.name()).build());
        }
    }

    /// Whether one claim of the pod has two volumes kept for it: which of them it gets, nobody says
    /// (VB-9). Nor where nobody knows what is promised.
    boolean isUnclear(Pod pod) {
        for (var claim : claims(pod)) {
            var volumes = volumesOf(claim);
            if (promises.isDoubtful(claim.key(), claim.resourceVersion())
                    || volumes.stream()
                            .anyMatch(volume ->
                                    promises.isDoubtful(volume.key(), volume.resourceVersion()))
                    || volumes.stream().filter(volume -> isKeptFor(volume, claim)).count() > 1) {
                return true;
            }
        }
        return false;
    }

    private List<PersistentVolumeClaim> claims(Pod pod) {
        var claims = new ArrayList<PersistentVolumeClaim>();
        for (var name : PlainVolumes.claimNames(pod)) {
            var claim = claim(pod.namespace(), name);
            if (claim != null) {
                claims.add(promises.asPromised(claim));
            }
        }
        return claims;
    }

    private @Nullable PersistentVolumeClaim claim(String namespace, String name) {
        return sight.find(
                Kind.PERSISTENT_VOLUME_CLAIM, PersistentVolumeClaim.class, namespace, name);
    }

    private @Nullable Choice choice(Pod pod, Node node) {
        if (!areUsable(pod)) {
            return null;
        }
        var waiting = new ArrayList<PersistentVolumeClaim>();
        var choice = new Choice(new HashMap<>(), new ArrayList<>());
        for (var claim : claims(pod)) {
            if (claim.isBound()) {
                var volume = volume(claim.volumeName());
                if (volume == null || !reaches(node, volume.nodeAffinity())) {
                    return null;
                }
            } else if (!isDelayed(claim)) {
                return null;
            } else if (claim.selectedNode() == null) {
                waiting.add(claim);
            } else if (node.name().equals(claim.selectedNode()) && canBeMade(claim, node)) {
                choice.provisioned.add(claim);
            } else {
                return null;
            }
        }
        return match(waiting, node, choice) ? choice : null;
    }

    /// Claims that are missing, lost, about to go or somebody else's will not do (VB-2).
    private boolean areUsable(Pod pod) {
        for (var volume : pod.spec().volumes()) {
            var name = PlainVolumes.claimName(pod, volume);
            if (name == null) {
                continue;
            }
            var claim = claim(pod.namespace(), name);
            if (claim == null
                    || claim.isLost()
                    || claim.isDeleting()
                    || volume.source() instanceof Volume.Ephemeral
                            && !claim.controllerUid().equals(pod.uid())) {
                return false;
            }
        }
        return true;
    }

    private boolean isDelayed(PersistentVolumeClaim claim) {
        var storageClass = classOf(claim);
        return storageClass != null
                && storageClass.bindingMode() == BindingMode.WAIT_FOR_FIRST_CONSUMER
                && claim.volumeName().isEmpty();
    }

    private @Nullable StorageClass classOf(PersistentVolumeClaim claim) {
        return sight.find(Kind.STORAGE_CLASS, StorageClass.class, "", claim.storageClass());
    }

    private @Nullable PersistentVolume volume(String name) {
        var volume = sight.find(Kind.PERSISTENT_VOLUME, PersistentVolume.class, "", name);
        return volume == null ? null : promises.asPromised(volume);
    }

    static boolean reaches(Node node, @Nullable NodeSelector affinity) {
        return affinity == null || affinity.matches(node);
    }

    /// The smallest claim chooses first (VB-8).
    private boolean match(List<PersistentVolumeClaim> waiting, Node node, Choice into) {
        waiting.sort(Comparator.comparing(PlainBinding::size));
        var taken = new HashSet<String>();
        for (var claim : waiting) {
            var volume = match(claim, node, taken);
            if (volume != null) {
                taken.add(volume.name());
                into.volumes.put(claim.key(), volume);
            } else if (canBeMade(claim, node)) {
                into.provisioned.add(claim);
            } else {
                return false;
            }
        }
        return true;
    }

    private static Quantity size(PersistentVolumeClaim claim) {
        var request = claim.request();
        return request == null ? Quantity.ZERO : request;
    }

    private List<PersistentVolume> volumesOf(PersistentVolumeClaim claim) {
        return sight.all(Kind.PERSISTENT_VOLUME, PersistentVolume.class).stream()
                .filter(volume -> volume.storageClass().equals(claim.storageClass()))
                .map(promises::asPromised)
                .toList();
    }

    private @Nullable PersistentVolume match(
            PersistentVolumeClaim claim, Node node, Set<String> taken) {
        var request = claim.request();
        var possible =
                volumesOf(claim).stream()
                        .filter(volume -> !taken.contains(volume.name()))
                        .filter(volume ->
                                request == null || volume.capacity().compareTo(request) >= 0)
                        .toList();
        for (var volume : possible) {
            if (isKeptFor(volume, claim)) {
                return reaches(node, volume.nodeAffinity()) ? volume : null;
            }
        }
        return possible.stream()
                .filter(volume -> volume.claim() == null && volume.phase().equals("Available"))
                .filter(volume -> volume.accessModes().containsAll(claim.accessModes()))
                .filter(volume -> reaches(node, volume.nodeAffinity()))
                .min(
                        Comparator.comparing(PersistentVolume::capacity)
                                .thenComparing(PersistentVolume::name))
                .orElse(null);
    }

    static boolean isKeptFor(PersistentVolume volume, PersistentVolumeClaim claim) {
        var reference = volume.claim();
        return reference != null
                && reference.namespace().equals(claim.namespace())
                && reference.name().equals(claim.name())
                && (reference.uid().isEmpty() || reference.uid().equals(claim.uid()));
    }

    /// Whether the class makes volumes for the node, and there is room (VB-10, VB-11).
    private boolean canBeMade(PersistentVolumeClaim claim, Node node) {
        var storageClass = classOf(claim);
        if (storageClass == null
                || storageClass.provisioner().equals(StorageClass.NO_PROVISIONER)) {
            return false;
        }
        var topologies = storageClass.allowedTopologies();
        return (topologies.terms().isEmpty() || topologies.matches(node))
                && hasRoom(claim, storageClass.provisioner(), node);
    }

    private boolean hasRoom(PersistentVolumeClaim claim, String provisioner, Node node) {
        var driver = sight.find(Kind.CSI_DRIVER, CsiDriver.class, "", provisioner);
        var request = claim.request();
        if (driver == null || !driver.hasStorageCapacity() || request == null) {
            return true;
        }
        return sight.all(Kind.CSI_STORAGE_CAPACITY, CsiStorageCapacity.class).stream()
                .filter(room -> room.storageClass().equals(claim.storageClass()))
                .filter(room -> room.nodeTopology().matches(node.labels()))
                .anyMatch(room -> {
                    var limit = room.limit();
                    return limit != null && limit.compareTo(request) >= 0;
                });
    }
}
