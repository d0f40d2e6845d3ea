package io.berth.engine.search;

import io.berth.api.column.NodeView;
import io.berth.api.column.SlotTrait;
import io.berth.api.model.Pod;
import io.berth.api.plugin.ClusterFilter;
import io.berth.api.plugin.Filter;
import io.berth.api.plugin.NodeLocalFilter;
import io.berth.engine.framework.Meter;
import io.berth.engine.framework.PluginFailure;
import io.berth.engine.framework.Rejection;
import io.berth.engine.framework.Seat;
import io.berth.engine.port.StatusCode;
import io.berth.engine.port.TimedPoint;
import io.berth.engine.port.Workers;
import io.berth.engine.state.ClusterState;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Finds the nodes that can take a pod (rules E-91 to E-96).
///
/// All nodes are walked in list order from the rotation's start. Node-local verdicts are read from
/// the shape, the other columnar filters are asked by slot, and only what is still feasible then
/// meets filters without a column form, block by block on the workers. The outcome does not depend
/// on the number of workers.
///
/// Where the other filters go by few traits, or there are none, the shape's [BestNodes] know all
/// that most attempts ask for: one node is judged for each of their groups, and the list of
/// feasible nodes is made only for who reads it.
///
/// Buffers are kept between attempts. Owned by the engine thread.
final class FilterPass {
    private static final int[] NO_POSITIONS = {};

    private static final int BLOCK = 512;

    private final List<Seat<Filter>> filters;
    private final ClusterState state;
    private final NominatedPods nominated;
    private final Workers workers;
    private final boolean isColumnar;
    private int[] feasible = new int[0];
    private int feasibleCount;
    private @Nullable BestNodes best;

    /// Who makes the list of feasible nodes once somebody reads it; null where it is made.
    private @Nullable Judges judgesOfList;

    private int[] columnar = NO_POSITIONS;
    private short[] refusedByShape = new short[0];
    private int processed;
    private int[] walkedNodes = new int[0];
    private int walkedCount;
    private int walkedFrom;
    private final Meter meter;

    private final int[] block = new int[BLOCK];
    private final @Nullable Rejection[] blockRejections = new Rejection[BLOCK];
    private final @Nullable PluginFailure[] blockFailures = new PluginFailure[BLOCK];

    FilterPass(
            List<Seat<Filter>> filters,
            ClusterState state,
            NominatedPods nominated,
            Workers workers,
            Meter meter) {
        this.filters = filters;
        this.meter = meter;
        this.state = state;
        this.nominated = nominated;
        this.workers = workers;
        this.isColumnar =
                filters.stream()
                        .map(Seat::plugin)
                        .allMatch(f -> f instanceof NodeLocalFilter || f instanceof ClusterFilter);
    }

    /// Whether every filter judges from columns, so that judging all nodes is cheap.
    boolean isColumnar() {
        return isColumnar;
    }

    int[] feasible() {
        if (judgesOfList != null) {
            int passing = listPassing(judgesOfList);
            if (passing != feasibleCount) {
                throw new IllegalStateException(
                        "%d nodes are feasible by groups, but %d one by one"
                                .formatted(feasibleCount, passing));
            }
        }
        return feasible;
    }

    /// The feasible nodes by how good they are, where the shape and traits decide who is feasible;
    /// null otherwise.
    @Nullable BestNodes best() {
        return best;
    }

    int feasibleCount() {
        return feasibleCount;
    }

    boolean isFeasible(int slot) {
        int[] slots = feasible();
        for (int i = 0; i < feasibleCount; i++) {
            if (slots[i] == slot) {
                return true;
            }
        }
        return false;
    }

    /// How many nodes were judged: what the rotation moves on by.
    int processed() {
        return processed;
    }

    /// The slot of the i-th node that the last [#run] judged.
    int walked(int i) {
        int at = walkedFrom + i;
        return walkedNodes[at < walkedCount ? at : at - walkedCount];
    }

    /// Walks `nodes` (slots) from index `start` until `quota` feasible ones are found. The success
    /// after the last wanted one ends the walk and is not counted, as upstream has it. A plugin
    /// that breaks on a node ends the walk there; what was judged before it counts as processed.
    void run(Judges judges, ShapeResults shape, int[] nodes, int count, int start, int quota) {
        if (feasible.length < count) {
            feasible = new int[count];
        }
        feasibleCount = 0;
        processed = 0;
        walkedNodes = nodes;
        walkedCount = count;
        walkedFrom = start;
        columnar = positions(judges, true);
        int[] perNode = positions(judges, false);
        short[] refusedBy = shape.refusedBy();
        refusedByShape = refusedBy;
        boolean isSweep = perNode.length == 0 && quota >= count && !nominated.concernsAny();
        best = isSweep ? bestOf(judges, shape, count) : null;
        judgesOfList = best == null ? null : judges;
        if (best != null) {
            feasibleCount = best.feasibleCount();
            processed = count;
        } else if (perNode.length > 0) {
            walkBlocks(judges, refusedBy, columnar, perNode, nodes, count, start, quota);
        } else if (!isSweep || !sweepColumns(judges)) {
            walkColumns(judges, refusedBy, columnar, nodes, count, start, quota);
        }
    }

    /// The shape's best nodes, with those groups open that the other filters pass; null where they
    /// are not kept, where a filter goes by more than traits, and where one breaks: the walk is to
    /// find out at which node. As many nodes as there are, in list order, are all of them.
    private @Nullable BestNodes bestOf(Judges judges, ShapeResults shape, int count) {
        try {
            var traits = count == state.orderCount() ? traits(judges) : null;
            var nodes = traits == null ? null : shape.bestNodes(state, traits);
            if (nodes != null) {
                openPassing(nodes, judges);
            }
            return nodes;
        } catch (PluginFailure broken) {
            return null;
        }
    }

    private void openPassing(BestNodes nodes, Judges judges) {
        nodes.closeAll();
        for (int group = 0; group < nodes.groupCount(); group++) {
            if (nodes.feasibleIn(group) > 0
                    && (columnar.length == 0 || passesAll(judges, columnar, nodes.sample(group)))) {
                nodes.open(group);
            }
        }
    }

    /// All that the columnar filters go by, null where one goes by more.
    private @Nullable List<SlotTrait> traits(Judges judges) {
        if (columnar.length == 0) {
            return List.of();
        }
        var all = new ArrayList<SlotTrait>();
        for (int position : columnar) {
            var traits = judges.traits(position);
            if (traits == null) {
                return null;
            }
            all.addAll(traits);
        }
        return all;
    }

    /// All nodes at once, filter by filter: a short loop over arrays each, which a cold JVM gets
    /// through much sooner than a loop of calls per node. Where a filter breaks, the walk is to
    /// find out at which node.
    ///
    /// @return false where a filter broke
    private boolean sweepColumns(Judges judges) {
        try {
            feasibleCount = listPassing(judges);
        } catch (PluginFailure broken) {
            return false;
        }
        processed = walkedCount;
        return true;
    }

    private int listPassing(Judges judges) {
        judgesOfList = null;
        int passing =
                addUnrefused(refusedByShape, walkedNodes, walkedFrom, walkedCount, feasible, 0);
        passing = addUnrefused(refusedByShape, walkedNodes, 0, walkedFrom, feasible, passing);
        for (int position : columnar) {
            passing = judges.retain(position, feasible, passing);
        }
        return passing;
    }

    /// Hot. Writes each node and lets the next one overwrite those that are refused, since a jump
    /// that cannot be foreseen costs more than a write.
    private static int addUnrefused(
            short[] refusedBy, int[] nodes, int from, int to, int[] into, int size) {
        int end = size;
        for (int i = from; i < to; i++) {
            int slot = nodes[i];
            into[end] = slot;
            end += refusedBy[slot] == 0 ? 1 : 0;
        }
        return end;
    }

    private void walkColumns(
            Judges judges,
            short[] refusedBy,
            int[] columnar,
            int[] nodes,
            int count,
            int start,
            int quota) {
        boolean anyNominated = nominated.concernsAny();
        for (int i = 0, at = start; i < count; i++, at = at + 1 == count ? 0 : at + 1) {
            int slot = nodes[at];
            if (refusedBy[slot] == 0
                    && passesAll(judges, columnar, slot)
                    && !(anyNominated && nominated.refusal(slot) != null)) {
                if (feasibleCount == quota) {
                    return;
                }
                feasible[feasibleCount++] = slot;
            }
            processed++;
        }
    }

    private static boolean passesAll(Judges judges, int[] columnar, int slot) {
        for (int position : columnar) {
            if (!judges.passes(position, slot)) {
                return false;
            }
        }
        return true;
    }

    private void walkBlocks(
            Judges judges,
            short[] refusedBy,
            int[] columnar,
            int[] perNode,
            int[] nodes,
            int count,
            int start,
            int quota) {
        for (int done = 0; done < count; ) {
            int from = done;
            int size = 0;
            // One block: the next nodes that the columns leave.
            while (done < count && size < BLOCK) {
                int slot = nodes[(start + done) % count];
                if (refusedBy[slot] == 0 && passesAll(judges, columnar, slot)) {
                    block[size++] = slot;
                }
                done++;
            }
            meter.running(TimedPoint.FILTER.text(), 1);
            try {
                workers.forEach(size, i -> askAll(judges, perNode, i));
            } finally {
                meter.running(TimedPoint.FILTER.text(), -1);
            }
            for (int i = from, inBlock = 0; i < done; i++) {
                int slot = nodes[(start + i) % count];
                if (inBlock < size && block[inBlock] == slot) {
                    var failure = blockFailures[inBlock];
                    if (failure != null) {
                        throw failure;
                    }
                    boolean passes =
                            blockRejections[inBlock++] == null
                                    && !(nominated.concernsAny()
                                            && nominated.refusal(slot) != null);
                    if (passes) {
                        if (feasibleCount == quota) {
                            return;
                        }
                        feasible[feasibleCount++] = slot;
                    }
                }
                processed++;
            }
        }
    }

    /// Worker: judges one node of the block. A failure is kept until the walk comes to that node,
    /// which it may never do.
    private void askAll(Judges judges, int[] perNode, int index) {
        blockRejections[index] = null;
        blockFailures[index] = null;
        NodeView node = state.view(block[index]);
        try {
            for (int position : perNode) {
                @Nullable Rejection rejection =
                        filters.get(position)
                                .<@Nullable Rejection>ask(
                                        judges.cycle(),
                                        _ -> judges.ask(position, node),
                                        FilterPass::codeOf);
                if (rejection != null) {
                    blockRejections[index] = rejection;
                    return;
                }
            }
        } catch (PluginFailure broken) {
            blockFailures[index] = broken;
        }
    }

    private static StatusCode codeOf(@Nullable Rejection rejection) {
        return rejection == null ? StatusCode.SUCCESS : StatusCode.of(rejection.refusal());
    }

    /// The filters of a form that have something to say, by position. Counted first, so that the
    /// usual case, none that asks node by node, costs nothing.
    private int[] positions(Judges judges, boolean columnar) {
        int size = 0;
        for (int i = 0; i < filters.size(); i++) {
            size += isOf(judges, i, columnar) ? 1 : 0;
        }
        if (size == 0) {
            return NO_POSITIONS;
        }
        var result = new int[size];
        for (int i = filters.size() - 1; i >= 0; i--) {
            if (isOf(judges, i, columnar)) {
                result[--size] = i;
            }
        }
        return result;
    }

    private static boolean isOf(Judges judges, int position, boolean columnar) {
        return judges.isBusy(position) && judges.isColumnar(position) == columnar;
    }

    private int[] otherPositions(Judges judges) {
        return IntStream.range(0, filters.size()).filter(judges::isBusy).toArray();
    }

    /// Notes for each of the nodes walked by the last [#run] why it was refused.
    void explain(
            Judges judges,
            ShapeResults shape,
            int[] nodes,
            int count,
            int start,
            Diagnosis diagnosis) {
        boolean hadNominated = diagnosis.explicitCount() > 0;
        boolean anyNominated = nominated.concernsAny();
        int[] others = otherPositions(judges);
        for (int i = 0, at = start; i < processed; i++, at = at + 1 == count ? 0 : at + 1) {
            var node = state.view(nodes[at]);
            var rejection = anyNominated ? nominated.refusal(nodes[at]) : null;
            if (rejection == null) {
                rejection = rejection(judges, shape, node, others);
            }
            if (rejection != null && hadNominated) {
                diagnosis.addAgain(node, rejection);
            } else if (rejection != null) {
                diagnosis.add(node, rejection);
            }
        }
    }

    /// The first filter's word, where the shape knows which of the node-local ones refuses.
    ///
    /// @param others positions of the other filters that have something to say, in order
    private @Nullable Rejection rejection(
            Judges judges, ShapeResults shape, NodeView node, int[] others) {
        int refusedBy = refusedByShape[node.slot()];
        int known = refusedBy == 0 ? filters.size() : refusedBy - 1;
        for (int i = 0; i < others.length && others[i] < known; i++) {
            var rejection = judges.ask(others[i], node);
            if (rejection != null) {
                return rejection;
            }
        }
        return refusedBy == 0 ? null : shape.rejection(node, judges);
    }

    /// Asks about one node, with the pods nominated to it in thought on it and without.
    @Nullable Rejection judgeOne(Judges judges, Pod pod, NodeView node) {
        var rejection = nominated.concernsAny() ? nominated.refusal(node.slot()) : null;
        return rejection != null ? rejection : judges.firstRejection(node);
    }
}
