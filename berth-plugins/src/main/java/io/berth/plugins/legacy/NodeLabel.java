package io.berth.plugins.legacy;

import io.berth.api.column.NodeColumns;
import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.NodeLocalFilter;
import io.berth.api.plugin.NodeLocalScore;
import io.berth.api.plugin.Score;
import io.berth.api.plugin.SlotJudge;
import io.berth.api.plugin.SlotScore;
import io.berth.api.spec.PodSpec;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import java.util.List;

/// Judges nodes by which labels they have, whatever the values, for all pods alike.
public final class NodeLabel implements NodeLocalFilter, NodeLocalScore, Events {
    public static final String NAME = "NodeLabel";

    static final Refusal LABELS_DIFFER =
            Refusal.hopeless("node(s) didn't have the requested labels");

    private final NodeLabelArguments arguments;

    public NodeLabel(NodeLabelArguments arguments) {
        this.arguments = arguments;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public SlotJudge judge(PodSpec spec, NodeColumns columns) {
        var present = columnsOf(arguments.presentLabels(), columns);
        var absent = columnsOf(arguments.absentLabels(), columns);
        return new Judge(present, absent);
    }

    @Override
    public SlotScore scorer(PodSpec spec, NodeColumns columns) {
        var present = columnsOf(arguments.presentLabelsPreference(), columns);
        var absent = columnsOf(arguments.absentLabelsPreference(), columns);
        int wishes = present.length + absent.length;
        return slot ->
                wishes == 0
                        ? 0
                        : Score.MAX
                                * (count(present, slot, true) + count(absent, slot, false))
                                / wishes;
    }

    private static int[][] columnsOf(List<String> labels, NodeColumns columns) {
        return labels.stream().map(key -> columns.label(key).valueIds()).toArray(int[][]::new);
    }

    /// How many of the labels the node has (or lacks).
    private static long count(int[][] valueIds, int slot, boolean present) {
        long count = 0;
        for (var ids : valueIds) {
            if (ids[slot] != 0 == present) {
                count++;
            }
        }
        return count;
    }

    @Override
    public List<Registration> events() {
        return List.of(Registration.of(ClusterEvent.NODE, Action.ADD | Action.UPDATE_NODE_LABEL));
    }

    private record Judge(int[][] present, int[][] absent) implements SlotJudge {
        @Override
        public boolean passes(int slot) {
            return count(present, slot, true) == present.length
                    && count(absent, slot, false) == absent.length;
        }

        @Override
        public Verdict explain(int slot) {
            return passes(slot) ? Verdict.PASS : LABELS_DIFFER;
        }
    }
}
