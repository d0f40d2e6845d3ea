package io.berth.plugins.volume;

import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.model.Pod;
import io.berth.api.spec.Volume;
import org.jspecify.annotations.Nullable;

/// Which claims a pod's volumes are.
public final class PodClaims {
    private PodClaims() {}

    /// The name of the claim behind a volume, in the pod's namespace; null for a volume without.
    public static @Nullable String nameOf(Pod pod, Volume volume) {
        return switch (volume.source()) {
            case Volume.Claim claim -> claim.claimName();
            case Volume.Ephemeral _ -> pod.name() + "-" + volume.name();
            default -> null;
        };
    }

    /// Whether one of the pod's volumes is this claim.
    ///
    /// @param withEphemeral whether claims that are made for the pod count
    public static boolean refersTo(Pod pod, PersistentVolumeClaim claim, boolean withEphemeral) {
        if (!claim.namespace().equals(pod.namespace())) {
            return false;
        }
        for (var volume : pod.spec().volumes()) {
            if (!withEphemeral && volume.source() instanceof Volume.Ephemeral) {
                continue;
            }
            if (claim.name().equals(nameOf(pod, volume))) {
                return true;
            }
        }
        return false;
    }

    /// Whether a claim under the name of one that is made for the pod was made for it. The pod is
    /// its controller then.
    public static boolean isMadeFor(Pod pod, PersistentVolumeClaim claim) {
        return claim.namespace().equals(pod.namespace())
                && !claim.controllerUid().isEmpty()
                && claim.controllerUid().equals(pod.uid());
    }

    /// Why a claim is not the pod's.
    public static String notMadeFor(Pod pod, PersistentVolumeClaim claim) {
        return "PVC "
                + claim.key()
                + " was not created for pod "
                + pod.key()
                + " (pod is not owner)";
    }

    /// What is said where an object of this kind is missing.
    ///
    /// @param kind such as `persistentvolumeclaim`
    public static String notFound(String kind, String name) {
        return kind + " \"" + name + "\" not found";
    }
}
