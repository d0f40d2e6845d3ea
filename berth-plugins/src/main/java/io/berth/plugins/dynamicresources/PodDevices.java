package io.berth.plugins.dynamicresources;

import io.berth.api.device.DeviceAllocation;
import io.berth.api.handle.Cycle;
import io.berth.api.model.GeneratedClaims.Mapping;
import io.berth.api.model.Node;
import io.berth.api.model.ResourceClaim;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What an attempt knows of a pod's claims, and what was decided about them.
///
/// Written on the engine thread; a binding thread reads what was decided before it began. Dry runs
/// share it, since no other pod changes what it says.
final class PodDevices implements Cycle.Note {
    static final Cycle.Key<PodDevices> KEY = new Cycle.Key<>(PodDevices.class);

    /// A claim for which devices were found.
    ///
    /// @param claim as it was looked at
    record Taken(ResourceClaim claim, DeviceAllocation allocation) {}

    /// What was decided for the node that the pod got.
    ///
    /// @param mappings of the claim for extended resources
    /// @param at when
    record Choice(List<Taken> taken, List<Mapping> mappings, Instant at) {
        Choice {
            taken = List.copyOf(taken);
            mappings = List.copyOf(mappings);
        }

        @Nullable Taken of(ResourceClaim claim) {
            for (var each : taken) {
                if (each.claim.uid().equals(claim.uid())) {
                    return each;
                }
            }
            return null;
        }
    }

    private final List<ResourceClaim> claims;
    private final boolean hasExtended;
    private final Function<Node, OnNode> needs;
    private final BitSet lost;
    private final BitSet inTheWay = new BitSet();
    private @Nullable Choice choice;
    private boolean isReleased;

    /// @param claims of the pod, then the one for its extended resources
    /// @param hasExtended whether the last one is for extended resources
    /// @param needs what it needs on a node
    /// @param lost which of them have devices that will never be ready
    PodDevices(
            List<ResourceClaim> claims,
            boolean hasExtended,
            Function<Node, OnNode> needs,
            BitSet lost) {
        this.claims = new ArrayList<>(claims);
        this.hasExtended = hasExtended;
        this.needs = needs;
        this.lost = lost;
    }

    static PodDevices none() {
        return new PodDevices(List.of(), false, _ -> OnNode.Wanted.NOTHING, new BitSet());
    }

    boolean isEmpty() {
        return claims.isEmpty();
    }

    List<ResourceClaim> claims() {
        return List.copyOf(claims);
    }

    /// Those that the pod's spec names.
    List<ResourceClaim> ownClaims() {
        return List.copyOf(claims.subList(0, claims.size() - (hasExtended ? 1 : 0)));
    }

    /// The claim for extended resources; null where the pod needs none.
    @Nullable ResourceClaim extended() {
        return hasExtended ? claims.getLast() : null;
    }

    OnNode on(Node node) {
        return needs.apply(node);
    }

    Function<Node, OnNode> needs() {
        return needs;
    }

    BitSet lost() {
        return lost;
    }

    /// Which claims have devices that were out of reach of some node.
    BitSet inTheWay() {
        return inTheWay;
    }

    @Nullable Choice choice() {
        return choice;
    }

    void choose(@Nullable Choice made) {
        choice = made;
    }

    /// A claim was written: this is how it is now.
    void wrote(int index, ResourceClaim claim) {
        claims.set(index, claim);
    }

    /// The place of a claim by its key, or of the one for extended resources; -1 where it is none
    /// of these.
    int indexOf(ResourceClaim claim) {
        for (int i = 0; i < claims.size(); i++) {
            if (claims.get(i).key().equals(claim.key())) {
                return i;
            }
        }
        return hasExtended && claim.isForExtendedResources() ? claims.size() - 1 : -1;
    }

    /// Whether this is the first time that the claims are given up.
    boolean release() {
        boolean isFirst = !isReleased;
        isReleased = true;
        return isFirst;
    }

    @Override
    public PodDevices copy() {
        return this;
    }
}
