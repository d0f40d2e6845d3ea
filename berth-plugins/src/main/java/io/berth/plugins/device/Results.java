package io.berth.plugins.device;

import io.berth.api.device.DeviceAllocation;
import io.berth.api.device.DeviceAllocation.Config;
import io.berth.api.device.DeviceAllocation.Result;
import io.berth.api.device.Reach;
import io.berth.api.label.Requirement;
import io.berth.api.model.Node;
import io.berth.api.model.ResourceClaim;
import io.berth.api.spec.NodeSelector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Writes down what a search has found for one claim (contract rules DR-52 to DR-54).
final class Results {
    private final DeviceFeatures features;
    private final Node node;
    private final ResourceClaim claim;
    private final Search search;
    private final int index;

    Results(DeviceFeatures features, Node node, ResourceClaim claim, Search search, int index) {
        this.features = features;
        this.node = node;
        this.claim = claim;
        this.search = search;
        this.index = index;
    }

    DeviceAllocation build(Supplier<String> shareIds) throws AllocationException {
        var results = new ArrayList<Result>();
        for (var chosen : search.chosen(index)) {
            results.add(result(chosen, shareIds));
        }
        return new DeviceAllocation(results, config(), nodeSelector(), null);
    }

    private Result result(Search.Chosen chosen, Supplier<String> shareIds) {
        var device = chosen.candidate().device();
        boolean hasConditions = features.bindingConditions();
        return new Result(
                chosen.wanted().fullName(),
                chosen.candidate().id(),
                chosen.wanted().ask().isAdmin() ? Boolean.TRUE : null,
                chosen.wanted().ask().tolerations(),
                hasConditions ? device.bindingConditions() : List.of(),
                hasConditions ? device.bindingFailureConditions() : List.of(),
                chosen.share() == null ? null : shareIds.get(),
                chosen.share() == null ? Map.of() : chosen.share());
    }

    /// Those of classes first, each class once, then those of the claim.
    private List<Config> config() {
        var result = new ArrayList<Config>();
        var requestsOfClass = new HashMap<String, List<String>>();
        for (int i = 0; i < claim.spec().requests().size(); i++) {
            var wanted = search.wanted(index, i);
            var known = requestsOfClass.get(wanted.deviceClass().name());
            if (known != null) {
                known.add(wanted.fullName());
                continue;
            }
            requestsOfClass.put(
                    wanted.deviceClass().name(), new ArrayList<>(List.of(wanted.fullName())));
        }
        var done = new HashSet<String>();
        for (int i = 0; i < claim.spec().requests().size(); i++) {
            var ofClass = search.wanted(index, i).deviceClass();
            if (done.add(ofClass.name())) {
                for (var opaque : ofClass.config()) {
                    result.add(
                            new Config(
                                    DeviceAllocation.FROM_CLASS,
                                    requestsOfClass.getOrDefault(ofClass.name(), List.of()),
                                    opaque));
                }
            }
        }
        addOfClaim(result);
        return result;
    }

    private void addOfClaim(List<Config> result) {
        for (var config : claim.spec().config()) {
            var entry = new Config(DeviceAllocation.FROM_CLAIM, config.requests(), config.opaque());
            if (config.requests().isEmpty()) {
                result.add(entry);
                continue;
            }
            for (int i = 0; i < claim.spec().requests().size(); i++) {
                var wanted = search.wanted(index, i);
                if (config.requests().contains(wanted.requestName())
                        || wanted.isSubrequest() && config.requests().contains(wanted.fullName())) {
                    result.add(entry);
                }
            }
        }
    }

    private @Nullable NodeSelector nodeSelector() throws AllocationException {
        var expressions = new ArrayList<Requirement>();
        var fields = new ArrayList<Requirement>();
        for (var chosen : search.chosen(index)) {
            var device = chosen.candidate().device();
            var slice = chosen.candidate().view().slice();
            Reach reach = slice.asksDevices() ? device.nodes() : slice.nodes();
            if (!reach.nodeName().isEmpty() || device.bindsToNode()) {
                var onlyHere = Requirement.is(NodeSelector.Term.NAME_FIELD, node.name());
                return new NodeSelector(
                        List.of(new NodeSelector.Term(List.of(), List.of(onlyHere))));
            }
            if (reach.selector() == null || reach.selector().terms().isEmpty()) {
                continue;
            }
            var terms = reach.selector().terms();
            if (terms.size() > 1) {
                throw AllocationException.fatal(
                        "create NodeSelector for claim "
                                + claim.name()
                                + ": unsupported ResourceSlice.NodeSelector with "
                                + terms.size()
                                + " terms");
            }
            addNew(terms.getFirst().fields(), fields);
            addNew(terms.getFirst().expressions(), expressions);
        }
        return expressions.isEmpty() && fields.isEmpty()
                ? null
                : new NodeSelector(List.of(new NodeSelector.Term(expressions, fields)));
    }

    private static void addNew(List<Requirement> from, List<Requirement> to) {
        for (var requirement : from) {
            boolean isKnown = false;
            for (var other : to) {
                isKnown |=
                        other.key().equals(requirement.key())
                                && other.operator() == requirement.operator()
                                && new HashSet<>(other.values())
                                        .equals(new HashSet<>(requirement.values()));
            }
            if (!isKnown) {
                to.add(requirement);
            }
        }
    }
}
