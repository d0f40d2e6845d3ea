package io.berth.plugins.noderesources;

import io.berth.api.column.NodeColumns;
import io.berth.api.event.Registration;
import io.berth.api.handle.Cycle;
import io.berth.api.handle.Handle;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.FeasibleNodes;
import io.berth.api.plugin.NodeLocalFilter;
import io.berth.api.plugin.NodeLocalScore;
import io.berth.api.plugin.PreFilter;
import io.berth.api.plugin.PreScore;
import io.berth.api.plugin.SlotJudge;
import io.berth.api.plugin.SlotScore;
import io.berth.api.relax.Obstacle;
import io.berth.api.relax.Relaxable;
import io.berth.api.relax.Relaxation;
import io.berth.api.spec.PodRequests;
import io.berth.api.spec.PodSpec;
import io.berth.api.verdict.PreFilterVerdict;
import io.berth.plugins.device.DeviceTotals;
import io.berth.plugins.device.ExtendedClasses;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Keeps pods off nodes without room for them, and rates nodes by how full they would be.
public final class NodeResourcesFit
        implements PreFilter, NodeLocalFilter, PreScore, NodeLocalScore, Events, Relaxable {
    public static final String NAME = "NodeResourcesFit";

    private final FitArguments arguments;
    private final BrokenLinear shape;
    private final @Nullable ExtendedClasses classes;
    private final @Nullable DeviceTotals totals;

    public NodeResourcesFit(FitArguments arguments) {
        this(arguments, null, null);
    }

    /// @param classes that stand for extended resources; null where none does
    /// @param totals of devices that stand for those that are scored; null where none do
    private NodeResourcesFit(
            FitArguments arguments,
            @Nullable ExtendedClasses classes,
            @Nullable DeviceTotals totals) {
        this.arguments = arguments;
        this.classes = classes;
        this.totals = totals;
        this.shape = new BrokenLinear(arguments.scoring().shape());
    }

    public static NodeResourcesFit of(FitArguments arguments, Handle handle) {
        return new NodeResourcesFit(
                arguments,
                ExtendedClasses.of(handle),
                DeviceTotals.of(handle, ResourceWeight.names(arguments.scoring().resources())));
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
        return new FitJudge(spec.requests().exact(), arguments, columns, classes);
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
                        scoring.resources(), PodRequests.forFitScore(spec), true, columns, totals);
        return switch (scoring.type()) {
            case LEAST_ALLOCATED -> FitScores.least(resources);
            case MOST_ALLOCATED -> FitScores.most(resources);
            case REQUESTED_TO_CAPACITY_RATIO -> FitScores.ratio(resources, shape);
        };
    }

    @Override
    public List<Relaxation> relaxations(Pod pod, List<Obstacle> obstacles) {
        return FitRelaxations.of(pod, obstacles);
    }

    @Override
    public List<Registration> events() {
        return new FitHints(classes).registrations();
    }
}
