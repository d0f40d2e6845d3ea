package io.berth.engine.search;

import io.berth.api.column.NodeView;
import io.berth.api.handle.DryRun;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Filter;
import io.berth.api.verdict.Verdict;
import io.berth.engine.framework.CycleState;
import io.berth.engine.state.ClusterState;
import io.berth.engine.state.Scratch;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A dry run on a scratch slot. One object serves many nodes, one after the other.
///
/// Owned by the engine thread.
final class ScratchRun implements DryRun {
    private final List<Filter> filters;
    private final ShapeResults shape;
    private final NominatedPods nominated;
    private final CycleState original;
    private final Pod pod;
    private final ClusterState state;
    private final Scratch scratch;
    private @Nullable CycleState cycle;
    private @Nullable Judges judges;

    /// Whether no plugin wants to hear of pods that come and go, and no filter reads notes.
    private boolean isUnchanging;

    ScratchRun(
            List<Filter> filters,
            ShapeResults shape,
            NominatedPods nominated,
            CycleState original,
            Pod pod,
            ClusterState state) {
        this.filters = filters;
        this.shape = shape;
        this.nominated = nominated;
        this.original = original;
        this.pod = pod;
        this.state = state;
        this.scratch = state.scratch();
    }

    /// Each node begins with the notes of the attempt. Where no plugin changes them as pods come
    /// and go in thought, and every filter judges by slot, one copy and its judges serve all nodes.
    @Override
    public void on(NodeView node) {
        scratch.copyOf(node.slot());
        if (judges != null && isUnchanging) {
            return;
        }
        var copy = original.copy();
        cycle = copy;
        judges = new Judges(filters, shape, copy, pod, state);
        isUnchanging = judges.areColumnar() && !nominated.tellsAny(copy);
    }

    @Override
    public NodeView node() {
        return scratch.view();
    }

    @Override
    public void add(Pod other) {
        if (isUnchanging) {
            scratch.add(other);
        } else {
            nominated.addPod(cycle(), pod, other, scratch);
        }
    }

    @Override
    public void remove(Pod other) {
        if (isUnchanging) {
            scratch.remove(other);
        } else {
            nominated.removePod(cycle(), pod, other, scratch);
        }
    }

    @Override
    public Verdict filter() {
        var rejection = nominated.judge(cycle(), pod, shape, scratch.view());
        if (rejection == null && judges != null) {
            rejection = judges.firstRejection(scratch.view());
        }
        return rejection == null ? Verdict.PASS : rejection.refusal();
    }

    @Override
    public boolean fits() {
        return nominated.judge(cycle(), pod, shape, scratch.view()) == null
                && judges != null
                && judges.passesAll(scratch.view());
    }

    private CycleState cycle() {
        var known = cycle;
        if (known == null) {
            throw new IllegalStateException("a dry run begins with on(node)");
        }
        return known;
    }

    @Override
    public void close() {
        scratch.close();
    }
}
