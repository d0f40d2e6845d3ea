package io.berth.sim.storage;

import io.berth.api.amount.Quantity;
import io.berth.api.label.Requirement;
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
import io.berth.sim.cluster.ApiServer;
import io.berth.sim.cluster.Stored;
import io.berth.sim.time.Chance;
import io.berth.sim.time.LateLook;
import io.berth.sim.time.VirtualTime;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Gives claims that have a class their volumes: binds them to volumes that are there, and makes
/// volumes where the class says so.
///
/// ```
///   a change ──► some time later: looks at all volumes and claims, does what is next for each
///       ▲                                   │
///       └───────────────────────────────────┘ until there is nothing to do
/// ```
///
/// In a storm it is late, refuses to make a volume for the selected node, or makes it elsewhere. In
/// a calm it does all that it is asked for. Claims without a class are somebody else's.
public final class VolumeController implements ApiServer.Listener {
    private static final String MADE = "pvc-";

    private final ApiServer server;
    private final Shelf shelf;
    private final PodClaims podClaims;
    private final Chance chance;
    private final LateLook looks;
    private final Consumer<String> story;

    public VolumeController(
            ApiServer server, VirtualTime time, Chance chance, Consumer<String> story) {
        this.server = server;
        this.shelf = new Shelf(server);
        this.podClaims = new PodClaims(server, shelf, story);
        this.chance = chance;
        this.looks = new LateLook(time, chance, 3000, this::look);
        this.story = story;
        server.listen(this);
    }

    public void calm(boolean calm) {
        looks.calm(calm);
    }

    @Override
    public void changed(@Nullable Stored before, @Nullable Stored after) {
        var either = after == null ? before : after;
        if (either == null) {
            return;
        }
        boolean concerns =
                switch (either.object()) {
                    case PersistentVolume _, PersistentVolumeClaim _, StorageClass _ -> true;
                    case Pod pod ->
                            (before == null || after == null) && !pod.spec().volumes().isEmpty();
                    case Node _ -> after == null;
                    default -> false;
                };
        if (concerns) {
            looks.plan();
        }
    }

    private void look() {
        podClaims.look();
        for (var volume : shelf.volumes()) {
            if (!volume.storageClass().isEmpty()) {
                look(volume);
            }
        }
        for (var claim : shelf.claims()) {
            if (!claim.storageClass().isEmpty()) {
                look(claim);
            }
        }
    }

    // --- volumes

    private void look(PersistentVolume volume) {
        var reference = volume.claim();
        if (reference == null) {
            if (!volume.phase().equals("Available")) {
                server.put(volume.toBuilder().phase("Available").build());
            }
            return;
        }
        var claim = shelf.claim(reference.namespace(), reference.name());
        boolean isOver =
                claim == null
                        ? !reference.uid().isEmpty()
                        : !Shelf.isKeptFor(volume, claim)
                                || !claim.volumeName().isEmpty()
                                        && !claim.volumeName().equals(volume.name());
        if (isOver) {
            release(volume);
        }
    }

    private void release(PersistentVolume volume) {
        story.accept("released " + volume.name());
        if (volume.name().startsWith(MADE)) {
            server.remove(Kind.PERSISTENT_VOLUME, volume.name());
        } else {
            server.put(volume.toBuilder().claim(null).phase("Available").build());
        }
    }

    // --- claims

    /// One that is to be deleted stays while a pod uses it, and gets its volume all the same.
    private void look(PersistentVolumeClaim claim) {
        if (claim.isDeleting() && !podClaims.isUsed(claim)) {
            podClaims.remove(claim);
        } else if (claim.isBound()) {
            if (!claim.isLost() && shelf.volume(claim.volumeName()) == null) {
                story.accept("lost " + claim.key());
                server.put(claim.toBuilder().phase(PersistentVolumeClaim.LOST).build());
            }
        } else if (claim.volumeName().isEmpty()) {
            var kept = shelf.keptFor(claim);
            if (kept == null) {
                find(claim);
            } else {
                bind(claim, kept);
            }
        }
    }

    /// The volume first, then the claim, maybe later.
    private void bind(PersistentVolumeClaim claim, PersistentVolume volume) {
        var reference = new ClaimReference(claim.namespace(), claim.name(), claim.uid());
        if (!reference.equals(volume.claim()) || !volume.phase().equals("Bound")) {
            server.put(volume.toBuilder().claim(reference).phase("Bound").build());
            if (!looks.isCalm() && chance.happens(0.5)) {
                return;
            }
        }
        story.accept("bound " + claim.key() + " to " + volume.name());
        server.put(claim.toBuilder().boundTo(volume.name()).phase("Bound").build());
    }

    private void find(PersistentVolumeClaim claim) {
        var storageClass = shelf.classOf(claim);
        if (storageClass == null) {
            return;
        }
        if (storageClass.bindingMode() == BindingMode.IMMEDIATE) {
            var free = smallest(claim);
            if (free != null) {
                bind(claim, free);
            } else if (isMaker(storageClass) && !isLate()) {
                var nodes = server.nodes();
                make(claim, storageClass, nodes.isEmpty() ? null : chance.oneOf(nodes));
            }
        } else if (claim.selectedNode() != null && isMaker(storageClass) && !isLate()) {
            makeForNode(claim, storageClass);
        }
    }

    private @Nullable PersistentVolume smallest(PersistentVolumeClaim claim) {
        var request = claim.request();
        return shelf.volumes().stream()
                .filter(volume -> volume.storageClass().equals(claim.storageClass()))
                .filter(volume -> volume.claim() == null && volume.phase().equals("Available"))
                .filter(volume -> request == null || volume.capacity().compareTo(request) >= 0)
                .min(Comparator.comparing(PersistentVolume::capacity))
                .orElse(null);
    }

    private static boolean isMaker(StorageClass storageClass) {
        return !storageClass.provisioner().equals(StorageClass.NO_PROVISIONER);
    }

    /// Comes back to it some other time.
    private boolean isLate() {
        boolean isLate = !looks.isCalm() && chance.happens(0.3);
        if (isLate) {
            looks.plan();
        }
        return isLate;
    }

    private void makeForNode(PersistentVolumeClaim claim, StorageClass storageClass) {
        var selected = claim.selectedNode();
        var node = selected == null ? null : server.node(selected);
        if (node == null || !looks.isCalm() && chance.happens(0.2)) {
            story.accept("no volume for " + claim.key() + " on " + selected);
            server.put(claim.toBuilder().selectedNode(null).build());
        } else if (!looks.isCalm() && chance.happens(0.1)) {
            make(claim, storageClass, chance.oneOf(server.nodes()));
        } else {
            make(claim, storageClass, node);
        }
    }

    private void make(PersistentVolumeClaim claim, StorageClass by, @Nullable Node node) {
        var request = claim.request();
        var affinity = node == null ? null : zoneOf(node);
        story.accept("made a volume for " + claim.key() + " in " + affinity);
        server.put(
                PersistentVolume.named(MADE + claim.uid())
                        .uid(server.newUid())
                        .storageClass(claim.storageClass())
                        .capacity(request == null ? Quantity.ZERO : request)
                        .source(new Volume.Csi(by.provisioner(), "disk-" + claim.uid()))
                        .claim(new ClaimReference(claim.namespace(), claim.name(), claim.uid()))
                        .nodeAffinity(affinity)
                        .phase("Bound")
                        .build());
    }

    private static @Nullable NodeSelector zoneOf(Node node) {
        var zone = node.labels().value(Node.ZONE_LABEL);
        return zone == null ? null : labelled(Node.ZONE_LABEL, zone);
    }

    /// Nodes with one label.
    public static NodeSelector labelled(String key, String... values) {
        return new NodeSelector(
                List.of(
                        new NodeSelector.Term(
                                List.of(
                                        new Requirement(
                                                key, Requirement.Operator.IN, List.of(values))),
                                List.of())));
    }
}
