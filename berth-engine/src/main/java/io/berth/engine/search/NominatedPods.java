package io.berth.engine.search;

import static java.util.Objects.requireNonNull;

import io.berth.api.column.NodeView;
import io.berth.api.handle.Nominations;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Filter;
import io.berth.api.plugin.PreFilter;
import io.berth.engine.framework.CycleState;
import io.berth.engine.framework.Meter;
import io.berth.engine.framework.PluginFailure;
import io.berth.engine.framework.Rejection;
import io.berth.engine.framework.Seat;
import io.berth.engine.port.TimedPoint;
import io.berth.engine.state.ClusterState;
import io.berth.engine.state.Scratch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The first of the two passes over a node that other pods are nominated to (rule E-92): with these
/// pods in thought on the node, does the pod still fit?
///
/// Few nodes ever have nominated pods, so the answers are worked out when asked for and remembered
/// for the attempt. Owned by the engine thread.
final class NominatedPods {
    private final List<Seat<PreFilter>> adding;
    private final List<Seat<PreFilter>> removing;
    private final List<Filter> filters;
    private final ClusterState state;
    private final Nominations nominations;

    private final Map<Integer, Optional<Rejection>> answers = new HashMap<>();
    private @Nullable CycleState cycle;
    private @Nullable Pod pod;
    private @Nullable ShapeResults shape;
    private boolean concernsAny;

    NominatedPods(
            List<PreFilter> preFilters,
            List<Filter> filters,
            ClusterState state,
            Nominations nominations,
            Meter meter) {
        this.adding =
                meter.seats(
                        preFilters,
                        TimedPoint.ADD_POD,
                        (plugin, cause) -> failure("AddPod", plugin, cause));
        this.removing =
                meter.seats(
                        preFilters,
                        TimedPoint.REMOVE_POD,
                        (plugin, cause) -> failure("RemovePod", plugin, cause));
        this.filters = filters;
        this.state = state;
        this.nominations = nominations;
    }

    /// Begins an attempt.
    void begin(CycleState cycle, Pod pod, ShapeResults shape) {
        this.cycle = cycle;
        this.pod = pod;
        this.shape = shape;
        answers.clear();
        concernsAny = !nominations.isEmpty();
    }

    /// Whether any node has nominated pods at all.
    boolean concernsAny() {
        return concernsAny;
    }

    /// Why the pod does not fit beside the pods nominated to the node in this slot; null where it
    /// does or where there are none.
    @Nullable Rejection refusal(int slot) {
        var node = state.view(slot);
        var others = relevant(requireNonNull(pod), node.name());
        return others.isEmpty()
                ? null
                : answers.computeIfAbsent(slot, at -> Optional.ofNullable(judge(others, node)))
                        .orElse(null);
    }

    private @Nullable Rejection judge(List<Pod> others, NodeView node) {
        return judge(
                requireNonNull(cycle), requireNonNull(pod), requireNonNull(shape), others, node);
    }

    /// Judges a node, real or scratch, with nominated pods added to a copy of it.
    @Nullable Rejection judge(CycleState cycle, Pod pod, ShapeResults shape, NodeView node) {
        if (nominations.isEmpty()) {
            return null;
        }
        var others = relevant(pod, node.name());
        return others.isEmpty() ? null : judge(cycle, pod, shape, others, node);
    }

    private @Nullable Rejection judge(
            CycleState cycle, Pod pod, ShapeResults shape, List<Pod> others, NodeView node) {
        try (var scratch = state.scratch()) {
            scratch.copyOf(node.slot());
            var copy = cycle.copy();
            for (var other : others) {
                addPod(copy, pod, other.onNode(node.name()), scratch);
            }
            return new Judges(filters, shape, copy, pod, state).firstRejection(scratch.view());
        }
    }

    private List<Pod> relevant(Pod pod, String nodeName) {
        var nominated = nominations.on(nodeName);
        if (nominated.isEmpty()) {
            return nominated;
        }
        var result = new ArrayList<Pod>(nominated.size());
        for (var other : nominated) {
            if (other.spec().priority() >= pod.spec().priority()
                    && !other.uid().equals(pod.uid())) {
                result.add(other);
            }
        }
        return result;
    }

    /// Puts a pod on a scratch node and tells the plugins' notes.
    void addPod(CycleState copy, Pod pod, Pod other, Scratch scratch) {
        scratch.add(other);
        tell(adding, copy, whatIf -> whatIf.podAdded(copy, pod, other, scratch.view()));
    }

    /// Takes a pod from a scratch node and tells the plugins' notes.
    void removePod(CycleState copy, Pod pod, Pod other, Scratch scratch) {
        scratch.remove(other);
        tell(removing, copy, whatIf -> whatIf.podRemoved(copy, pod, other, scratch.view()));
    }

    private static void tell(
            List<Seat<PreFilter>> seats, CycleState copy, Consumer<PreFilter.WhatIf> news) {
        for (var seat : seats) {
            var whatIf = whatIf(seat.plugin(), copy);
            if (whatIf != null) {
                seat.run(copy, _ -> news.accept(whatIf));
            }
        }
    }

    /// Whether a plugin of the attempt wants to know of pods that come and go in thought.
    boolean tellsAny(CycleState cycle) {
        for (var seat : adding) {
            if (whatIf(seat.plugin(), cycle) != null) {
                return true;
            }
        }
        return false;
    }

    private static PreFilter.@Nullable WhatIf whatIf(PreFilter plugin, CycleState cycle) {
        return cycle.skippedFilters().contains(plugin) ? null : plugin.whatIf();
    }

    private static PluginFailure failure(String step, String plugin, Throwable cause) {
        return new PluginFailure(
                plugin,
                "running %s on PreFilter plugin \"%s\": %s"
                        .formatted(step, plugin, PluginFailure.textOf(cause)),
                cause);
    }
}
