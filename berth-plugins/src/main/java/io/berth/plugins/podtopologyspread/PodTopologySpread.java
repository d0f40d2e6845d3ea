package io.berth.plugins.podtopologyspread;

import io.berth.api.column.NodeColumns;
import io.berth.api.column.NodeView;
import io.berth.api.event.Registration;
import io.berth.api.handle.Cycle;
import io.berth.api.handle.Handle;
import io.berth.api.model.Pod;
import io.berth.api.plugin.ClusterFilter;
import io.berth.api.plugin.ClusterScore;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.FeasibleNodes;
import io.berth.api.plugin.Normalize;
import io.berth.api.plugin.PreFilter;
import io.berth.api.plugin.PreScore;
import io.berth.api.plugin.SlotJudge;
import io.berth.api.plugin.SlotScore;
import io.berth.api.relax.Obstacle;
import io.berth.api.relax.Relaxable;
import io.berth.api.relax.Relaxation;
import io.berth.api.spec.TopologySpreadConstraint;
import io.berth.api.verdict.PreFilterVerdict;
import io.berth.plugins.tainttoleration.Tolerations;
import io.berth.plugins.topology.DefaultSelectors;
import io.berth.plugins.topology.KeptCounts;
import io.berth.plugins.topology.PodQuery;
import io.berth.plugins.topology.SpareArrays;
import java.util.List;

/// Spreads the pods of an application over zones, nodes or other domains: hard constraints keep a
/// pod off domains that have too many, soft ones prefer domains that have few.
public final class PodTopologySpread
        implements PreFilter, ClusterFilter, PreScore, ClusterScore, Normalize, Events, Relaxable {
    public static final String NAME = "PodTopologySpread";

    private final Handle handle;
    private final boolean systemDefaults;
    private final Constraints constraints;
    private final Tolerations tolerations;
    private final KeptCounts kept;
    private final WhatIf whatIf = new CountChanges();
    private final SpareArrays spare = new SpareArrays();

    public PodTopologySpread(SpreadArguments arguments, Handle handle) {
        this.handle = handle;
        this.systemDefaults = arguments.systemDefaults();
        this.constraints = new Constraints(arguments, new DefaultSelectors(handle.listers()));
        this.tolerations = Tolerations.of(handle);
        this.kept = KeptCounts.of(handle);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public PreFilterVerdict preFilter(Cycle cycle, Pod pod) {
        var hard = constraints(pod, true, "get constraints from pod");
        if (hard.isEmpty()) {
            return PreFilterVerdict.SKIP;
        }
        var keys = Constraints.keys(hard);
        var prepared = new HardConstraint[hard.size()];
        for (int i = 0; i < prepared.length; i++) {
            var constraint = hard.get(i);
            var division = Constraints.domains(constraint, pod, tolerations.of(pod.spec()), keys);
            var query = new PodQuery.Spread(pod.namespace(), constraint.selector());
            prepared[i] =
                    new HardConstraint(
                            constraint,
                            division,
                            kept.counts(query, division),
                            handle.columns().label(constraint.topologyKey()),
                            pod);
        }
        cycle.put(SpreadFilter.KEY, new SpreadFilter(prepared));
        return PreFilterVerdict.PASS;
    }

    private List<TopologySpreadConstraint> constraints(Pod pod, boolean hard, String purpose) {
        try {
            return constraints.of(pod, hard);
        } catch (IllegalArgumentException problem) {
            throw new IllegalArgumentException(purpose + ": " + problem.getMessage(), problem);
        }
    }

    @Override
    public WhatIf whatIf() {
        return whatIf;
    }

    @Override
    public SlotJudge judge(Cycle cycle, Pod pod, NodeColumns columns) {
        return cycle.read(SpreadFilter.KEY).judge();
    }

    @Override
    public boolean preScore(Cycle cycle, Pod pod, FeasibleNodes feasible) {
        var soft = constraints(pod, false, "calculating preScoreState");
        if (soft.isEmpty()) {
            return false;
        }
        boolean requireAllKeys = !pod.spec().topologySpread().isEmpty() || !systemDefaults;
        cycle.put(
                SpreadScore.KEY,
                SpreadScore.of(
                        new SoftConstraints(pod, soft, tolerations.of(pod.spec()), requireAllKeys),
                        feasible,
                        kept,
                        handle.columns(),
                        spare));
        return true;
    }

    @Override
    public SlotScore scorer(Cycle cycle, Pod pod, NodeColumns columns) {
        return cycle.read(SpreadScore.KEY);
    }

    @Override
    public void normalize(Cycle cycle, Pod pod, Scores scores) {
        cycle.read(SpreadScore.KEY).normalize(scores);
    }

    @Override
    public List<Relaxation> relaxations(Pod pod, List<Obstacle> obstacles) {
        return SpreadRelaxations.of(pod);
    }

    @Override
    public List<Registration> events() {
        return new SpreadHints(constraints).registrations();
    }

    private static final class CountChanges implements WhatIf {
        @Override
        public void podAdded(Cycle cycle, Pod pod, Pod other, NodeView node) {
            cycle.read(SpreadFilter.KEY).change(pod, other, node.node(), 1);
        }

        @Override
        public void podRemoved(Cycle cycle, Pod pod, Pod other, NodeView node) {
            cycle.read(SpreadFilter.KEY).change(pod, other, node.node(), -1);
        }
    }
}
