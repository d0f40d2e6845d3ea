package io.berth.plugins.dynamicresources;

import io.berth.api.model.Pod;
import io.berth.api.model.ResourceClaim;
import java.util.BitSet;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Which claim gives up its devices for a pod that fits nowhere (contract rule DR-15).
final class Deallocation {
    private Deallocation() {}

    /// One of those in the way that nobody else uses, by chance, since none is better than another;
    /// null where there is none.
    static @Nullable ResourceClaim choose(
            Pod pod, List<ResourceClaim> claims, BitSet inTheWay, RandomGenerator random) {
        var free =
                inTheWay.stream()
                        .mapToObj(claims::get)
                        .filter(claim -> isUsedByNobodyBut(pod, claim))
                        .toList();
        return free.isEmpty() ? null : free.get(random.nextInt(free.size()));
    }

    private static boolean isUsedByNobodyBut(Pod pod, ResourceClaim claim) {
        return claim.reservedFor().isEmpty()
                || claim.reservedFor().size() == 1
                        && claim.reservedFor().getFirst().uid().equals(pod.uid());
    }
}
