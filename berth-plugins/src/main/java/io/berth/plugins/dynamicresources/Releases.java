package io.berth.plugins.dynamicresources;

import io.berth.api.handle.ClusterException;
import io.berth.api.handle.Handle;
import io.berth.api.model.Pod;
import io.berth.api.model.ResourceClaim;
import io.berth.api.write.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/// Gives up claims in the cluster (contract rules DR-15 and DR-20). Asked on the engine thread,
/// which does not wait: the writes go out in the background. How many of them there are is the one
/// thing that several threads touch.
final class Releases {
    private final Handle handle;

    /// How many tasks give up claims for a pod, by its uid.
    private final Map<String, Integer> underWay = new ConcurrentHashMap<>();

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

    /// Where it fails for now nothing will change that could wake the pod, so it is tried again.
    private void onBehalfOf(Pod pod, Write write, ResourceClaim claim) {
        start(
                "free " + claim.key(),
                pod,
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
                        return failed.mayRetry();
                    }
                    return false;
                });
    }

    /// @param writes whether the pod is to be tried again
    private void start(String name, Pod pod, BooleanSupplier writes) {
        underWay.merge(pod.uid(), 1, Integer::sum);
        try {
            handle.background(name, () -> run(pod, writes));
        } catch (Throwable noThread) {
            ended(pod);
            throw noThread;
        }
    }

    private void run(Pod pod, BooleanSupplier writes) {
        boolean isToBeTried = false;
        try {
            isToBeTried = writes.getAsBoolean();
        } finally {
            ended(pod);
        }
        if (isToBeTried) {
            handle.activate(List.of(pod));
        }
    }

    private void ended(Pod pod) {
        underWay.computeIfPresent(pod.uid(), (_, count) -> count == 1 ? null : count - 1);
    }

    /// Whether a claim that a pod used, or was to use, is being given up, so that what the claim
    /// says of the pod may change any moment. May be asked from any thread.
    boolean areUnderWay(Pod pod) {
        return underWay.containsKey(pod.uid());
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
            start(
                    "release claims of " + pod.key(),
                    pod,
                    () -> {
                        send(pod, writes);
                        return false;
                    });
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
