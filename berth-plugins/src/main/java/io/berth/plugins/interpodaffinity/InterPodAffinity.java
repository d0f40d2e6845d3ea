package io.berth.plugins.interpodaffinity;

import io.berth.api.column.NodeColumns;
import io.berth.api.column.NodeView;
import io.berth.api.event.Registration;
import io.berth.api.handle.Cycle;
import io.berth.api.handle.Handle;
import io.berth.api.handle.Lister;
import io.berth.api.label.Labels;
import io.berth.api.model.Kind;
import io.berth.api.model.Namespace;
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
import io.berth.api.verdict.PreFilterVerdict;
import io.berth.plugins.topology.KeptCounts;
import io.berth.plugins.topology.SpareArrays;
import java.util.List;

/// Places pods near to, or away from, other pods, as their affinity and anti-affinity terms ask:
/// required ones keep a pod off nodes, preferred ones rate nodes. Anti-affinity works both ways: an
/// existing pod's term keeps the incoming pod away.
public final class InterPodAffinity
        implements PreFilter, ClusterFilter, PreScore, ClusterScore, Normalize, Events, Relaxable {
    public static final String NAME = "InterPodAffinity";

    private final InterPodAffinityArguments arguments;
    private final Handle handle;
    private final Lister<Namespace> namespaces;
    private final KeptCounts kept;
    private final ExistingTerms existing;
    private final WhatIf whatIf = new CountChanges();
    private final SpareArrays spare = new SpareArrays();

    public InterPodAffinity(InterPodAffinityArguments arguments, Handle handle) {
        this.arguments = arguments;
        this.handle = handle;
        this.namespaces = handle.listers().of(Kind.NAMESPACE, Namespace.class);
        this.kept = KeptCounts.of(handle);
        this.existing = new ExistingTerms(kept);
        handle.observe(existing);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public PreFilterVerdict preFilter(Cycle cycle, Pod pod) {
        var refusal = IncomingTerms.check(pod.spec().affinity());
        if (refusal.isPresent()) {
            return refusal.get();
        }
        var namespaceLabels = namespaceLabels(pod);
        var filter =
                AffinityFilter.of(
                        pod,
                        namespaceLabels,
                        existing.matching(pod, namespaceLabels).requiredAnti,
                        kept,
                        namespaces,
                        handle.columns());
        if (filter.isEmpty()) {
            return PreFilterVerdict.SKIP;
        }
        cycle.put(AffinityFilter.KEY, filter);
        return PreFilterVerdict.PASS;
    }

    @Override
    public WhatIf whatIf() {
        return whatIf;
    }

    @Override
    public SlotJudge judge(Cycle cycle, Pod pod, NodeColumns columns) {
        return cycle.read(AffinityFilter.KEY).judge(columns);
    }

    @Override
    public boolean preScore(Cycle cycle, Pod pod, FeasibleNodes feasible) {
        var affinity = pod.spec().affinity();
        boolean prefers =
                !affinity.preferredPods().isEmpty() || !affinity.preferredAntiPods().isEmpty();
        if (arguments.ignorePreferredTermsOfExistingPods() && !prefers) {
            return false;
        }
        var score =
                AffinityScore.of(
                        pod,
                        existing.matching(pod, namespaceLabels(pod)).scored,
                        arguments.hardPodAffinityWeight(),
                        kept,
                        handle.columns(),
                        spare);
        if (score.isEmpty()) {
            return false;
        }
        cycle.put(AffinityScore.KEY, score);
        return true;
    }

    @Override
    public SlotScore scorer(Cycle cycle, Pod pod, NodeColumns columns) {
        return cycle.read(AffinityScore.KEY);
    }

    @Override
    public void normalize(Cycle cycle, Pod pod, Scores scores) {
        AffinityScore.normalize(scores);
    }

    @Override
    public List<Relaxation> relaxations(Pod pod, List<Obstacle> obstacles) {
        return PodTermRelaxations.of(pod);
    }

    @Override
    public List<Registration> events() {
        return AffinityHints.registrations();
    }

    private Labels namespaceLabels(Pod pod) {
        var namespace = namespaces.get(pod.namespace());
        return namespace == null ? Labels.EMPTY : namespace.labels();
    }

    private static final class CountChanges implements WhatIf {
        @Override
        public void podAdded(Cycle cycle, Pod pod, Pod other, NodeView node) {
            cycle.read(AffinityFilter.KEY).change(other, node.node(), 1);
        }

        @Override
        public void podRemoved(Cycle cycle, Pod pod, Pod other, NodeView node) {
            cycle.read(AffinityFilter.KEY).change(other, node.node(), -1);
        }
    }
}
