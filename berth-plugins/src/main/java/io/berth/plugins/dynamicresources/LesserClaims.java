package io.berth.plugins.dynamicresources;

import io.berth.api.column.NodeColumns;
import io.berth.api.device.DeviceClaim;
import io.berth.api.device.DeviceClaim.Ask;
import io.berth.api.device.DeviceClaim.Request;
import io.berth.api.model.Node;
import io.berth.api.model.ResourceClaim;
import io.berth.api.verdict.Lack;
import io.berth.plugins.device.AllocationException;
import io.berth.plugins.device.DeviceBook;
import io.berth.plugins.device.Patience;
import io.berth.plugins.device.Shapes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// With how many devices fewer a pod could have its claims on a node: for explanations.
final class LesserClaims {
    private final DeviceBook book;
    private final Shapes shapes;
    private final NodeColumns columns;
    private final Supplier<Patience> patience;

    /// @param patience with one search
    LesserClaims(DeviceBook book, Shapes shapes, NodeColumns columns, Supplier<Patience> patience) {
        this.book = book;
        this.shapes = shapes;
        this.columns = columns;
        this.patience = patience;
    }

    /// The request that is nearest to being met, where less of it alone would do.
    List<Lack> lacks(int slot, Node node, List<ResourceClaim> claims) {
        var lacks = new ArrayList<Lack>();
        for (int i = 0; i < claims.size(); i++) {
            var requests = claims.get(i).spec().requests();
            for (int j = 0; j < requests.size(); j++) {
                var ask = requests.get(j).exactly();
                long most = ask == null ? -1 : most(slot, node, claims, i, j);
                if (ask != null && most >= 0) {
                    lacks.add(new Lack(words(claims.get(i), j, ask), ask.count(), most));
                }
            }
        }
        return lacks.stream()
                .max((a, b) ->
                        Double.compare(
                                (double) a.available() / a.wanted(),
                                (double) b.available() / b.wanted()))
                .map(List::of)
                .orElse(List.of());
    }

    /// Such as `devices of class gpu with one board`.
    private static String words(ResourceClaim claim, int request, Ask ask) {
        var name = claim.spec().requests().get(request).name();
        var common =
                claim.spec().constraints().stream()
                        .filter(each -> each.matchAttribute() != null)
                        .filter(each -> each.requests().isEmpty() || each.requests().contains(name))
                        .map(each -> attribute(String.valueOf(each.matchAttribute())))
                        .collect(Collectors.joining(" and one "));
        return "devices of class "
                + ask.deviceClass()
                + (common.isEmpty() ? "" : " with one " + common);
    }

    private static String attribute(String name) {
        return name.substring(name.lastIndexOf('/') + 1);
    }

    /// The largest number below what a request asks for with which all claims could be had on a
    /// node; 0 where they could be had without the request alone, -1 where that does not help.
    long most(int slot, Node node, List<ResourceClaim> claims, int claim, int request) {
        var ask = claims.get(claim).spec().requests().get(request).exactly();
        if (ask == null || !ask.mode().equals(Ask.EXACT_COUNT) || ask.count() < 1) {
            return -1;
        }
        if (!fits(slot, node, with(claims, claim, without(claims.get(claim), request)))) {
            return -1;
        }
        long least = 0;
        long tooMany = ask.count();
        while (tooMany - least > 1) {
            long middle = (least + tooMany) / 2;
            var lesser = counting(claims.get(claim), request, middle);
            if (fits(slot, node, with(claims, claim, lesser))) {
                least = middle;
            } else {
                tooMany = middle;
            }
        }
        return least;
    }

    /// The same for a node by name; -1 where it is not known.
    long most(Node node, List<ResourceClaim> claims, int claim, int request) {
        int slot = columns.slotOf(node.name());
        return slot < 0 ? -1 : most(slot, node, claims, claim, request);
    }

    private boolean fits(int slot, Node node, List<ResourceClaim> claims) {
        try {
            return shapes.of(claims).fits(book.slotOf(slot, node), node, claims, patience.get());
        } catch (AllocationException broken) {
            return false;
        }
    }

    private static List<ResourceClaim> with(
            List<ResourceClaim> claims, int index, ResourceClaim changed) {
        var all = new ArrayList<>(claims);
        all.set(index, changed);
        return all;
    }

    private static ResourceClaim without(ResourceClaim claim, int request) {
        var requests = new ArrayList<>(claim.spec().requests());
        var gone = requests.remove(request);
        var constraints =
                claim.spec().constraints().stream()
                        .filter(each -> !each.requests().equals(List.of(gone.name())))
                        .toList();
        return with(claim, new DeviceClaim(requests, constraints, claim.spec().config()));
    }

    static ResourceClaim counting(ResourceClaim claim, int request, long count) {
        var ask = claim.spec().requests().get(request).exactly();
        return ask == null
                ? claim
                : asking(
                        claim,
                        request,
                        new Ask(
                                ask.name(),
                                ask.deviceClass(),
                                ask.selectors(),
                                Ask.EXACT_COUNT,
                                count,
                                ask.adminAccess(),
                                ask.tolerations(),
                                ask.capacity()));
    }

    /// The claim with another request.
    static ResourceClaim asking(ResourceClaim claim, int request, Ask ask) {
        var requests = new ArrayList<>(claim.spec().requests());
        requests.set(request, new Request(requests.get(request).name(), ask, List.of()));
        return with(
                claim,
                new DeviceClaim(requests, claim.spec().constraints(), claim.spec().config()));
    }

    static ResourceClaim with(ResourceClaim claim, DeviceClaim spec) {
        return new ResourceClaim(
                claim.namespace(),
                claim.name(),
                claim.uid(),
                claim.resourceVersion(),
                claim.controller(),
                claim.isTerminating(),
                claim.isProtected(),
                claim.isForExtendedResources(),
                spec,
                claim.allocation(),
                claim.reservedFor(),
                claim.devices());
    }
}
