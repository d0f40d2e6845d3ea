package io.berth.engine.search;

import io.berth.api.explain.PreFilterAnswer;
import io.berth.api.model.Pod;
import io.berth.api.plugin.PreFilter;
import io.berth.api.verdict.Pass;
import io.berth.api.verdict.PreFilterVerdict;
import io.berth.api.verdict.PreFilterVerdict.OnlyNodes;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Refusal.Remedy;
import io.berth.api.verdict.Skip;
import io.berth.engine.framework.CycleState;
import io.berth.engine.framework.PluginFailure;
import io.berth.engine.framework.Rejection;
import io.berth.engine.framework.Seat;
import io.berth.engine.port.StatusCode;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Asks the PreFilter plugins about a pod before any node is looked at (rules E-86, E-87).
final class PreFilterPass {
    private final List<Seat<PreFilter>> seats;

    PreFilterPass(List<Seat<PreFilter>> seats) {
        this.seats = seats;
    }

    /// What the plugins left together.
    ///
    /// @param rejection where the pod is refused as a whole
    /// @param names of the only nodes that may be looked at; null where all may
    /// @param narrowing plugins that named nodes
    record Outcome(
            @Nullable Rejection rejection, @Nullable Set<String> names, Set<String> narrowing) {}

    /// @param heard hears each plugin's answer
    /// @throws PluginFailure where a plugin breaks
    Outcome run(CycleState cycle, Pod pod, Consumer<PreFilterAnswer> heard) {
        @Nullable Set<String> names = null;
        Set<String> narrowing = Set.of();
        @Nullable Rejection rejection = null;
        for (var seat : seats) {
            var verdict = ask(seat, cycle, pod);
            heard.accept(new PreFilterAnswer(seat.name(), verdict));
            switch (verdict) {
                case Pass _ -> {}
                case Skip _ -> cycle.skippedFilters().add(seat.plugin());
                case Refusal refusal -> {
                    rejection = new Rejection(seat.name(), refusal);
                    requireNotPending(rejection);
                }
                case OnlyNodes only -> {
                    narrowing = with(narrowing, seat.name());
                    names = names == null ? only.names() : common(names, only.names());
                    if (names.isEmpty()) {
                        rejection = new Rejection("", Refusal.hopeless(unsatisfied(narrowing)));
                    }
                }
            }
            if (rejection != null && rejection.refusal().remedy() == Remedy.NOTHING_HELPS) {
                break;
            }
        }
        return new Outcome(rejection, names, narrowing);
    }

    /// Few pods are narrowed at all, and those mostly by one plugin.
    private static Set<String> with(Set<String> plugins, String plugin) {
        if (plugins.isEmpty()) {
            return Set.of(plugin);
        }
        var more = new TreeSet<>(plugins);
        more.add(plugin);
        return more;
    }

    private static Set<String> common(Set<String> names, Set<String> others) {
        var common = new LinkedHashSet<>(names);
        common.retainAll(others);
        return common;
    }

    private static PreFilterVerdict ask(Seat<PreFilter> seat, CycleState cycle, Pod pod) {
        var verdict =
                seat.ask(
                        cycle,
                        plugin -> plugin.preFilter(cycle, pod),
                        said ->
                                said instanceof Skip
                                        ? StatusCode.SKIP
                                        : StatusCode.ofVerdict(said));
        if (cycle.isCounted() && !(verdict instanceof Skip)) {
            seat.metrics().evaluated(1);
        }
        return verdict;
    }

    /// No plugin may keep a pod pending before nodes are looked at (E-86).
    private static void requireNotPending(Rejection rejection) {
        if (rejection.refusal().remedy() == Remedy.PENDING) {
            throw new PluginFailure(
                    rejection.plugin(),
                    "running PreFilter plugin \"%s\": %s"
                            .formatted(rejection.plugin(), rejection.message()),
                    null);
        }
    }

    private static String unsatisfied(Set<String> plugins) {
        return plugins.size() == 1
                ? "node(s) didn't satisfy plugin " + plugins.iterator().next()
                : "node(s) didn't satisfy plugin(s) "
                        + "["
                        + String.join(" ", plugins)
                        + "] simultaneously";
    }
}
