package io.berth.plugins.nodevolumelimits;

import io.berth.api.handle.Lister;
import io.berth.api.handle.Listers;
import io.berth.api.label.Labels;
import io.berth.api.model.Kind;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.model.Pod;
import io.berth.api.model.StorageClass;
import io.berth.api.spec.Volume;
import io.berth.plugins.volume.CsiHandles;
import io.berth.plugins.volume.CsiHandles.UntranslatableException;
import io.berth.plugins.volume.InTreeVolume;
import io.berth.plugins.volume.PodClaims;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Finds which volumes drivers have to attach for pods (rules VL-3, VL-4).
final class PodVolumes {
    /// Why a pod's volumes cannot be told.
    static final class UnclearException extends Exception {
        private static final long serialVersionUID = 1;

        /// Whether it is a claim that is not there, which may come.
        final boolean isMissing;

        UnclearException(String message, boolean isMissing) {
            super(message);
            this.isMissing = isMissing;
        }
    }

    /// Stands before the names of claims without a volume, so that no handle is taken for one.
    private static final String UNBOUND = "\0unbound-";

    private final Lister<PersistentVolumeClaim> claims;
    private final Lister<PersistentVolume> volumes;
    private final Lister<StorageClass> classes;

    PodVolumes(Listers listers) {
        this.claims = listers.of(Kind.PERSISTENT_VOLUME_CLAIM, PersistentVolumeClaim.class);
        this.volumes = listers.of(Kind.PERSISTENT_VOLUME, PersistentVolume.class);
        this.classes = listers.of(Kind.STORAGE_CLASS, StorageClass.class);
    }

    /// Whether a pod may have volumes that count.
    static boolean mayCount(Pod pod) {
        for (var volume : pod.spec().volumes()) {
            if (mayCount(volume.source())) {
                return true;
            }
        }
        return false;
    }

    private static boolean mayCount(Volume.Source source) {
        return source instanceof Volume.Claim
                || source instanceof Volume.Ephemeral
                || InTreeVolume.of(source) != null;
    }

    /// How many volumes of a pod may count.
    static int mostThatCount(Pod pod) {
        int most = 0;
        for (var volume : pod.spec().volumes()) {
            most += mayCount(volume.source()) ? 1 : 0;
        }
        return most;
    }

    /// Names the volumes of a pod, one that it mounts twice maybe twice.
    ///
    /// @param isMigrating whether drivers stand in for volumes of old on the node
    /// @param isNew whether the pod is to be placed and so needs all of its claims
    void of(Pod pod, boolean isMigrating, boolean isNew, Consumer<AttachedVolume> into)
            throws UnclearException {
        for (var volume : pod.spec().volumes()) {
            var name = PodClaims.nameOf(pod, volume);
            var found =
                    name == null
                            ? inline(volume, isMigrating)
                            : claimed(pod, volume, name, isMigrating, isNew);
            if (found != null) {
                into.accept(found);
            }
        }
    }

    private static @Nullable AttachedVolume inline(Volume volume, boolean isMigrating)
            throws UnclearException {
        var known = InTreeVolume.of(volume.source());
        if (known == null || !isMigrating || !known.isMigrated()) {
            return null;
        }
        try {
            var handle = CsiHandles.of(volume.source(), Labels.EMPTY);
            return new AttachedVolume(known.driver(), handle);
        } catch (UntranslatableException cause) {
            throw new UnclearException(
                    "converting volume("
                            + volume.name()
                            + ") from inline to csi: "
                            + cause.getMessage(),
                    false);
        }
    }

    private @Nullable AttachedVolume claimed(
            Pod pod, Volume volume, String name, boolean isMigrating, boolean isNew)
            throws UnclearException {
        if (name.isEmpty()) {
            throw new UnclearException("PersistentVolumeClaim had no name", false);
        }
        var claim = claims.get(pod.namespace(), name);
        if (claim == null) {
            if (isNew) {
                throw new UnclearException(
                        "looking up PVC "
                                + pod.namespace()
                                + "/"
                                + name
                                + ": "
                                + PodClaims.notFound("persistentvolumeclaim", name),
                        true);
            }
            return null;
        }
        if (volume.source() instanceof Volume.Ephemeral && !PodClaims.isMadeFor(pod, claim)) {
            throw new UnclearException(PodClaims.notMadeFor(pod, claim), false);
        }
        return ofClaim(claim, isMigrating);
    }

    private @Nullable AttachedVolume ofClaim(PersistentVolumeClaim claim, boolean isMigrating) {
        var volume = claim.volumeName().isEmpty() ? null : volumes.get(claim.volumeName());
        var found = volume == null ? ofClass(claim, isMigrating) : ofVolume(volume, isMigrating);
        return found == null || found.driver().isEmpty() || found.handle().isEmpty() ? null : found;
    }

    private static @Nullable AttachedVolume ofVolume(PersistentVolume volume, boolean isMigrating) {
        if (volume.source() instanceof Volume.Csi(String driver, String handle)) {
            return new AttachedVolume(driver, handle);
        }
        var known = InTreeVolume.of(volume.source());
        if (known == null || !isMigrating || !known.isMigrated()) {
            return null;
        }
        try {
            var handle = CsiHandles.of(volume.source(), volume.labels());
            return new AttachedVolume(known.driver(), handle);
        } catch (UntranslatableException unknown) {
            return null;
        }
    }

    /// A volume that is still to be made counts for whoever will make it.
    private @Nullable AttachedVolume ofClass(PersistentVolumeClaim claim, boolean isMigrating) {
        var found = claim.storageClass().isEmpty() ? null : classes.get(claim.storageClass());
        if (found == null) {
            return null;
        }
        var known = InTreeVolume.ofPlugin(found.provisioner());
        String handle = UNBOUND + claim.key();
        if (known == null) {
            return new AttachedVolume(found.provisioner(), handle);
        }
        return isMigrating && known.isMigrated()
                ? new AttachedVolume(known.driver(), handle)
                : null;
    }
}
