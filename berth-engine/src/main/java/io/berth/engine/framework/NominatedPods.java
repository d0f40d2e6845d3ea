package io.berth.engine.framework;

import static java.util.Objects.requireNonNull;

import io.berth.api.model.Pod;
import io.berth.api.plugin.Filter;
import io.berth.api.plugin.NodeView;
import io.berth.api.plugin.Nominations;
import io.berth.api.plugin.PreFilter;
import io.berth.engine.port.PluginMetrics;
import io.berth.engine.port.StatusCode;
import io.berth.engine.port.TimedPoint;
import io.berth.engine.state.ClusterState;
import io.berth.engine.state.Scratch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The first of the two passes over a node that other pods are nominated to (rule E-92): with these
/// pods in thought on the node, does the pod still fit?
///
/// Few nodes ever have nominated pods, so the answers are worked out when asked for and remembered
/// for the attempt. Owned by the engine thread.
final class NominatedPods {
    private final List<PreFilter> preFilters;
    private final List<Filter> filters;
    private final ClusterState state;
    private final Nominations nominations;
    private final Meter meter;
    private final PluginMetrics[] addMetrics;
    private final PluginMetrics[] removeMetrics;

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
        this.meter = meter;
        this.addMetrics = meter.plugins(preFilters, TimedPoint.ADD_POD);
        this.removeMetrics = meter.plugins(preFilters, TimedPoint.REMOVE_POD);
        this.preFilters = preFilters;
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
        for (int i = 0; i < preFilters.size(); i++) {
            var whatIf = whatIf(preFilters.get(i), copy);
            if (whatIf != null) {
                long begin = meter.beginPlugin(copy);
                var status = StatusCode.ERROR;
                try {
                    whatIf.podAdded(copy, pod, other, scratch.view());
                    status = StatusCode.SUCCESS;
                } catch (RuntimeException | LinkageError broken) {
                    throw failure("AddPod", preFilters.get(i), broken);
                } finally {
                    meter.endPlugin(addMetrics[i], status, begin);
                }
            }
        }
    }

    /// Takes a pod from a scratch node and tells the plugins' notes.
    void removePod(CycleState copy, Pod pod, Pod other, Scratch scratch) {
        scratch.remove(other);
        for (int i = 0; i < preFilters.size(); i++) {
            var whatIf = whatIf(preFilters.get(i), copy);
            if (whatIf != null) {
                long begin = meter.beginPlugin(copy);
                var status = StatusCode.ERROR;
                try {
                    whatIf.podRemoved(copy, pod, other, scratch.view());
                    status = StatusCode.SUCCESS;
                } catch (RuntimeException | LinkageError broken) {
                    throw failure("RemovePod", preFilters.get(i), broken);
                } finally {
                    meter.endPlugin(removeMetrics[i], status, begin);
                }
            }
        }
    }

    private static PreFilter.@Nullable WhatIf whatIf(PreFilter plugin, CycleState cycle) {
        return cycle.skippedFilters.contains(plugin) ? null : plugin.whatIf();
    }

    private static PluginFailure failure(String step, PreFilter plugin, Throwable cause) {
        return new PluginFailure(
                plugin.name(),
                "running %s on PreFilter plugin \"%s\": %s"
                        .formatted(step, plugin.name(), PluginFailure.textOf(cause)),
                cause);
    }
}
