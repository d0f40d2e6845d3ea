package io.berth.api.write;

import io.berth.api.device.DeviceClaim;
import io.berth.api.model.GeneratedClaims;
import io.berth.api.model.Kind;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.model.Pod;
import io.berth.api.model.PodCondition;
import io.berth.api.model.ResourceClaim;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One change that the scheduler makes in the cluster. Each passes the fence of the leader and
/// stands in its lane, whoever asks for it.
public sealed interface Write {
    /// A change of a pod.
    sealed interface OfPod extends Write {
        Pod pod();
    }

    /// A change of who has which devices.
    sealed interface OfDevices extends Write {}

    /// A change of a resource claim that is there.
    sealed interface OfClaim extends OfDevices {
        ResourceClaim claim();
    }

    /// Gives a pod its node. The pod's uid goes along, so that a pod made anew under the same name
    /// is not bound by mistake.
    record Bind(Pod pod, String node) implements OfPod {}

    /// Sets a condition and, where not null, the nominated node name (empty clears it). Only what
    /// differs from `pod` is sent; nothing is sent where nothing differs. The pod's uid goes along.
    ///
    /// @param isLate whether it lets pass what others wait for
    record PatchStatus(
            Pod pod,
            @Nullable PodCondition condition,
            @Nullable String nominatedNodeName,
            boolean isLate)
            implements OfPod {
        /// A patch that something else waits for.
        public static PatchStatus of(
                Pod pod, @Nullable PodCondition condition, @Nullable String nominatedNodeName) {
            return new PatchStatus(pod, condition, nominatedNodeName, false);
        }
    }

    /// Changes an object of any kind, as RFC 7386 has it: what the patch names is set, null removes
    /// it. Tried once.
    ///
    /// @param namespace empty for a kind that has none
    /// @param subresource such as `status`; empty for the object itself
    /// @param patch a tree of maps, lists, texts, numbers, booleans and null
    record PatchObject(
            Kind kind,
            String namespace,
            String name,
            String subresource,
            Map<String, @Nullable Object> patch)
            implements Write {}

    /// Deletes a pod with its own grace period. Its uid goes along.
    record Delete(Pod pod) implements OfPod {}

    /// Keeps a volume for a claim. Refused where the volume is no longer the version that was
    /// looked at. The answer tells its new version.
    ///
    /// @param isNew whether nobody kept it for that claim before, which the volume is marked with
    record ReserveVolume(PersistentVolume volume, PersistentVolumeClaim claim, boolean isNew)
            implements Write {}

    /// Says for which node a claim's volume is to be made. Refused where the claim is no longer the
    /// version that was looked at. The answer tells its new version.
    record SelectNode(PersistentVolumeClaim claim, String node) implements Write {}

    /// Marks a resource claim to stay while it has devices. Refused where the claim is no longer
    /// the version that was looked at. The answer is the claim.
    record ProtectClaim(ResourceClaim claim) implements OfClaim {}

    /// Changes who has a resource claim and which devices it has; only what differs is sent.
    /// Refused where the claim is no longer the version that was looked at. The answer is the
    /// claim.
    ///
    /// @param wanted as the claim is to be
    record SetClaimStatus(ResourceClaim claim, ResourceClaim wanted) implements OfClaim {}

    /// Says that somebody uses a resource claim no longer, whatever else has become of it. Its uid
    /// goes along.
    ///
    /// @param consumer the uid of who used it
    record ReleaseClaim(ResourceClaim claim, String consumer) implements OfClaim {}

    /// Makes the resource claim for a pod that asks for devices as extended resources. The answer
    /// is the claim.
    record CreateClaim(Pod pod, DeviceClaim spec) implements OfDevices {}

    /// Deletes a resource claim that was made like that, though it was to stay. Its uid goes along.
    record DeleteClaim(ResourceClaim claim) implements OfClaim {}

    /// Says in a pod's status which claim stands for its extended resources. The pod's uid goes
    /// along.
    record NameClaim(Pod pod, GeneratedClaims.Extended extended) implements OfPod, OfDevices {}
}
