package io.berth.plugins.device;

import io.berth.api.device.DeviceClaim;
import io.berth.api.device.DeviceClaim.Ask;
import io.berth.api.model.DeviceClass;
import io.berth.api.model.ResourceClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A claim, checked and ready for a search on one node (contract rules DR-30 to DR-32).
///
/// @param requests for each request what may satisfy it: one thing, or subrequests in their order
record ClaimPlan(ResourceClaim claim, List<List<Wanted>> requests, List<Constraint> constraints) {
    static final int MAX_RESULTS = 32;

    /// Makes plans for one node.
    static final class Maker {
        private final DeviceFeatures features;
        private final Function<String, @Nullable DeviceClass> classes;
        private final List<Pool> pools;
        private final Selection selection;
        private final Taken taken;

        Maker(
                DeviceFeatures features,
                Function<String, @Nullable DeviceClass> classes,
                List<Pool> pools,
                Selection selection,
                Taken taken) {
            this.features = features;
            this.classes = classes;
            this.pools = pools;
            this.selection = selection;
            this.taken = taken;
        }

        ClaimPlan plan(ResourceClaim claim) throws AllocationException {
            var requests = new ArrayList<List<Wanted>>();
            long least = 0;
            for (var request : claim.spec().requests()) {
                var alternatives = alternatives(claim, request);
                requests.add(alternatives);
                least += alternatives.stream().mapToLong(Wanted::count).min().orElse(0);
            }
            if (least > MAX_RESULTS) {
                throw AllocationException.fatal(
                        "claim "
                                + claim.key()
                                + ": number of requested devices "
                                + least
                                + " exceeds the claim limit of "
                                + MAX_RESULTS);
            }
            return new ClaimPlan(claim, requests, constraints(claim));
        }

        private List<Wanted> alternatives(ResourceClaim claim, DeviceClaim.Request request)
                throws AllocationException {
            boolean isList = !request.firstAvailable().isEmpty();
            if (isList && !features.prioritizedList()) {
                throw problem(
                        claim,
                        request.name(),
                        "has subrequests, but the DRAPrioritizedList feature is disabled");
            }
            checkCapacity(claim, request);
            var result = new ArrayList<Wanted>();
            for (var ask : request.firstAvailable()) {
                result.add(wanted(claim, request.name(), ask, true));
            }
            if (!isList) {
                if (request.exactly() == null) {
                    throw problem(
                            claim,
                            request.name(),
                            "missing device class name (unsupported request type?)");
                }
                result.add(wanted(claim, request.name(), request.exactly(), false));
            }
            return result;
        }

        private void checkCapacity(ResourceClaim claim, DeviceClaim.Request request)
                throws AllocationException {
            String disabled =
                    "has capacity requests, but the DRAConsumableCapacity feature is disabled";
            if (features.consumableCapacity()) {
                return;
            }
            if (request.exactly() != null && request.exactly().capacity() != null) {
                throw problem(claim, request.name(), disabled);
            }
            for (var ask : request.firstAvailable()) {
                if (ask.capacity() != null) {
                    throw AllocationException.fatal(
                            "claim "
                                    + claim.key()
                                    + ", subrequest "
                                    + ask.name()
                                    + ": "
                                    + disabled);
                }
            }
        }

        private Wanted wanted(
                ResourceClaim claim, String requestName, Ask ask, boolean isSubrequest)
                throws AllocationException {
            int emptySelector = ask.selectors().indexOf("");
            if (emptySelector >= 0) {
                throw AllocationException.fatal(
                        "claim "
                                + claim.key()
                                + ", request "
                                + ask.name()
                                + ", selector #"
                                + emptySelector
                                + ": CEL expression empty (unsupported selector type?)");
            }
            if (ask.adminAccess() != null && !features.adminAccess()) {
                throw problem(
                        claim,
                        ask.name(),
                        "admin access is requested, but the feature is disabled");
            }
            if (ask.deviceClass().isEmpty()) {
                throw problem(
                        claim, ask.name(), "missing device class name (unsupported request type?)");
            }
            var deviceClass = classes.apply(ask.deviceClass());
            if (deviceClass == null) {
                throw problem(
                        claim,
                        ask.name(),
                        "could not retrieve device class "
                                + ask.deviceClass()
                                + ": deviceclass.resource.k8s.io \""
                                + ask.deviceClass()
                                + "\" not found");
            }
            var selectors = new SelectorSet(deviceClass.selectors(), ask.selectors());
            List<Candidate> all =
                    switch (ask.mode()) {
                        case Ask.EXACT_COUNT -> List.of();
                        case Ask.ALL -> all(claim, ask, deviceClass, selectors);
                        default ->
                                throw problem(
                                        claim, ask.name(), "unsupported count mode " + ask.mode());
                    };
            long count = ask.isForAll() ? all.size() : ask.count();
            return new Wanted(
                    requestName,
                    isSubrequest,
                    ask,
                    deviceClass,
                    selectors,
                    (int) Math.min(count, Integer.MAX_VALUE),
                    all);
        }

        private List<Candidate> all(
                ResourceClaim claim, Ask ask, DeviceClass deviceClass, SelectorSet selectors)
                throws AllocationException {
            var result = new ArrayList<Candidate>();
            for (var pool : pools) {
                if (!pool.isUsable()) {
                    throw problem(
                            claim,
                            ask.name(),
                            "asks for all devices, but resource pool "
                                    + pool.id()
                                    + " is currently "
                                    + (pool.isIncomplete() ? "being updated" : "invalid"));
                }
                for (var view : pool.slices()) {
                    for (int i = 0; i < view.slice().devices().size(); i++) {
                        var candidate = new Candidate(pool, view, i);
                        if (selection.includes(candidate, selectors, deviceClass, claim.key())
                                && (!features.consumableCapacity()
                                        || taken.hasRoom(ask, candidate))) {
                            result.add(candidate);
                        }
                    }
                }
            }
            return result;
        }

        private static List<Constraint> constraints(ResourceClaim claim)
                throws AllocationException {
            var result = new ArrayList<Constraint>();
            for (var each : claim.spec().constraints()) {
                var constraint = Constraint.of(each);
                if (constraint == null) {
                    throw AllocationException.fatal(
                            "claim "
                                    + claim.key()
                                    + ", constraint #"
                                    + result.size()
                                    + ": empty constraint (unsupported constraint type?)");
                }
                result.add(constraint);
            }
            return result;
        }
    }

    static AllocationException problem(ResourceClaim claim, String request, String what) {
        return AllocationException.fatal(
                "claim " + claim.key() + ", request " + request + ": " + what);
    }
}
