package io.berth.plugins.dynamicresources;

import io.berth.api.column.NodeColumns;
import io.berth.api.model.Node;
import io.berth.api.model.ResourceClaim;
import io.berth.api.plugin.SlotJudge;
import io.berth.api.verdict.Lack;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import io.berth.plugins.device.AllocationException;
import io.berth.plugins.device.DeviceBook;
import io.berth.plugins.device.Patience;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/// Whether a pod can have all its claims on a node: those that have devices already can be used
/// there, and devices for the others can be had (contract rules DR-12 and DR-13).
final class ClaimJudge implements SlotJudge {
    private static final Refusal UNAVAILABLE =
            Refusal.hopeless("resourceclaim not available on the node");

    private final NodeColumns columns;
    private final DeviceBook book;
    private final List<ResourceClaim> claims;
    private final Function<Node, OnNode> needs;
    private final Supplier<Patience> patience;

    /// Of those that have devices: which will never be ready, wherever the pod goes.
    private final BitSet lost;

    /// Of those that have devices: which were in the way on some node.
    private final BitSet inTheWay;

    private final LesserClaims lesser;

    /// @param needs what has to be found on a node
    /// @param patience with one search
    /// @param inTheWay filled here, for who may free them
    ClaimJudge(
            NodeColumns columns,
            DeviceBook book,
            List<ResourceClaim> claims,
            Function<Node, OnNode> needs,
            Supplier<Patience> patience,
            BitSet lost,
            BitSet inTheWay,
            LesserClaims lesser) {
        this.columns = columns;
        this.book = book;
        this.claims = claims;
        this.needs = needs;
        this.patience = patience;
        this.lost = lost;
        this.inTheWay = inTheWay;
        this.lesser = lesser;
    }

    /// @throws IllegalStateException where the attempt has to end
    @Override
    public boolean passes(int slot) {
        var node = columns.node(slot).node();
        return switch (needs.apply(node)) {
            case OnNode.Refused _ -> false;
            case OnNode.Wanted wanted -> canAllocate(wanted, slot, node) && areUsable(node);
        };
    }

    private boolean canAllocate(OnNode.Wanted wanted, int slot, Node node) {
        if (wanted.answers() == null) {
            return true;
        }
        try {
            return wanted.answers()
                    .fits(book.slotOf(slot, node), node, wanted.claims(), patience.get());
        } catch (AllocationException failed) {
            throw failure(failed, node);
        }
    }

    /// What ends an attempt, in kube-scheduler's words.
    static IllegalStateException failure(AllocationException failed, Node node) {
        String place =
                failed.reach() == AllocationException.Reach.TOO_LONG
                        ? "node " + node.name() + ": "
                        : "";
        return new IllegalStateException(place + failed.getMessage(), failed);
    }

    private boolean areUsable(Node node) {
        boolean all = true;
        for (int i = 0; i < claims.size(); i++) {
            if (!isUsable(i, node)) {
                inTheWay.set(i);
                all = false;
            }
        }
        return all;
    }

    private boolean isUsable(int index, Node node) {
        var allocation = claims.get(index).allocation();
        if (allocation == null) {
            return true;
        }
        var selector = allocation.nodeSelector();
        return (selector == null || selector.matches(node)) && !lost.get(index);
    }

    @Override
    public List<Lack> lacks(int slot) {
        var node = columns.node(slot).node();
        return needs.apply(node) instanceof OnNode.Wanted wanted
                        && wanted.answers() != null
                        && !canAllocate(wanted, slot, node)
                ? lesser.lacks(slot, node, wanted.claims())
                : List.of();
    }

    @Override
    public String detail(int slot) {
        var node = columns.node(slot).node();
        for (int i = 0; i < claims.size(); i++) {
            if (!isUsable(i, node)) {
                return lost.get(i)
                        ? "the devices of claim %s will never be ready"
                                .formatted(claims.get(i).name())
                        : "claim %s has its devices elsewhere".formatted(claims.get(i).name());
            }
        }
        return "";
    }

    @Override
    public Verdict explain(int slot) {
        var node = columns.node(slot).node();
        return switch (needs.apply(node)) {
            case OnNode.Refused(var why) -> why;
            case OnNode.Wanted wanted -> {
                if (wanted.answers() != null && !canAllocate(wanted, slot, node)) {
                    yield Refusal.hopeless(wanted.answers().reason(book.slotOf(slot, node)));
                }
                yield areUsable(node) ? Verdict.PASS : UNAVAILABLE;
            }
        };
    }
}
