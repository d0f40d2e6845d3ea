package io.berth.sim.invariant;

import io.berth.api.amount.Quantity;
import io.berth.api.device.DeviceAllocation;
import io.berth.api.device.DeviceId;
import io.berth.api.handle.ClusterException;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.api.model.ResourceClaim;
import io.berth.api.model.ResourceSlice;
import io.berth.api.write.Write;
import io.berth.engine.Inspection;
import io.berth.plugins.dynamicresources.DynamicResources;
import io.berth.sim.plain.Broken;
import io.berth.sim.plain.PlainCluster;
import io.berth.sim.plain.PlainDevices;
import io.berth.sim.plain.PlainDevices.Grant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A pod's claims get the devices that a plain reading gives them, which nobody else has, and are
/// reserved for the pod, which is not bound before. When all is at rest, none is taken in thought,
/// what the scheduler believes of claims is what was seen of them, and nothing is reserved for a
/// pod that is gone or, as far as the scheduler could take it back, for one that waits.
final class DeviceGrants implements Invariant {
    private static final String RELEASE = "release claims of ";

    private final Watched watched;
    private final PromisedVolumes promised;
    private final Bindings bindings;

    /// What claims are to get, by their uid.
    private final Map<String, List<Grant>> expected = new HashMap<>();

    /// Claims that pods took devices for, by the pod's uid.
    private final Map<String, List<ResourceClaim>> byPod = new HashMap<>();

    /// Of a choice after which nothing else was decided yet.
    private List<ResourceClaim> fresh = List.of();

    /// Uids of pods whose reservations this process made, or began to make.
    private final Set<String> reserved = new HashSet<>();

    /// Uids of pods that were given a node.
    private final Set<String> chosen = new HashSet<>();

    /// Uids of pods whose reservations could not be taken back, or maybe not.
    private final Set<String> unreleased = new HashSet<>();

    /// The most that a device ever had when somebody was placed, by name.
    private final Map<DeviceId, Map<String, Quantity>> capacities = new HashMap<>();

    /// Whether devices were given away since they were last counted.
    private boolean isToBeCounted;

    DeviceGrants(Watched watched, PromisedVolumes promised, Bindings bindings) {
        this.watched = watched;
        this.bindings = bindings;
        this.promised = promised;
    }

    // --- what is taken

    @Override
    public void atAttempt(Pod pod) {
        checkTaken();
    }

    @Override
    public void afterStep() {
        checkTaken();
    }

    @Override
    public void atChoice(Pod pod, String nodeName) {
        if (pod.spec().resourceClaims().isEmpty()
                || !watched.pluginsFor(pod).contains(DynamicResources.NAME)) {
            return;
        }
        chosen.add(pod.uid());
        var engine = Inspection.of(watched.engine());
        var cluster =
                PlainCluster.of(
                        engine.state().nodes().all(), engine.objects(), promised.promises());
        var place = cluster.place(nodeName);
        var grants = place == null ? null : cluster.devices().grants(pod, place.node());
        if (grants == null) {
            // Somebody else says so.
            return;
        }
        noteCapacities(engine.objects().of(Kind.RESOURCE_SLICE, ResourceSlice.class).all());
        var claims = new ArrayList<ResourceClaim>();
        for (var claim : promised.claims().all()) {
            var own = grants.stream().filter(each -> each.claimUid().equals(claim.uid())).toList();
            if (!own.isEmpty()) {
                expected.put(claim.uid(), own);
                claims.add(claim);
            }
        }
        byPod.put(pod.uid(), claims);
        fresh = claims;
    }

    private void checkTaken() {
        var claims = fresh;
        fresh = List.of();
        for (var claim : claims) {
            var known = promised.claims().find(claim.namespace(), claim.name());
            var taken = promised.claims().inFlight().get(claim.uid());
            Broken.require(
                    taken != null
                            || known == null
                            || !known.uid().equals(claim.uid())
                            || known.allocation() != null,
                    "no devices were taken for %s",
                    claim.key());
            if (taken != null) {
                require(claim, taken.allocation());
            }
        }
    }

    private void require(ResourceClaim claim, @Nullable DeviceAllocation allocation) {
        var wanted = expected.get(claim.uid());
        if (wanted == null || allocation == null) {
            return;
        }
        var got =
                allocation.results().stream()
                        .map(each -> new Grant(claim.uid(), each.request(), each.device()))
                        .toList();
        Broken.require(
                got.equals(wanted), "%s is to get %s instead of %s", claim.key(), got, wanted);
    }

    @Override
    public void atReturn(Pod pod) {
        fresh = List.of();
        var own = byPod.remove(pod.uid());
        if (own != null) {
            own.forEach(claim -> expected.remove(claim.uid()));
        }
    }

    // --- what is written

    @Override
    public void atWrite(Write write) {
        if (write instanceof Write.SetClaimStatus(var claim, var wanted)
                && wanted.allocation() != null) {
            if (claim.allocation() == null) {
                require(claim, wanted.allocation());
            }
            wanted.reservedFor().stream()
                    .filter(user -> !claim.reservedFor().contains(user))
                    .forEach(user -> reserved.add(user.uid()));
            checkNewUser(claim, wanted);
        } else if (write instanceof Write.Bind(var pod, _)) {
            checkUsed(pod);
        }
    }

    /// Whoever is brought to a node says of itself that it uses a claim, and of nobody else.
    private void checkNewUser(ResourceClaim claim, ResourceClaim wanted) {
        var added = new ArrayList<>(wanted.reservedFor());
        added.removeAll(claim.reservedFor());
        Broken.require(
                wanted.reservedFor().containsAll(claim.reservedFor())
                        && added.size() == 1
                        // As in `prepare default/p1 DynamicResources`.
                        && (watched.task() + " ")
                                .contains(
                                        " %s/%s "
                                                .formatted(
                                                        claim.namespace(), added.getFirst().name()))
                        && chosen.contains(added.getFirst().uid()),
                "%s says of %s that %s use it",
                watched.task(),
                claim.key(),
                added);
    }

    /// Nobody frees a claim while a pod uses it that is there, except for a scheduler that gives up
    /// an earlier attempt, and has to know what came of that before it binds the pod. One that
    /// somebody else has brought to a node may have come to its end since; the server refuses it.
    private void checkUsed(Pod pod) {
        var now = watched.server().pod(pod.key());
        if (now == null
                || !now.uid().equals(pod.uid())
                || now.isAssigned()
                || watched.doubtful().contains(pod.uid())
                || !chosen.contains(pod.uid())) {
            return;
        }
        for (var reference : pod.spec().resourceClaims()) {
            var key = pod.namespace() + "/" + PlainDevices.claimName(pod, reference);
            var stored = watched.server().find(Kind.RESOURCE_CLAIM, key);
            Broken.require(
                    stored != null
                            && stored.object() instanceof ResourceClaim claim
                            && claim.allocation() != null
                            && claim.isReservedFor(pod),
                    "%s is bound, but does not have %s",
                    pod.key(),
                    stored);
        }
    }

    @Override
    public void atEffect(Write write, boolean isLate) {
        isToBeCounted |= write instanceof Write.SetClaimStatus;
        if (isLate && write instanceof Write.SetClaimStatus(var claim, var wanted)) {
            claim.reservedFor().forEach(user -> watched.doubtful().add(user.uid()));
            wanted.reservedFor().forEach(user -> watched.doubtful().add(user.uid()));
        } else if (isLate && write instanceof Write.ReleaseClaim(_, var consumer)) {
            watched.doubtful().add(consumer);
        }
    }

    @Override
    public void atAnswer(Write write, @Nullable ClusterException failure) {
        if (failure == null) {
            return;
        }
        if (write instanceof Write.ReleaseClaim(_, var consumer)) {
            unreleased.add(consumer);
        } else if (write instanceof Write.SetClaimStatus(_, var wanted)) {
            // It may have been carried out all the same.
            wanted.reservedFor().forEach(user -> unreleased.add(user.uid()));
        }
    }

    @Override
    public void atNoThread(String name) {
        if (name.startsWith(RELEASE)) {
            var pod = watched.server().pod(name.substring(RELEASE.length()));
            if (pod != null) {
                unreleased.add(pod.uid());
            }
        }
    }

    // --- the truth

    /// Nobody but the scheduler gives devices away, so only what it writes can be wrong.
    @Override
    public void afterChange() {
        if (!watched.isStrict() || !isToBeCounted) {
            return;
        }
        isToBeCounted = false;
        var owners = new HashMap<DeviceId, String>();
        var consumed = new HashMap<DeviceId, Map<String, Quantity>>();
        for (var stored : watched.server().list(Kind.RESOURCE_CLAIM)) {
            var claim = (ResourceClaim) stored.object();
            var allocation = claim.allocation();
            if (allocation == null) {
                continue;
            }
            for (var result : allocation.results()) {
                if (result.isAdmin()) {
                    continue;
                }
                if (result.shareId() == null) {
                    var other = owners.put(result.device(), claim.key());
                    Broken.require(
                            other == null,
                            "%s belongs to %s and to %s",
                            result.device(),
                            other,
                            claim.key());
                } else {
                    var sums = consumed.computeIfAbsent(result.device(), _ -> new HashMap<>());
                    result.consumedCapacity()
                            .forEach((name, amount) -> sums.merge(name, amount, Quantity::plus));
                }
            }
        }
        consumed.forEach(this::checkConsumed);
    }

    /// A device may have less than it had when it was given away.
    private void checkConsumed(DeviceId device, Map<String, Quantity> sums) {
        sums.forEach((name, sum) -> {
            var most = most(device, name);
            Broken.require(
                    sum.compareTo(most) <= 0,
                    "of %s of %s %s is given away, and there were never more than %s",
                    name,
                    device,
                    sum,
                    most);
        });
    }

    private Quantity most(DeviceId device, String name) {
        return capacities.getOrDefault(device, Map.of()).getOrDefault(name, Quantity.ZERO);
    }

    private void noteCapacities(Collection<ResourceSlice> seen) {
        for (var slice : seen) {
            for (var device : slice.devices()) {
                if (device.isShareable()) {
                    var id = new DeviceId(slice.driver(), slice.pool().name(), device.name());
                    var own = capacities.computeIfAbsent(id, _ -> new HashMap<>());
                    device.capacity()
                            .forEach((name, each) ->
                                    own.merge(name, each.value(), DeviceGrants::larger));
                }
            }
        }
    }

    private static Quantity larger(Quantity one, Quantity other) {
        return one.compareTo(other) < 0 ? other : one;
    }

    @Override
    public void atRest() {
        fresh = List.of();
        expected.clear();
        byPod.clear();
        Broken.require(
                promised.claims().inFlight().isEmpty(),
                "devices are taken for ever: %s",
                promised.claims().inFlight());
        for (var seen : promised.claims().seen()) {
            var believed = promised.claims().find(seen.namespace(), seen.name());
            Broken.require(
                    seen.equals(believed), "%s was seen, but %s is believed", seen, believed);
            checkUsers(seen);
        }
    }

    private void checkUsers(ResourceClaim claim) {
        for (var user : claim.reservedFor()) {
            var pod = watched.server().pod(claim.namespace() + "/" + user.name());
            Broken.require(
                    pod != null && pod.uid().equals(user.uid()),
                    "%s is reserved for %s, which is gone",
                    claim.key(),
                    user.name());
            Broken.require(
                    pod == null
                            || pod.isAssigned()
                            || bindings.unanswered().contains(user.uid())
                            || !reserved.contains(user.uid())
                            || unreleased.contains(user.uid())
                            || watched.doubtful().contains(user.uid()),
                    "%s is reserved for %s, which waits",
                    claim.key(),
                    user.name());
        }
    }
}
