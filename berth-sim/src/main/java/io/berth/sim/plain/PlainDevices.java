package io.berth.sim.plain;

import io.berth.api.amount.Quantity;
import io.berth.api.device.Device;
import io.berth.api.device.DeviceAllocation;
import io.berth.api.device.DeviceAttribute;
import io.berth.api.device.DeviceClaim;
import io.berth.api.device.DeviceClaim.Ask;
import io.berth.api.device.DeviceId;
import io.berth.api.model.DeviceClass;
import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.model.ResourceClaim;
import io.berth.api.model.ResourceSlice;
import io.berth.api.spec.PodClaim;
import io.berth.sim.plain.PlainPools.Spot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The rules about devices (section 19 of the contract), written down plainly for the claims that
/// the simulator has: everything is counted anew, and every combination is tried in order.
public final class PlainDevices {
    private static final String NAME = "DynamicResources";

    private final Sight sight;
    private final ClaimView view;

    /// The slices as they were when somebody first asked; nobody asks at two moments.
    private @Nullable Map<String, List<ResourceSlice>> published;

    /// The same of what claims have.
    private @Nullable List<DeviceAllocation.Result> taken;

    PlainDevices(Sight sight, ClaimView view) {
        this.sight = sight;
        this.view = view;
    }

    /// One device for a request of a claim.
    ///
    /// @param request `request`, or `request/subrequest`
    public record Grant(String claimUid, String request, DeviceId device) {}

    /// Why the pod cannot go to a node for its claims; null where it can.
    @Nullable String refusal(Pod pod, Node node, Set<String> plugins) {
        if (!plugins.contains(NAME) || pod.spec().resourceClaims().isEmpty()) {
            return null;
        }
        return grants(pod, node) == null ? NAME : null;
    }

    /// What the pod's claims get with a node, in order; null where they cannot get it.
    public @Nullable List<Grant> grants(Pod pod, Node node) {
        var claims = claims(pod);
        if (claims == null) {
            return null;
        }
        var open = new ArrayList<ResourceClaim>();
        for (var claim : claims) {
            var allocation = claim.allocation();
            if (allocation == null) {
                open.add(claim);
            } else if (allocation.nodeSelector() != null
                    && !allocation.nodeSelector().matches(node)) {
                return null;
            }
        }
        for (var claim : open) {
            if (view.inFlight().containsKey(claim.uid()) || !areClassesKnown(claim)) {
                return null;
            }
        }
        var search = new Search(pools(node), open);
        return search.isSolved() ? search.grants() : null;
    }

    private PlainPools pools(Node node) {
        if (published == null) {
            published = PlainPools.published(sight);
        }
        return new PlainPools(published, node);
    }

    /// The claims of a pod; null where one is missing, about to go or somebody else's (DR-2).
    private @Nullable List<ResourceClaim> claims(Pod pod) {
        var claims = new ArrayList<ResourceClaim>();
        for (var reference : pod.spec().resourceClaims()) {
            var name = claimName(pod, reference);
            var claim = name == null ? null : view.find(pod.namespace(), name);
            if (claim == null || claim.isTerminating()) {
                return null;
            }
            if (reference.claimName() == null
                    && (claim.controller() == null
                            || !claim.controller().uid().equals(pod.uid()))) {
                return null;
            }
            claims.add(claim);
        }
        return claims;
    }

    /// The name of a claim; null where it is not made yet.
    public static @Nullable String claimName(Pod pod, PodClaim reference) {
        var name = reference.claimName();
        return name == null ? generated(pod, reference.name()) : name;
    }

    private static @Nullable String generated(Pod pod, String reference) {
        var all = pod.generatedClaims();
        if (all != null) {
            for (var each : all.claims()) {
                if (each.name().equals(reference)) {
                    return each.claimName();
                }
            }
        }
        return null;
    }

    private @Nullable DeviceClass deviceClass(String name) {
        return sight.find(Kind.DEVICE_CLASS, DeviceClass.class, "", name);
    }

    private boolean areClassesKnown(ResourceClaim claim) {
        return claim.spec().requests().stream()
                .flatMap(request -> alternatives(request).stream())
                .allMatch(ask -> deviceClass(ask.deviceClass()) != null);
    }

    private static List<Ask> alternatives(DeviceClaim.Request request) {
        return request.exactly() == null ? request.firstAvailable() : List.of(request.exactly());
    }

    /// Everything that claims have, or are about to get (DR-9).
    private List<DeviceAllocation.Result> taken() {
        if (taken == null) {
            taken = countTaken();
        }
        return taken;
    }

    private List<DeviceAllocation.Result> countTaken() {
        var results = new ArrayList<DeviceAllocation.Result>();
        for (var claim : view.all()) {
            var own = view.inFlight().getOrDefault(claim.uid(), claim).allocation();
            if (own != null) {
                own.results().stream().filter(each -> !each.isAdmin()).forEach(results::add);
            }
        }
        return results;
    }

    /// A device that was chosen.
    private record Got(int claim, String request, Ask ask, Spot spot) {
        boolean isShare() {
            return spot.device().isShareable();
        }
    }

    /// Tries everything, in order (DR-33 to DR-36).
    private final class Search {
        private final PlainPools pools;
        private final List<ResourceClaim> claims;
        private final List<DeviceAllocation.Result> taken = taken();
        private final List<Got> got = new ArrayList<>();

        Search(PlainPools pools, List<ResourceClaim> claims) {
            this.pools = pools;
            this.claims = claims;
        }

        /// While a pool is being published nobody knows what all devices are (DR-31).
        boolean isSolved() {
            boolean isUnknown =
                    pools.isIncomplete()
                            && claims.stream()
                                    .flatMap(claim -> claim.spec().requests().stream())
                                    .flatMap(request -> alternatives(request).stream())
                                    .anyMatch(Ask::isForAll);
            return !isUnknown && solve(0, 0);
        }

        List<Grant> grants() {
            return got.stream()
                    .map(each ->
                            new Grant(claims.get(each.claim).uid(), each.request, each.spot.id()))
                    .toList();
        }

        private boolean solve(int claim, int request) {
            if (claim == claims.size()) {
                return true;
            }
            var requests = claims.get(claim).spec().requests();
            if (request == requests.size()) {
                return solve(claim + 1, 0);
            }
            var wanted = requests.get(request);
            for (var ask : alternatives(wanted)) {
                var name =
                        wanted.exactly() == null ? wanted.name() + "/" + ask.name() : wanted.name();
                if (ask.isForAll()
                        ? takeAll(claim, request, name, ask)
                        : takeSome(claim, request, name, ask, 0, 0)) {
                    return true;
                }
            }
            return false;
        }

        private boolean takeSome(
                int claim, int request, String name, Ask ask, int count, int from) {
            if (count == ask.count()) {
                return solve(claim, request + 1);
            }
            for (int i = from; i < pools.spots().size(); i++) {
                var spot = pools.spots().get(i);
                if (isSelected(ask, spot) && isPossible(claim, ask, spot)) {
                    got.add(new Got(claim, name, ask, spot));
                    if (takeSome(claim, request, name, ask, count + 1, i + 1)) {
                        return true;
                    }
                    got.removeLast();
                }
            }
            return false;
        }

        private boolean takeAll(int claim, int request, String name, Ask ask) {
            var all = pools.spots().stream().filter(spot -> isSelected(ask, spot)).toList();
            int before = got.size();
            for (var spot : all) {
                if (!isPossible(claim, ask, spot)) {
                    break;
                }
                got.add(new Got(claim, name, ask, spot));
            }
            if (!all.isEmpty() && got.size() == before + all.size() && solve(claim, request + 1)) {
                return true;
            }
            while (got.size() > before) {
                got.removeLast();
            }
            return false;
        }

        private boolean isSelected(Ask ask, Spot spot) {
            var of = deviceClass(ask.deviceClass());
            return of != null && areTrue(of.selectors(), spot) && areTrue(ask.selectors(), spot);
        }

        private static boolean areTrue(List<String> selectors, Spot spot) {
            return selectors.stream()
                    .allMatch(
                            each -> PlainSelector.matches(each, spot.id().driver(), spot.device()));
        }

        private boolean isPossible(int claim, Ask ask, Spot spot) {
            return !isInUse(claim, ask, spot)
                    && hasRoom(ask, spot)
                    && areCountersLeft(spot)
                    && isTolerated(ask, spot.device())
                    && agrees(claim, spot);
        }

        private boolean isInUse(int claim, Ask ask, Spot spot) {
            if (ask.isAdmin()) {
                return got.stream().anyMatch(each -> each.claim == claim && each.spot.equals(spot));
            }
            return got.stream().anyMatch(each -> !each.isShare() && each.spot.equals(spot))
                    || taken.stream()
                            .anyMatch(each ->
                                    each.shareId() == null && each.device().equals(spot.id()));
        }

        /// Nothing gets more than there is, with what others have (DR-44 to DR-46).
        private boolean hasRoom(Ask ask, Spot spot) {
            var asked = ask.capacity();
            if (asked != null && !spot.device().capacity().keySet().containsAll(asked.keySet())) {
                return false;
            }
            return spot.device().capacity().keySet().stream()
                    .allMatch(name -> {
                        var sum = amount(ask, spot, name);
                        for (var each : taken) {
                            if (each.device().equals(spot.id())) {
                                sum =
                                        sum.plus(
                                                each.consumedCapacity()
                                                        .getOrDefault(name, Quantity.ZERO));
                            }
                        }
                        for (var each : got) {
                            if (each.spot.equals(spot)) {
                                sum = sum.plus(amount(each.ask, spot, name));
                            }
                        }
                        return sum.compareTo(capacity(spot, name)) <= 0;
                    });
        }

        private static Quantity capacity(Spot spot, String name) {
            var capacity = spot.device().capacity().get(name);
            return capacity == null ? Quantity.ZERO : capacity.value();
        }

        private static Quantity amount(Ask ask, Spot spot, String name) {
            var asked = ask.capacity(name);
            return asked == null ? capacity(spot, name) : asked;
        }

        /// The devices of a pool that somebody has leave enough of what they share (DR-48).
        private boolean areCountersLeft(Spot spot) {
            if (spot.device().consumes().isEmpty()) {
                return true;
            }
            var used = new HashMap<String, Quantity>();
            add(spot.device(), used);
            got.stream()
                    .filter(each -> each.spot.pool().equals(spot.pool()))
                    .forEach(each -> add(each.spot.device(), used));
            var others = new HashSet<DeviceId>();
            taken.forEach(each -> others.add(each.device()));
            pools.wholePool(spot.pool()).stream()
                    .filter(each -> others.contains(each.id()))
                    .forEach(each -> add(each.device(), used));
            var there = pools.counters(spot.pool());
            return used.entrySet().stream()
                    .allMatch(each ->
                            each.getValue()
                                            .compareTo(
                                                    there.getOrDefault(
                                                            each.getKey(), Quantity.ZERO))
                                    <= 0);
        }

        private static void add(Device device, Map<String, Quantity> to) {
            for (var set : device.consumes()) {
                set.counters()
                        .forEach((name, amount) ->
                                to.merge(set.name() + "/" + name, amount, Quantity::plus));
            }
        }

        private static boolean isTolerated(Ask ask, Device device) {
            return device.taints().stream()
                    .allMatch(taint ->
                            !taint.keepsPodsAway()
                                    || ask.tolerations().stream()
                                            .anyMatch(each -> each.tolerates(taint)));
        }

        /// All constraints here are about all requests of their claim (DR-41 to DR-43).
        private boolean agrees(int claim, Spot spot) {
            for (var constraint : claims.get(claim).spec().constraints()) {
                var match = constraint.matchAttribute();
                var name = match == null ? constraint.distinctAttribute() : match;
                var own = attribute(spot, String.valueOf(name));
                if (own == null) {
                    return false;
                }
                for (var each : got) {
                    if (each.claim == claim
                            && own.equals(attribute(each.spot, String.valueOf(name)))
                                    != (match != null)) {
                        return false;
                    }
                }
            }
            return true;
        }

        private static @Nullable DeviceAttribute attribute(Spot spot, String name) {
            var prefix = spot.id().driver() + "/";
            return name.startsWith(prefix)
                    ? spot.device().attributes().get(name.substring(prefix.length()))
                    : null;
        }
    }
}
