package io.berth.plugins.device;

import io.berth.api.amount.Quantity;
import io.berth.api.device.Device;
import io.berth.api.device.DeviceId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Looks for devices for all claims of a pod on one node: depth first over claims, requests and
/// devices, in that order; the first full solution is the one (contract rules DR-33 to DR-37).
///
/// Within a request only later devices are tried, since the order of its devices does not matter;
/// each request starts from the beginning.
final class Search {
    /// How many devices are looked at between two looks at the clock, less one: some milliseconds.
    private static final int STEPS_BETWEEN_LOOKS = (1 << 14) - 1;

    private enum Outcome {
        DONE,
        IMPOSSIBLE,
        /// More devices than a claim can have, whatever devices the requests before it get.
        TOO_MANY
    }

    /// A device that was chosen.
    ///
    /// @param share what it takes of a device that can be shared; null for a whole device
    record Chosen(Wanted wanted, Candidate candidate, @Nullable Map<String, Quantity> share) {}

    /// Where a search has come to.
    private record Place(int claim, int request, int alternative, int device) {
        Place nextDevice() {
            return new Place(claim, request, alternative, device + 1);
        }

        Place nextRequest() {
            return new Place(claim, request + 1, 0, 0);
        }

        Place nextClaim() {
            return new Place(claim + 1, 0, 0, 0);
        }
    }

    private final DeviceFeatures features;
    private final List<Pool> pools;
    private final Selection selection;
    private final Taken taken;
    private final List<ClaimPlan> plans;
    private final Patience patience;
    private final List<List<Chosen>> chosen = new ArrayList<>();

    /// Of each request that is a list: which of it was chosen.
    private final int[][] alternatives;

    private long steps;

    Search(
            DeviceFeatures features,
            List<Pool> pools,
            Selection selection,
            Taken taken,
            List<ClaimPlan> plans,
            Patience patience) {
        this.features = features;
        this.pools = pools;
        this.selection = selection;
        this.taken = taken;
        this.plans = plans;
        this.patience = patience;
        this.alternatives = new int[plans.size()][];
        for (int i = 0; i < plans.size(); i++) {
            chosen.add(new ArrayList<>());
            alternatives[i] = new int[plans.get(i).requests().size()];
        }
    }

    /// @return whether there is a solution
    boolean run() throws AllocationException {
        return from(new Place(0, 0, 0, 0), false, 0, 0, 0) == Outcome.DONE;
    }

    List<Chosen> chosen(int claim) {
        return chosen.get(claim);
    }

    /// What a request was satisfied by.
    Wanted wanted(int claim, int request) {
        return plans.get(claim).requests().get(request).get(alternatives[claim][request]);
    }

    private Outcome from(Place at, boolean isWithin, int pool, int slice, int device)
            throws AllocationException {
        if (at.claim == plans.size()) {
            return Outcome.DONE;
        }
        var plan = plans.get(at.claim);
        if (at.request == plan.requests().size()) {
            // Another choice in this claim may let a list in the next one choose what is smaller.
            var rest = from(at.nextClaim(), false, 0, 0, 0);
            return rest == Outcome.TOO_MANY ? Outcome.IMPOSSIBLE : rest;
        }
        var list = plan.requests().get(at.request);
        if (!isWithin && list.getFirst().isSubrequest()) {
            return anyOf(at, list.size());
        }
        var wanted = list.get(at.alternative);
        if (wanted.ask().isForAll() && wanted.all().isEmpty()) {
            return Outcome.IMPOSSIBLE;
        }
        if (at.device >= wanted.count()) {
            return from(at.nextRequest(), false, 0, 0, 0);
        }
        if (chosen.get(at.claim).size() + wanted.count() - at.device > ClaimPlan.MAX_RESULTS) {
            return Outcome.TOO_MANY;
        }
        return wanted.ask().isForAll()
                ? thisOne(at, wanted, isWithin)
                : oneOf(at, wanted, isWithin, pool, slice, device);
    }

    private Outcome anyOf(Place at, int count) throws AllocationException {
        boolean areAllTooMany = true;
        for (int i = 0; i < count; i++) {
            var outcome = from(new Place(at.claim, at.request, i, at.device), true, 0, 0, 0);
            if (outcome == Outcome.TOO_MANY) {
                continue;
            }
            areAllTooMany = false;
            if (outcome == Outcome.DONE) {
                alternatives[at.claim][at.request] = i;
                return outcome;
            }
        }
        return areAllTooMany ? Outcome.TOO_MANY : Outcome.IMPOSSIBLE;
    }

    /// The next device of a request for all: it, or none.
    private Outcome thisOne(Place at, Wanted wanted, boolean isWithin) throws AllocationException {
        var candidate = wanted.all().get(at.device);
        step();
        if (!take(at, wanted, candidate)) {
            return Outcome.IMPOSSIBLE;
        }
        var rest = from(at.nextDevice(), isWithin, 0, 0, 0);
        if (rest != Outcome.DONE) {
            giveBack(at);
        }
        return rest;
    }

    private Outcome oneOf(
            Place at, Wanted wanted, boolean isWithin, int pool, int slice, int device)
            throws AllocationException {
        String claim = plans.get(at.claim).claim().key();
        for (int p = pool; p < pools.size(); p++) {
            if (!pools.get(p).isUsable()) {
                continue;
            }
            var views = pools.get(p).slices();
            for (int s = p == pool ? slice : 0; s < views.size(); s++) {
                var view = views.get(s);
                int count = view.slice().devices().size();
                for (int d = p == pool && s == slice ? device : 0; d < count; d++) {
                    step();
                    if (isInUse(wanted, view.id(d), at.claim)) {
                        continue;
                    }
                    var candidate = new Candidate(pools.get(p), view, d);
                    if (!selection.includes(
                                    candidate, wanted.selectors(), wanted.deviceClass(), claim)
                            || !hasRoom(wanted, candidate)
                            || !take(at, wanted, candidate)) {
                        continue;
                    }
                    var rest = from(at.nextDevice(), isWithin, p, s, d + 1);
                    if (rest == Outcome.DONE) {
                        return rest;
                    }
                    giveBack(at);
                    if (rest == Outcome.TOO_MANY) {
                        return rest;
                    }
                }
            }
        }
        return Outcome.IMPOSSIBLE;
    }

    private void step() throws AllocationException {
        if ((++steps & STEPS_BETWEEN_LOOKS) == 0 && patience.isOver()) {
            throw new AllocationException(
                    AllocationException.Reach.TOO_LONG, "timed out trying to allocate devices");
        }
    }

    private boolean isInUse(Wanted wanted, DeviceId device, int claim) {
        return wanted.ask().isAdmin() ? taken.isTakenFor(device, claim) : taken.isInUse(device);
    }

    /// Takes a device, unless something speaks against it (DR-35).
    private boolean take(Place at, Wanted wanted, Candidate candidate) throws AllocationException {
        var device = candidate.device();
        boolean isShare = features.consumableCapacity() && device.isShareable();
        boolean isAdmin = wanted.ask().isAdmin();
        if (!(isAdmin && isShare) && isInUse(wanted, candidate.id(), at.claim)
                || !features.partitionable() && !device.consumes().isEmpty()) {
            return false;
        }
        boolean needsCounters =
                !device.consumes().isEmpty() && !(isShare && taken.isShared(candidate.id()));
        if (needsCounters && !taken.takeCounters(candidate)) {
            return false;
        }
        if (features.taints() && isKeptAway(device, wanted) || !admit(at, wanted, candidate)) {
            giveBackCounters(needsCounters, candidate);
            return false;
        }
        if (!hasRoom(wanted, candidate)) {
            removeFromConstraints(at, wanted);
            giveBackCounters(needsCounters, candidate);
            return false;
        }
        if (isShare) {
            var amounts = Capacities.taken(wanted.ask(), device);
            taken.takeShare(candidate.id(), amounts);
            chosen.get(at.claim).add(new Chosen(wanted, candidate, amounts));
        } else {
            taken.take(candidate.id(), at.claim);
            chosen.get(at.claim).add(new Chosen(wanted, candidate, null));
        }
        return true;
    }

    private boolean hasRoom(Wanted wanted, Candidate candidate) {
        return !features.consumableCapacity() || taken.hasRoom(wanted.ask(), candidate);
    }

    private void giveBackCounters(boolean wereTaken, Candidate candidate) {
        if (wereTaken) {
            taken.giveBackCounters(candidate);
        }
    }

    private void removeFromConstraints(Place at, Wanted wanted) {
        var constraints = plans.get(at.claim).constraints();
        for (int i = constraints.size() - 1; i >= 0; i--) {
            constraints.get(i).remove(wanted);
        }
    }

    private static boolean isKeptAway(Device device, Wanted wanted) {
        for (var taint : device.taints()) {
            if (!taint.keepsPodsAway()) {
                continue;
            }
            boolean isTolerated = false;
            for (var toleration : wanted.ask().tolerations()) {
                isTolerated |= toleration.tolerates(taint);
            }
            if (!isTolerated) {
                return true;
            }
        }
        return false;
    }

    private boolean admit(Place at, Wanted wanted, Candidate candidate) throws AllocationException {
        var plan = plans.get(at.claim);
        var constraints = plan.constraints();
        for (int i = 0; i < constraints.size(); i++) {
            if (constraints.get(i).add(candidate.id().driver(), candidate.device(), wanted)) {
                continue;
            }
            for (int j = i - 1; j >= 0; j--) {
                constraints.get(j).remove(wanted);
            }
            if (wanted.ask().isForAll()) {
                throw ClaimPlan.problem(
                        plan.claim(),
                        wanted.ask().name(),
                        "cannot add device "
                                + candidate.id()
                                + " because a claim constraint would not be satisfied");
            }
            return false;
        }
        return true;
    }

    /// Gives back the latest device of a claim.
    private void giveBack(Place at) {
        var last = chosen.get(at.claim).removeLast();
        var candidate = last.candidate();
        if (last.share() == null) {
            taken.giveBack(candidate.id(), at.claim);
        } else {
            taken.giveBackShare(candidate.id());
        }
        removeFromConstraints(at, last.wanted());
        // The counters of a shared device were taken by its first share.
        if (!candidate.device().consumes().isEmpty()
                && (last.share() == null || !taken.isShared(candidate.id()))) {
            taken.giveBackCounters(candidate);
        }
    }
}
