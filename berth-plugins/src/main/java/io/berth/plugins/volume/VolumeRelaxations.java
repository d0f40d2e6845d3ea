package io.berth.plugins.volume;

import io.berth.api.amount.Amounts;
import io.berth.api.amount.Quantity;
import io.berth.api.handle.Handle;
import io.berth.api.handle.Lister;
import io.berth.api.model.AccessMode;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.CsiStorageCapacity;
import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.model.Pod;
import io.berth.api.model.StorageClass;
import io.berth.api.model.StorageClass.BindingMode;
import io.berth.api.relax.Edit;
import io.berth.api.relax.Obstacle;
import io.berth.api.relax.Relaxation;
import io.berth.api.relax.Relaxation.Change;
import io.berth.api.relax.Who;
import io.berth.api.spec.NodeSelector;
import io.berth.api.spec.Volume;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/// What would have a pod's volumes found, made or reached: other claims, smaller ones, other
/// classes, one more volume, a node where the volume is. All plugins that look at volumes propose
/// the same, since each of them may be the one that says no.
public final class VolumeRelaxations {
    private static final String STORAGE = "storage";
    private static final String NEW_VOLUME = "a-new-volume";
    private static final String NEW_NODE = "a-new-node";
    private static final int MOST_CLASSES = 2;
    private static final int MOST_OTHERS = 3;

    private final Lister<PersistentVolumeClaim> claims;
    private final Lister<PersistentVolume> volumes;
    private final Lister<StorageClass> classes;
    private final Lister<CsiStorageCapacity> capacities;

    private VolumeRelaxations(Handle handle) {
        var listers = handle.listers();
        this.claims = listers.of(Kind.PERSISTENT_VOLUME_CLAIM, PersistentVolumeClaim.class);
        this.volumes = listers.of(Kind.PERSISTENT_VOLUME, PersistentVolume.class);
        this.classes = listers.of(Kind.STORAGE_CLASS, StorageClass.class);
        this.capacities = listers.of(Kind.CSI_STORAGE_CAPACITY, CsiStorageCapacity.class);
    }

    /// See [io.berth.api.relax.Relaxable#relaxations].
    public static List<Relaxation> of(Handle handle, Pod pod, List<Obstacle> obstacles) {
        var relaxing = new VolumeRelaxations(handle);
        var found = new ArrayList<Relaxation>();
        var own = pod.spec().volumes();
        for (int i = 0; i < own.size(); i++) {
            var name = PodClaims.nameOf(pod, own.get(i));
            if (name != null) {
                relaxing.propose(pod, i, name, obstacles, found);
            }
        }
        return found;
    }

    private void propose(
            Pod pod, int index, String name, List<Obstacle> obstacles, List<Relaxation> found) {
        var claim = claims.get(pod.namespace(), name);
        if (claim == null) {
            if (pod.spec().volumes().get(index).source() instanceof Volume.Claim) {
                useAnother(pod, index, name, found);
                make(pod, name, found);
            }
        } else if (claim.isBound() || claim.isLost() || claim.isDeleting()) {
            bound(claim, obstacles, found);
        } else {
            var kept = kept(claim);
            kept.flatMap(volume -> nodeAtVolume(claim, volume, obstacles)).ifPresent(found::add);
            if (kept.isEmpty()) {
                unbound(claim, found);
            }
        }
        if (claim != null && claim.accessModes().contains(AccessMode.READ_WRITE_ONCE_POD)) {
            share(claim, found);
        }
    }

    // --- a claim that is not there

    /// A name may be mistyped.
    private void useAnother(Pod pod, int index, String name, List<Relaxation> found) {
        claims.in(pod.namespace()).stream()
                .filter(other -> !other.isDeleting() && !other.isLost())
                .filter(other -> other.controllerUid().isEmpty())
                .map(PersistentVolumeClaim::name)
                .filter(other -> 2 * alike(other, name) >= name.length())
                .sorted(
                        Comparator.comparingInt((String other) -> -alike(other, name))
                                .thenComparing(other -> other))
                .limit(MOST_OTHERS)
                .forEach(other -> {
                    var changed = new ArrayList<>(pod.spec().volumes());
                    changed.set(
                            index,
                            new Volume(changed.get(index).name(), new Volume.Claim(other, false)));
                    var spec = pod.spec().toBuilder().volumes(changed).build();
                    found.add(
                            new Relaxation(
                                    "use claim %s instead of %s, which is not there"
                                            .formatted(other, name),
                                    Who.OWNER,
                                    new Change.OfPod(
                                            pod.toBuilder().spec(spec).build(),
                                            List.of(
                                                    Edit.replace(
                                                            "/spec/volumes/"
                                                                    + index
                                                                    + "/persistentVolumeClaim/claimName",
                                                            name,
                                                            other))),
                                    "",
                                    60));
                });
    }

    /// How many letters two names begin with in common.
    private static int alike(String one, String other) {
        int count = 0;
        while (count < Math.min(one.length(), other.length())
                && one.charAt(count) == other.charAt(count)) {
            count++;
        }
        return count;
    }

    private void make(Pod pod, String name, List<Relaxation> found) {
        makers("")
                .forEach(maker ->
                        found.add(
                                ofObjects(
                                        "make claim %s, with class %s"
                                                .formatted(name, maker.name()),
                                        Who.OWNER,
                                        "",
                                        List.of(),
                                        PersistentVolumeClaim.named(pod.namespace(), name)
                                                .uid(name)
                                                .storageClass(maker.name())
                                                .accessModes(AccessMode.READ_WRITE_ONCE)
                                                .request(Quantity.parse("1Gi"))
                                                .phase("Pending")
                                                .build())));
    }

    /// Classes that make a volume for any node, once a pod has one.
    private Stream<StorageClass> makers(String butNot) {
        return classes.all().stream()
                .filter(each -> each.bindingMode() == BindingMode.WAIT_FOR_FIRST_CONSUMER)
                .filter(VolumeRelaxations::makesVolumes)
                .filter(each -> !each.name().equals(butNot))
                .sorted(
                        Comparator.comparing((StorageClass each) ->
                                        !each.allowedTopologies().terms().isEmpty())
                                .thenComparing(StorageClass::name))
                .limit(MOST_CLASSES);
    }

    private static boolean makesVolumes(StorageClass storageClass) {
        return !storageClass.provisioner().isEmpty()
                && !storageClass.provisioner().equals(StorageClass.NO_PROVISIONER);
    }

    // --- a claim that has its volume

    private void bound(
            PersistentVolumeClaim claim, List<Obstacle> obstacles, List<Relaxation> found) {
        var volume = volumes.get(claim.volumeName());
        var storageClass = classes.get(claim.storageClass());
        if (volume != null) {
            nodeAtVolume(claim, volume, obstacles).ifPresent(found::add);
        }
        if (storageClass != null
                && storageClass.bindingMode() == BindingMode.WAIT_FOR_FIRST_CONSUMER) {
            var why =
                    volume == null
                            ? "its volume is gone"
                            : claim.isDeleting()
                                    ? "it is being deleted"
                                    : VolumePlaces.sentence(claim.name(), volume);
            found.add(
                    new Relaxation(
                            "a new, empty claim in place of %s (%s)".formatted(claim.name(), why),
                            Who.OWNER,
                            new Change.OfObjects(List.of(fresh(claim)), "", List.of()),
                            "",
                            100));
        }
    }

    /// As it would be made anew: volumes that are kept for the one of old are not for it.
    private static PersistentVolumeClaim fresh(PersistentVolumeClaim claim) {
        return claim.toBuilder()
                .uid(claim.uid() + "-again")
                .volumeName("")
                .bindCompleted(false)
                .selectedNode(null)
                .phase("Pending")
                .deleting(false)
                .build();
    }

    private static Optional<Relaxation> nodeAtVolume(
            PersistentVolumeClaim claim, PersistentVolume volume, List<Obstacle> obstacles) {
        var wanted = VolumePlaces.labels(volume);
        if (wanted.isEmpty()) {
            return Optional.empty();
        }
        var like = obstacles.getFirst().node();
        var labels = like.labels().with(Node.HOSTNAME_LABEL, NEW_NODE);
        for (var each : wanted) {
            labels = labels.with(each.key(), each.values().getFirst());
        }
        var fresh =
                like.toBuilder()
                        .name(NEW_NODE)
                        .uid(NEW_NODE)
                        .labels(labels)
                        .unschedulable(false)
                        .build();
        return Optional.of(
                new Relaxation(
                        "one more node like %s, but in %s (volume %s of claim %s is there)"
                                .formatted(
                                        like.name(),
                                        VolumePlaces.of(volume),
                                        volume.name(),
                                        claim.name()),
                        Who.NEW_NODE,
                        new Change.OfNodes(List.of(fresh), ""),
                        "node at " + volume.name(),
                        100));
    }

    /// A claim for a single pod, which another uses.
    private static void share(PersistentVolumeClaim claim, List<Relaxation> found) {
        found.add(
                ofObjects(
                        "let claim %s be ReadWriteOnce instead of ReadWriteOncePod"
                                .formatted(claim.name()),
                        Who.OWNER,
                        target(claim),
                        List.of(
                                Edit.replace(
                                        "/spec/accessModes",
                                        "ReadWriteOncePod",
                                        List.of("ReadWriteOnce"))),
                        claim.toBuilder().accessModes(AccessMode.READ_WRITE_ONCE).build()));
    }

    // --- a claim that waits for its volume

    /// A volume that is kept for the claim: it gets no other, whatever its class says.
    private Optional<PersistentVolume> kept(PersistentVolumeClaim claim) {
        return volumes.all().stream()
                .filter(volume -> {
                    var reference = volume.claim();
                    return reference != null
                            && reference.namespace().equals(claim.namespace())
                            && reference.name().equals(claim.name())
                            && (reference.uid().isEmpty() || reference.uid().equals(claim.uid()));
                })
                .min(Comparator.comparing(PersistentVolume::name));
    }

    private void unbound(PersistentVolumeClaim claim, List<Relaxation> found) {
        var storageClass = classes.get(claim.storageClass());
        if (storageClass != null) {
            wait(storageClass, found);
            anywhere(storageClass, found);
            smaller(claim, found);
            oneMore(claim, storageClass, found);
        }
        makers(claim.storageClass())
                .forEach(maker ->
                        found.add(
                                ofObjects(
                                        "give claim %s the class %s%s"
                                                .formatted(
                                                        claim.name(),
                                                        maker.name(),
                                                        claim.storageClass().isEmpty()
                                                                ? ""
                                                                : " instead of "
                                                                        + claim.storageClass()),
                                        Who.OWNER,
                                        target(claim),
                                        classed(claim, maker),
                                        fresh(claim).toBuilder()
                                                .storageClass(maker.name())
                                                .build())));
    }

    private static List<Edit> classed(PersistentVolumeClaim claim, StorageClass maker) {
        var edits = new ArrayList<Edit>();
        edits.add(Edit.add("/spec/storageClassName", maker.name()));
        if (!claim.volumeName().isEmpty()) {
            edits.add(Edit.remove("/spec/volumeName", claim.volumeName()));
        }
        return edits;
    }

    /// Nobody has bound the claim at once, but somebody may make its volume for a node.
    private static void wait(StorageClass storageClass, List<Relaxation> found) {
        if (storageClass.bindingMode() == BindingMode.IMMEDIATE && makesVolumes(storageClass)) {
            found.add(
                    ofObjects(
                            "let class %s wait for the first pod (volumeBindingMode)"
                                    .formatted(storageClass.name()),
                            Who.ADMIN,
                            target(storageClass),
                            List.of(
                                    Edit.replace(
                                            "/volumeBindingMode",
                                            "Immediate",
                                            "WaitForFirstConsumer")),
                            new StorageClass(
                                    storageClass.name(),
                                    storageClass.provisioner(),
                                    BindingMode.WAIT_FOR_FIRST_CONSUMER,
                                    storageClass.allowedTopologies())));
        }
    }

    private static void anywhere(StorageClass storageClass, List<Relaxation> found) {
        if (!storageClass.allowedTopologies().terms().isEmpty()) {
            found.add(
                    ofObjects(
                            "let class %s make volumes everywhere, not in %s only"
                                    .formatted(
                                            storageClass.name(),
                                            VolumePlaces.of(storageClass.allowedTopologies())),
                            Who.ADMIN,
                            target(storageClass),
                            List.of(Edit.remove("/allowedTopologies", null)),
                            new StorageClass(
                                    storageClass.name(),
                                    storageClass.provisioner(),
                                    storageClass.bindingMode(),
                                    new NodeSelector(List.of()))));
        }
    }

    /// As large as volumes that there are, or as there is room for.
    private void smaller(PersistentVolumeClaim claim, List<Relaxation> found) {
        var request = claim.request();
        if (request == null) {
            return;
        }
        var free =
                volumes.all().stream()
                        .filter(volume -> volume.storageClass().equals(claim.storageClass()))
                        .filter(volume -> volume.claim() == null && !volume.isDeleting())
                        .map(PersistentVolume::capacity);
        var room =
                capacities.all().stream()
                        .filter(each -> each.storageClass().equals(claim.storageClass()))
                        .map(CsiStorageCapacity::limit)
                        .filter(Objects::nonNull);
        Stream.concat(free, room)
                .filter(size -> size.compareTo(request) < 0 && !size.isZero())
                .distinct()
                .sorted(Comparator.reverseOrder())
                .limit(MOST_OTHERS)
                .forEach(size -> found.add(smaller(claim, request, size)));
    }

    private static Relaxation smaller(
            PersistentVolumeClaim claim, Quantity request, Quantity size) {
        int percent = (int) Math.round(100 - 100.0 * size.doubleValue() / request.doubleValue());
        var text = Amounts.exact(STORAGE, size.value());
        return new Relaxation(
                "request %s instead of %s in claim %s (-%d %%)"
                        .formatted(
                                text,
                                Amounts.exact(STORAGE, request.value()),
                                claim.name(),
                                Math.max(1, percent)),
                Who.OWNER,
                new Change.OfObjects(
                        List.of(claim.toBuilder().request(size).build()),
                        target(claim),
                        List.of(
                                Edit.replace(
                                        "/spec/resources/requests/storage",
                                        Amounts.exact(STORAGE, request.value()),
                                        text))),
                "storage of " + claim.name(),
                Math.max(1, percent));
    }

    /// A volume that somebody makes by hand, for all nodes.
    private static void oneMore(
            PersistentVolumeClaim claim, StorageClass storageClass, List<Relaxation> found) {
        var request = claim.request();
        if (makesVolumes(storageClass) || request == null) {
            return;
        }
        var volume =
                PersistentVolume.named(NEW_VOLUME)
                        .uid(NEW_VOLUME)
                        .resourceVersion("1")
                        .capacity(request)
                        .storageClass(storageClass.name())
                        .accessModes(claim.accessModes().toArray(AccessMode[]::new))
                        .volumeMode(claim.volumeMode())
                        .attributesClass(claim.attributesClass())
                        .phase("Available")
                        .build();
        if (claim.selector().matches(volume.labels())) {
            found.add(
                    ofObjects(
                            "one more volume of class %s, with %s"
                                    .formatted(
                                            storageClass.name(),
                                            Amounts.exact(STORAGE, request.value())),
                            Who.ADMIN,
                            "",
                            List.of(),
                            volume));
        }
    }

    private static String target(ClusterObject object) {
        return object instanceof PersistentVolumeClaim
                ? "PersistentVolumeClaim " + object.key()
                : "StorageClass " + object.name();
    }

    private static Relaxation ofObjects(
            String sentence, Who who, String target, List<Edit> edits, ClusterObject object) {
        return new Relaxation(
                sentence, who, new Change.OfObjects(List.of(object), target, edits), "", 80);
    }
}
