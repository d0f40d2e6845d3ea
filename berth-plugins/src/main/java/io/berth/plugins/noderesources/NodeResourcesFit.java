package io.berth.plugins.noderesources;

import io.berth.api.column.Fact;
import io.berth.api.column.NodeColumns;
import io.berth.api.column.SlotJudge;
import io.berth.api.column.SlotScore;
import io.berth.api.event.Registration;
import io.berth.api.model.Pod;
import io.berth.api.model.PodRequests;
import io.berth.api.model.PodSpec;
import io.berth.api.plugin.Cycle;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.FeasibleNodes;
import io.berth.api.plugin.NodeLocalFilter;
import io.berth.api.plugin.NodeLocalScore;
import io.berth.api.plugin.PreFilter;
import io.berth.api.plugin.PreFilterVerdict;
import io.berth.api.plugin.PreScore;
import java.util.List;
import java.util.Set;

/// Keeps pods off nodes without room for them, and rates nodes by how full they would be.
public final class NodeResourcesFit
        implements PreFilter, NodeLocalFilter, PreScore, NodeLocalScore, Events {
    public static final String NAME = "NodeResourcesFit";

    private final FitArguments arguments;
    private final BrokenLinear shape;

    public NodeResourcesFit(FitArguments arguments) {
        this.arguments = arguments;
        this.shape = new BrokenLinear(arguments.scoring().shape());
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public PreFilterVerdict preFilter(Cycle cycle, Pod pod) {
        return PreFilterVerdict.PASS;
    }

    @Override
    public SlotJudge judge(PodSpec spec, NodeColumns columns) {
        return new FitJudge(spec.requests().exact(), arguments, columns);
    }

    @Override
    public boolean preScore(Cycle cycle, Pod pod, FeasibleNodes feasible) {
        return true;
    }

    @Override
    public SlotScore scorer(PodSpec spec, NodeColumns columns) {
        var scoring = arguments.scoring();
        var resources =
                ScoredResources.of(
                        scoring.resources(), PodRequests.forFitScore(spec), true, columns);
        return switch (scoring.type()) {
            case LEAST_ALLOCATED -> FitScores.least(resources);
            case MOST_ALLOCATED -> FitScores.most(resources);
            case REQUESTED_TO_CAPACITY_RATIO -> FitScores.ratio(resources, shape);
        };
    }

    @Override
    public Set<Fact> reads() {
        return Set.of(Fact.NODE, Fact.PODS);
    }

    @Override
    public List<Registration> events() {
        return FitHints.registrations();
    }
}
