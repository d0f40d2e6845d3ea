package io.berth.plugins.volumebinding;

import io.berth.api.handle.Handle;
import io.berth.api.handle.Lister;
import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Awaited;
import io.berth.api.write.Written;
import io.berth.plugins.volume.PodClaims;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Waits until all claims of a pod have their volumes, as others see to (VB-17). Reads what was
/// seen, not what is assumed.
final class BoundVolumes implements Awaited {
    private final Handle handle;
    private final Reachable reachable;
    private final Duration limit;
    private final Pod pod;
    private final String nodeName;
    private final PodVolumes.Choice choice;
    private final Lister<PersistentVolume> volumes;
    private final Lister<PersistentVolumeClaim> claims;
    private final Map<String, String> volumeVersions;
    private final Map<String, String> claimVersions;

    BoundVolumes(
            Handle handle,
            Reachable reachable,
            Duration limit,
            Pod pod,
            String nodeName,
            PodVolumes.Choice choice,
            List<Written> written) {
        this.handle = handle;
        this.reachable = reachable;
        this.limit = limit;
        this.pod = pod;
        this.nodeName = nodeName;
        this.choice = choice;
        var listers = handle.listers();
        this.volumes = listers.of(Kind.PERSISTENT_VOLUME, PersistentVolume.class);
        this.claims = listers.of(Kind.PERSISTENT_VOLUME_CLAIM, PersistentVolumeClaim.class);
        this.volumeVersions = versions(written, Kind.PERSISTENT_VOLUME);
        this.claimVersions = versions(written, Kind.PERSISTENT_VOLUME_CLAIM);
    }

    private static Map<String, String> versions(List<Written> written, Kind kind) {
        var result = new HashMap<String, String>();
        for (var each : written) {
            if (each.kind() == kind) {
                result.put(each.key(), each.resourceVersion());
            }
        }
        return result;
    }

    @Override
    public Duration every() {
        return Duration.ofSeconds(1);
    }

    @Override
    public Duration limit() {
        return limit;
    }

    /// Asked once, where it is too late.
    @Override
    public String lateMessage() {
        handle.metrics().volumeStageFailed("bind");
        return "binding volumes: context deadline exceeded";
    }

    @Override
    public boolean hasHappened() {
        try {
            return areAllBound();
        } catch (IllegalStateException hopeless) {
            handle.metrics().volumeStageFailed("bind");
            throw new IllegalStateException("binding volumes: " + hopeless.getMessage(), hopeless);
        }
    }

    private boolean areAllBound() {
        var view = handle.nodes().byName(nodeName);
        if (view == null) {
            throw new IllegalStateException(
                    "failed to get node \"%s\": %s"
                            .formatted(nodeName, PodClaims.notFound("node", nodeName)));
        }
        if (handle.listers().of(Kind.POD, Pod.class).get(pod.namespace(), pod.name()) == null) {
            throw new IllegalStateException(
                    "pod does not exist any more: " + PodClaims.notFound("pod", pod.name()));
        }
        for (var binding : choice.bindings()) {
            if (!isBound(binding, view.node())) {
                return false;
            }
        }
        for (var claim : choice.provisioned()) {
            if (!isProvisioned(claim, view.node())) {
                return false;
            }
        }
        return true;
    }

    private boolean isBound(PodVolumes.Binding binding, Node node) {
        var volume =
                found(
                        volumes.get(binding.volume().name()),
                        "failed to check binding: ",
                        "persistentvolumes",
                        binding.volume().key());
        var claim =
                found(
                        claims.get(binding.claim().namespace(), binding.claim().name()),
                        "failed to check binding: ",
                        "persistentvolumeclaims",
                        binding.claim().key());
        if (isOlder(volume.resourceVersion(), volumeVersions.get(volume.key()))) {
            return false;
        }
        try {
            requireReachable(volume, node);
        } catch (Reachable.UntranslatableException untranslatable) {
            throw new IllegalStateException(
                    "failed to translate pv to csi: " + untranslatable.getMessage(),
                    untranslatable);
        }
        var reference = volume.claim();
        if (reference == null || reference.uid().isEmpty()) {
            throw new IllegalStateException("ClaimRef got reset for pv \"" + volume.name() + "\"");
        }
        return claim.isBound()
                && (claim.volumeName().equals(volume.name()) || isReachable(claim, node));
    }

    /// Pods that share a claim may have been given different volumes for it. The claim gets one of
    /// them, so the others' nodes are held against that one.
    private boolean isReachable(PersistentVolumeClaim claim, Node node) {
        var volume = volumes.get(claim.volumeName());
        if (volume == null) {
            return false;
        }
        requireReachable(volume, node);
        return true;
    }

    private boolean isProvisioned(PersistentVolumeClaim before, Node node) {
        var claim =
                found(
                        claims.get(before.namespace(), before.name()),
                        "failed to check provisioning pvc: ",
                        "persistentvolumeclaims",
                        before.key());
        if (isOlder(claim.resourceVersion(), claimVersions.get(claim.key()))) {
            return false;
        }
        if (!claim.isAnnotated()) {
            throw new IllegalStateException(
                    "selectedNode annotation reset for PVC \"" + claim.name() + "\"");
        }
        if (!nodeName.equals(claim.selectedNode())) {
            throw new IllegalStateException("provisioning failed for PVC \"" + claim.name() + "\"");
        }
        return (claim.volumeName().isEmpty() || isReachable(claim, node)) && claim.isBound();
    }

    private static <T> T found(@Nullable T object, String prefix, String resource, String key) {
        if (object == null) {
            throw new IllegalStateException(prefix + PodClaims.notFound(resource, key));
        }
        return object;
    }

    private void requireReachable(PersistentVolume volume, Node node) {
        if (!reachable.isFrom(node, volume)) {
            throw new IllegalStateException(
                    "pv \"%s\" node affinity doesn't match node \"%s\": no matching NodeSelectorTerms"
                            .formatted(volume.name(), node.name()));
        }
    }

    /// Whether what was seen is older than what was written. Versions are numbers here, as upstream
    /// has it; what is no number counts as seen.
    static boolean isOlder(String seen, @Nullable String written) {
        if (written == null) {
            return false;
        }
        try {
            return Long.parseUnsignedLong(seen) < Long.parseUnsignedLong(written);
        } catch (NumberFormatException opaque) {
            return false;
        }
    }
}
