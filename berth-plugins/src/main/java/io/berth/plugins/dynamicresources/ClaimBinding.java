package io.berth.plugins.dynamicresources;

import io.berth.api.device.DeviceAllocation;
import io.berth.api.device.DeviceClaim;
import io.berth.api.handle.ClusterException;
import io.berth.api.handle.ClusterWrites;
import io.berth.api.handle.Handle;
import io.berth.api.handle.SchedulerMetrics;
import io.berth.api.model.GeneratedClaims;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.api.model.ResourceClaim;
import io.berth.api.model.ResourceClaim.Consumer;
import io.berth.api.verdict.PreBindVerdict;
import io.berth.api.write.Write;
import io.berth.api.write.Written;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Writes down which devices the claims of a pod have got, and that the pod uses them (contract
/// rules DR-18 and DR-64). Lives on a binding thread.
///
/// A claim that has changed since it was looked at is read again: most changes do no harm. The same
/// tells what became of a write whose answer was lost; since every write names the version that it
/// is for, it cannot take effect once another was accepted.
///
/// A claim that says already that the pod uses it got there by an earlier attempt, which may have
/// given it up since; the watch may be behind. So it is read as well, for a pod must not be bound
/// to a claim without devices: nothing would ever start it.
final class ClaimBinding {
    private static final int TRIES = 5;

    private final ClusterWrites writes;
    private final SchedulerMetrics metrics;
    private final Releases releases;
    private final boolean hasConditions;
    private final Pod pod;
    private final PodDevices.@Nullable Choice choice;
    private final List<Written> written = new ArrayList<>();

    /// @param hasConditions whether pods wait for conditions of devices
    ClaimBinding(
            Handle handle,
            Releases releases,
            boolean hasConditions,
            Pod pod,
            PodDevices.@Nullable Choice choice) {
        this.writes = handle.writes();
        this.metrics = handle.metrics();
        this.releases = releases;
        this.hasConditions = hasConditions;
        this.pod = pod;
        this.choice = choice;
    }

    PreBindVerdict.Wrote run(List<ResourceClaim> claims) {
        try {
            for (var claim : claims) {
                if (claim.isReservedFor(pod)) {
                    confirm(claim);
                } else {
                    bind(claim);
                }
            }
        } catch (ClusterException failed) {
            return new PreBindVerdict.Wrote(written, String.valueOf(failed.getMessage()));
        }
        return new PreBindVerdict.Wrote(written, null);
    }

    private void confirm(ResourceClaim seen) {
        if (releases.areUnderWay(pod)) {
            throw new ClusterException(
                    ClusterException.Kind.CONFLICT,
                    "claim " + seen.key() + " is being given up by an earlier attempt");
        }
        var now = read(seen, "get claim " + seen.key());
        if (now.resourceVersion().equals(seen.resourceVersion())) {
            return;
        }
        if (!now.uid().equals(seen.uid())) {
            throw refused(seen, "deleted");
        }
        if (now.allocation() != null
                && seen.allocation() != null
                && !isSame(now.allocation(), seen.allocation())) {
            throw refused(seen, "allocated elsewhere");
        }
        wrote(bound(now, null));
    }

    private void bind(ResourceClaim claim) {
        var taken = choice == null ? null : choice.of(claim);
        if (!ExtendedNeeds.isThought(claim)) {
            wrote(bound(claim, taken == null ? null : taken.allocation()));
        } else if (taken != null && choice != null) {
            var made = create(taken.claim().spec());
            wrote(made);
            var bound = bound(made, taken.allocation());
            wrote(bound);
            name(new GeneratedClaims.Extended(bound.name(), choice.mappings()));
        }
    }

    private void wrote(ResourceClaim claim) {
        written.add(new Written(Kind.RESOURCE_CLAIM, claim.key(), claim.resourceVersion(), claim));
    }

    private ResourceClaim create(DeviceClaim spec) {
        try {
            var made = sent(new Write.CreateClaim(pod, spec));
            metrics.claimCreated(true);
            return made;
        } catch (ClusterException failed) {
            metrics.claimCreated(false);
            throw worded(
                    failed,
                    "create claim for extended resources "
                            + pod.namespace()
                            + "/"
                            + ExtendedNeeds.THOUGHT);
        }
    }

    private void name(GeneratedClaims.Extended extended) {
        try {
            writes.send(new Write.NameClaim(pod, extended));
        } catch (ClusterException failed) {
            throw worded(failed, "update pod " + pod.key() + " ExtendedResourceClaimStatus");
        }
    }

    private ResourceClaim bound(ResourceClaim given, @Nullable DeviceAllocation allocation) {
        var claim = given;
        for (int attempt = 1; ; attempt++) {
            try {
                return tryOnce(claim, allocation);
            } catch (ClusterException failed) {
                boolean mayBeOther =
                        failed.kind() == ClusterException.Kind.CONFLICT
                                || failed.kind() == ClusterException.Kind.TIMEOUT;
                if (!mayBeOther || attempt == TRIES) {
                    throw failed;
                }
                claim = read(claim, "get updated claim " + claim.key() + " after conflict");
            }
        }
    }

    private ResourceClaim read(ResourceClaim claim, String what) {
        try {
            return (ResourceClaim)
                    writes.read(Kind.RESOURCE_CLAIM, claim.namespace(), claim.name());
        } catch (ClusterException failed) {
            throw worded(failed, what);
        }
    }

    private ResourceClaim tryOnce(ResourceClaim claim, @Nullable DeviceAllocation allocation) {
        if (claim.isTerminating()) {
            throw refused(claim, "deleted");
        }
        if (allocation == null) {
            return reserved(claim, null);
        }
        if (claim.allocation() == null) {
            return reserved(claim.isProtected() ? claim : protect(claim), allocation);
        }
        if (isSame(claim.allocation(), allocation) && claim.isReservedFor(pod)) {
            return claim;
        }
        throw refused(claim, "allocated elsewhere");
    }

    /// Whether a claim has got what it was to get; the time was set on the way.
    private static boolean isSame(DeviceAllocation one, DeviceAllocation other) {
        return one.results().equals(other.results())
                && one.config().equals(other.config())
                && Objects.equals(one.nodeSelector(), other.nodeSelector());
    }

    private ResourceClaim protect(ResourceClaim claim) {
        try {
            return sent(new Write.ProtectClaim(claim));
        } catch (ClusterException failed) {
            throw worded(failed, "add finalizer to claim " + claim.key());
        }
    }

    private ResourceClaim reserved(ResourceClaim claim, @Nullable DeviceAllocation allocation) {
        var wanted = allocation == null ? claim.allocation() : allocation;
        if (wanted == null) {
            throw refused(claim, "deallocated elsewhere");
        }
        if (claim.isReservedFor(pod)) {
            return claim;
        }
        if (hasConditions && wanted.allocatedAt() == null && choice != null) {
            wanted = wanted.at(choice.at());
        }
        var consumers = new ArrayList<>(claim.reservedFor());
        consumers.add(Consumer.of(pod));
        try {
            return sent(
                    new Write.SetClaimStatus(
                            claim, claim.with(wanted, consumers, claim.devices())));
        } catch (ClusterException failed) {
            throw worded(
                    failed,
                    (allocation == null
                                    ? "add reservation to claim "
                                    : "add allocation and reservation to claim ")
                            + claim.key());
        }
    }

    private ResourceClaim sent(Write write) {
        if (writes.send(write).object() instanceof ResourceClaim claim) {
            return claim;
        }
        throw new ClusterException(
                ClusterException.Kind.TIMEOUT, "the API server did not answer with the claim");
    }

    private static ClusterException refused(ResourceClaim claim, String what) {
        return new ClusterException(
                ClusterException.Kind.REFUSED,
                "claim " + claim.key() + " got " + what + " in the meantime");
    }

    private static ClusterException worded(ClusterException failed, String what) {
        return new ClusterException(failed.kind(), what + ": " + failed.getMessage(), failed);
    }
}
