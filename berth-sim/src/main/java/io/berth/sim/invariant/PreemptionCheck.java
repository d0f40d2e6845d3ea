package io.berth.sim.invariant;

import io.berth.api.column.NodeView;
import io.berth.api.event.Registration;
import io.berth.api.handle.Cycle;
import io.berth.api.handle.Handle;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.api.model.PodCondition;
import io.berth.api.model.PodDisruptionBudget;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.PostFilter;
import io.berth.api.plugin.PreEnqueue;
import io.berth.api.plugin.Refusals;
import io.berth.api.verdict.PostFilterVerdict;
import io.berth.api.verdict.Refusal;
import io.berth.plugins.defaultpreemption.DefaultPreemption;
import io.berth.sim.fault.Mishaps;
import io.berth.sim.fault.SimulatedExtender;
import io.berth.sim.plain.Broken;
import io.berth.sim.plain.PlainCluster;
import io.berth.sim.plain.PlainPreemption;
import io.berth.sim.plain.PlainVolumes;
import io.berth.sim.plain.Promises;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The real preemption plugin with a watchful eye on it: it must help, it must take the least
/// costly node, and it must not evict anybody else than it has to.
public final class PreemptionCheck implements PostFilter, PreEnqueue, Events {
    private static final String REASON = "PreemptionByScheduler";

    private final DefaultPreemption real;
    private final Handle handle;
    private final Consumer<String> story;
    private final Preemptions preemptions;
    private final SharedPorts sharedPorts;
    private final Promises promises;
    private final Mishaps mishaps;

    /// @param invariants what was decided is noted there
    public PreemptionCheck(
            DefaultPreemption real,
            Handle handle,
            Consumer<String> story,
            Invariants invariants,
            Mishaps mishaps) {
        this.sharedPorts = invariants.sharedPorts();
        this.promises = invariants.promises();
        this.mishaps = mishaps;
        this.real = real;
        this.handle = handle;
        this.story = story;
        this.preemptions = invariants.preemptions();
    }

    @Override
    public String name() {
        return real.name();
    }

    @Override
    public Optional<Refusal> preEnqueue(Pod pod) {
        return real.preEnqueue(pod);
    }

    @Override
    public List<Registration> events() {
        return real.events();
    }

    @Override
    public PostFilterVerdict postFilter(Cycle cycle, Pod pod, Refusals refusals) {
        int mishapsBefore = mishaps.count();
        preemptions.keepsNomination(pod);
        var leaving = leavingFor(pod, refusals);
        var verdict = real.postFilter(cycle, pod, refusals);
        Broken.require(
                leaving == null || !(verdict instanceof PostFilterVerdict.Nominated),
                "%s takes other victims while %s leaves for it",
                pod.key(),
                leaving);
        note(pod, verdict);
        if (pod.labels().has(SimulatedExtender.LABEL)) {
            checkExtender(pod, verdict);
            allowLesser(pod);
            return verdict;
        }
        // A node on which a plugin breaks is passed over (E-155).
        if (sharedPorts.matterTo(pod) || mishaps.count() > mishapsBefore || isUnclear(pod)) {
            allowLesser(pod);
            return verdict;
        }
        switch (verdict) {
            case PostFilterVerdict.Nominated(var node) -> checkNominated(pod, node, refusals);
            case PostFilterVerdict.Nothing nothing -> {
                if (nothing.nomination() == PostFilterVerdict.Nomination.CLEAR) {
                    checkHopeless(pod, refusals);
                }
            }
        }
        return verdict;
    }

    /// Whether the plain reading does not know which volumes the pod has.
    private boolean isUnclear(Pod pod) {
        return PlainVolumes.of(handle.listers(), promises).isUnclear(pod);
    }

    /// A pod that is on its way out for the benefit of this one: while there is one, this one must
    /// wait (E-152), whether its status tells of its nomination yet or not.
    private @Nullable String leavingFor(Pod pod, Refusals refusals) {
        var nominated = preemptions.nominationOf(pod.uid());
        var node = handle.nodes().byName(nominated);
        var refusal = refusals.of(nominated);
        if (node == null
                || refusal != null && refusal.remedy() == Refusal.Remedy.NOTHING_HELPS
                || handle.nominations().on(nominated).stream()
                        .noneMatch(other -> other.uid().equals(pod.uid()))) {
            return null;
        }
        for (var other : node.pods()) {
            var condition = other.condition(PodCondition.DISRUPTION_TARGET);
            if (other.spec().priority() < pod.spec().priority()
                    && other.isTerminating()
                    && condition != null
                    && condition.reason().equals(REASON)) {
                return other.key();
            }
        }
        return null;
    }

    private void note(Pod pod, PostFilterVerdict verdict) {
        switch (verdict) {
            case PostFilterVerdict.Nominated(var node) -> preemptions.nominates(pod, node);
            case PostFilterVerdict.Nothing nothing -> {
                if (nothing.nomination() == PostFilterVerdict.Nomination.CLEAR) {
                    preemptions.nominates(pod, "");
                }
            }
        }
    }

    /// The licence office drops candidates, so the cheapest may be none of them (E-149).
    private void checkExtender(Pod pod, PostFilterVerdict verdict) {
        if (verdict instanceof PostFilterVerdict.Nominated(var name)) {
            var node = handle.nodes().byName(name);
            Broken.require(
                    node != null && !SimulatedExtender.keepsOut(pod, node.node()),
                    "%s preempts on %s against the word of an extender",
                    pod.key(),
                    name);
        }
    }

    private void checkNominated(Pod pod, String node, Refusals refusals) {
        var costs = costs(pod, refusals);
        var chosen = costs.get(node);
        if (chosen == null) {
            throw new Broken(
                    "%s preempts on %s, which does not help: %s"
                            .formatted(pod.key(), node, plain(pod).why(node)));
        }
        var order = PlainPreemption.Sacrifice.cost(handle.nowMillis());
        costs.forEach((other, cost) ->
                Broken.require(
                        order.compare(chosen, cost) <= 0,
                        "%s preempts %s on %s, though %s on %s cost less",
                        pod.key(),
                        chosen,
                        node,
                        cost,
                        other));
        preemptions.mayEvict(pod, chosen.victims());
        story.accept("preempt for " + pod.key() + " on " + node + ": " + chosen.victims());
    }

    /// Where the plain reading cannot tell the victims, any less important pod may be one.
    private void allowLesser(Pod pod) {
        for (var node : handle.nodes().all()) {
            preemptions.mayEvict(
                    pod,
                    node.pods().stream()
                            .filter(other -> other.spec().priority() < pod.spec().priority())
                            .toList());
        }
    }

    private void checkHopeless(Pod pod, Refusals refusals) {
        var costs = costs(pod, refusals);
        Broken.require(
                costs.isEmpty(),
                "%s found nothing to preempt, though there is %s",
                pod.key(),
                costs);
    }

    private Map<String, PlainPreemption.Sacrifice> costs(Pod pod, Refusals refusals) {
        var plain = plain(pod);
        var costs = new HashMap<String, PlainPreemption.Sacrifice>();
        for (NodeView node : refusals.resolvableNodes()) {
            var cost = plain.on(node.name());
            if (cost != null) {
                costs.put(node.name(), cost);
            }
        }
        return costs;
    }

    private PlainPreemption plain(Pod pod) {
        return new PlainPreemption(
                PlainCluster.of(handle.nodes().all(), handle.listers(), promises),
                pod,
                new HashSet<>(handle.pluginNames()),
                handle.nominations()::on,
                handle.listers().of(Kind.POD_DISRUPTION_BUDGET, PodDisruptionBudget.class)::in,
                handle.nowMillis());
    }
}
