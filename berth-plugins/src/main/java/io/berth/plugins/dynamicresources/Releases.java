package io.berth.plugins.dynamicresources;

import io.berth.api.handle.ClusterException;
import io.berth.api.handle.Handle;
import io.berth.api.model.Pod;
import io.berth.api.model.ResourceClaim;
import io.berth.api.write.Write;
import java.util.ArrayList;
import java.util.List;

/// Gives up claims in the cluster (contract rules DR-15 and DR-20). Asked on the engine thread,
/// which does not wait: the writes go out in the background.
final class Releases {
    private final Handle handle;

    Releases(Handle handle) {
        this.handle = handle;
    }

    /// Takes the devices of a claim away, for a pod that waits for that.
    void deallocate(Pod pod, ResourceClaim claim) {
        var free = claim.with(null, List.of(), List.of());
        onBehalfOf(pod, new Write.SetClaimStatus(claim, free), claim);
    }

    /// Deletes a claim for extended resources, for a pod that waits for that.
    void delete(Pod pod, ResourceClaim claim) {
        onBehalfOf(pod, new Write.DeleteClaim(claim), claim);
    }

    /// Where it fails nothing will change that could wake the pod, so it is tried again.
    private void onBehalfOf(Pod pod, Write write, ResourceClaim claim) {
        handle.background(
                "free " + claim.key(),
                () -> {
                    try {
                        handle.writes().send(write);
                    } catch (ClusterException failed) {
                        handle.log()
                                .error(
                                        failed,
                                        "Deallocation of ResourceClaim failed",
                                        "pod",
                                        pod.key(),
                                        "resourceclaim",
                                        claim.key());
                        handle.activate(List.of(pod));
                    }
                });
    }

    /// A pod does not use its claims after all. What fails here is put right when it is tried
    /// again.
    void release(Pod pod, PodDevices notes) {
        var writes = new ArrayList<Write.OfDevices>();
        for (var claim : notes.ownClaims()) {
            if (claim.allocation() != null && claim.isReservedFor(pod)) {
                writes.add(new Write.ReleaseClaim(claim, pod.uid()));
            }
        }
        var extended = notes.extended();
        if (extended != null && !ExtendedNeeds.isThought(extended)) {
            writes.add(new Write.DeleteClaim(extended));
        }
        if (!writes.isEmpty()) {
            handle.background("release claims of " + pod.key(), () -> send(pod, writes));
        }
    }

    private void send(Pod pod, List<Write.OfDevices> writes) {
        for (var write : writes) {
            try {
                handle.writes().send(write);
            } catch (ClusterException failed) {
                handle.log().error(failed, "unreserve", "pod", pod.key());
            }
        }
    }
}
