package io.berth.plugins.dynamicresources;

import io.berth.api.event.Registration.Hint;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Pod;
import io.berth.api.model.ResourceClaim;
import io.berth.plugins.hint.Hints;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// Which changes of claims and pods may help a pod that waits (contract rule DR-22).
final class ClaimHints {
    private final BiFunction<String, String, @Nullable ResourceClaim> finder;

    /// @param finder of a claim, by namespace and name
    ClaimHints(BiFunction<String, String, @Nullable ResourceClaim> finder) {
        this.finder = finder;
    }

    Hint afterClaim(Pod waiting, @Nullable ClusterObject before, @Nullable ClusterObject after) {
        var was = claim(before);
        var is = claim(after);
        if (is == null) {
            return was == null ? Hint.SKIP : afterEnd(was, waiting);
        }
        boolean isFreed = was != null && was.allocation() != null && is.allocation() == null;
        // Most claims are other pods'. That is told at once, since there may be many of both.
        if (!isFreed && !PodClaims.mayUse(waiting, is)) {
            return Hint.SKIP;
        }
        if (!(PodClaims.of(waiting, finder) instanceof PodClaims.Found found)) {
            return Hint.SKIP;
        }
        if (isFreed) {
            return Hint.QUEUE;
        }
        boolean isOwn = found.claims().stream().anyMatch(each -> each.uid().equals(is.uid()));
        return Hints.queueIf(isOwn && (was == null || !hasSameStatus(was, is)));
    }

    /// A claim that is seen to go with its devices gave them up before, while the watch was broken.
    private Hint afterEnd(ResourceClaim gone, Pod waiting) {
        return Hints.queueIf(
                isLeftover(gone, waiting)
                        || gone.allocation() != null
                                && PodClaims.of(waiting, finder) instanceof PodClaims.Found);
    }

    /// Whether a claim was in the way of the pod that it was made for: upstream waits for the next
    /// flush.
    private static boolean isLeftover(ResourceClaim claim, Pod waiting) {
        return claim.isForExtendedResources()
                && claim.controller() != null
                && claim.controller().uid().equals(waiting.uid());
    }

    /// The pod itself changed: the claims that it waits for may have been made.
    Hint afterPod(Pod waiting, @Nullable ClusterObject before, @Nullable ClusterObject after) {
        var pod = Hints.pod(after);
        return Hints.queueIf(
                pod != null
                        && Hints.isSame(waiting, pod)
                        && PodClaims.of(pod, finder) instanceof PodClaims.Found);
    }

    private static boolean hasSameStatus(ResourceClaim one, ResourceClaim other) {
        boolean hasSameAllocation =
                one.allocation() == null
                        ? other.allocation() == null
                        : one.allocation().equals(other.allocation());
        return hasSameAllocation
                && one.reservedFor().equals(other.reservedFor())
                && one.devices().equals(other.devices());
    }

    private static @Nullable ResourceClaim claim(@Nullable ClusterObject object) {
        return switch (object) {
            case null -> null;
            case ResourceClaim claim -> claim;
            default ->
                    throw new IllegalArgumentException(
                            "expected ResourceClaim, but got "
                                    + object.kind()
                                    + " "
                                    + object.key());
        };
    }
}
