package com.example.rackpower;

import io.berth.api.column.NodeView;
import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.event.Registration.Hint;
import io.berth.api.handle.Cycle;
import io.berth.api.handle.Handle;
import io.berth.api.handle.OwnMetrics;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.CustomObject;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.Filter;
import io.berth.api.plugin.Normalize;
import io.berth.api.plugin.PostBind;
import io.berth.api.plugin.PreFilter;
import io.berth.api.verdict.PreFilterVerdict;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Keeps racks within their power. A node's label says in which rack it stands, a pod's label how
/// many watts it draws; the sum over all pods of a rack stays within the rack's budget, and racks
/// with more left are preferred.
final class RackPower implements PreFilter, Filter, Normalize, PostBind, Events {
    static final String NAME = "RackPower";

    // Made once: users read these reasons, and Berth counts nodes by them.
    private static final Refusal NO_RACK =
            Refusal.hopeless("node(s) were in no rack with a budget");
    private static final Refusal TOO_LITTLE =
            Refusal.mayPreempt("node(s) had too little power left in their rack");

    private static final Cycle.Key<Draw> DRAW = new Cycle.Key<>(Draw.class);

    private final RackPowerArguments arguments;
    private final Handle handle;
    private final Racks racks;
    private final OwnMetrics.Counter refusals;

    RackPower(RackPowerArguments arguments, Handle handle) {
        this.arguments = arguments;
        this.handle = handle;
        this.racks = new Racks(arguments, handle);
        // Shown as berth_plugin_rack_power_refusals_total.
        this.refusals =
                handle.ownMetrics()
                        .counter(
                                "rack_power_refusals_total",
                                "Nodes refused because their rack had too little power left.",
                                "rack");
    }

    @Override
    public String name() {
        return NAME;
    }

    /// Once per attempt: adds up what the racks draw, for the nodes to be judged by.
    @Override
    public PreFilterVerdict preFilter(Cycle cycle, Pod pod) {
        if (!pod.labels().has(arguments.wattsLabel())) {
            return PreFilterVerdict.SKIP;
        }
        if (watts(pod) <= 0) {
            return Refusal.hopeless(
                    "label " + arguments.wattsLabel() + " must be a number of watts above zero");
        }
        var draw = new Draw(new HashMap<>(), new HashMap<>());
        for (var node : handle.nodes().all()) {
            draw.rackOf.put(node.name(), rack(node.node()));
            for (var other : node.pods()) {
                draw.add(rack(node.node()), watts(other));
            }
        }
        cycle.put(DRAW, draw);
        return PreFilterVerdict.PASS;
    }

    /// For preemption, which asks what if a pod were away.
    @Override
    public WhatIf whatIf() {
        return new WhatIf() {
            @Override
            public void podAdded(Cycle cycle, Pod pod, Pod other, NodeView node) {
                cycle.read(DRAW).add(rack(node.node()), watts(other));
            }

            @Override
            public void podRemoved(Cycle cycle, Pod pod, Pod other, NodeView node) {
                cycle.read(DRAW).add(rack(node.node()), -watts(other));
            }
        };
    }

    @Override
    public Verdict filter(Cycle cycle, Pod pod, NodeView node) {
        if (!racks.hasBudget(rack(node.node()))) {
            return NO_RACK;
        }
        if (watts(pod) <= left(cycle, node)) {
            return Verdict.PASS;
        }
        refusals.add(1, rack(node.node()));
        return TOO_LITTLE;
    }

    /// Watts; [#normalize] makes points of them.
    @Override
    public long score(Cycle cycle, Pod pod, NodeView node) {
        return cycle.find(DRAW) == null ? 0 : left(cycle, node);
    }

    @Override
    public void normalize(Cycle cycle, Pod pod, Scores scores) {
        Normalize.proportionally(scores, false);
    }

    /// On a thread that may wait for the API server; what it needs of the nodes was noted before.
    @Override
    public void postBind(Cycle cycle, Pod pod, String nodeName) {
        var draw = cycle.find(DRAW);
        if (draw != null && arguments.watchRacks()) {
            racks.noteNewcomer(draw.rackOf.getOrDefault(nodeName, ""), pod.key());
        }
    }

    /// A pod that we refused is tried again when a pod that draws power goes, when a node comes to a
    /// rack, and when a rack gets more power; nothing else can help it.
    @Override
    public List<Registration> events() {
        var events = new ArrayList<Registration>();
        events.add(Registration.of(ClusterEvent.POD, Action.DELETE, this::afterPod));
        events.add(
                Registration.of(
                        ClusterEvent.NODE, Action.ADD | Action.UPDATE_NODE_LABEL, this::afterNode));
        if (arguments.watchRacks()) {
            events.add(
                    Registration.of(
                            Racks.KIND.resource(),
                            Action.ADD | Action.UPDATE,
                            RackPower::afterRack));
        }
        return events;
    }

    /// A status that we wrote ourselves helps nobody.
    private static Hint afterRack(Pod waiting, ClusterObject before, ClusterObject after) {
        return Objects.equals(Racks.watts((CustomObject) before), Racks.watts((CustomObject) after))
                ? Hint.SKIP
                : Hint.QUEUE;
    }

    private Hint afterPod(Pod waiting, ClusterObject before, ClusterObject after) {
        return before instanceof Pod gone && gone.isAssigned() && watts(gone) > 0
                ? Hint.QUEUE
                : Hint.SKIP;
    }

    private Hint afterNode(Pod waiting, ClusterObject before, ClusterObject after) {
        return after instanceof Node node && racks.hasBudget(rack(node))
                ? Hint.QUEUE
                : Hint.SKIP;
    }

    private long left(Cycle cycle, NodeView node) {
        var rack = rack(node.node());
        return racks.budget(rack) - cycle.read(DRAW).of(rack);
    }

    private String rack(Node node) {
        var rack = node.labels().value(arguments.rackLabel());
        return rack == null ? "" : rack;
    }

    private long watts(Pod pod) {
        var text = pod.labels().value(arguments.wattsLabel());
        try {
            return text == null ? 0 : Math.max(0, Long.parseLong(text));
        } catch (NumberFormatException noNumber) {
            return 0;
        }
    }

    /// Watts drawn, by rack, and the racks of the nodes. Belongs to one attempt; dry runs change
    /// copies of it.
    private record Draw(Map<String, Long> byRack, Map<String, String> rackOf)
            implements Cycle.Note {
        long of(String rack) {
            return byRack.getOrDefault(rack, 0L);
        }

        void add(String rack, long watts) {
            byRack.merge(rack, watts, Long::sum);
        }

        @Override
        public Draw copy() {
            return new Draw(new HashMap<>(byRack), rackOf);
        }
    }
}
