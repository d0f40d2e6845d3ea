package io.berth.plugins.volumezone;

import io.berth.api.column.LabelColumn;
import io.berth.api.column.NodeColumns;
import io.berth.api.column.SlotTrait;
import io.berth.api.plugin.SlotJudge;
import io.berth.api.verdict.Verdict;
import io.berth.plugins.volume.NodeQuestion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Asks the label columns whether nodes are in the zones of a pod's volumes. Hot: allocates nothing
/// when asked.
final class ZoneJudge implements SlotJudge {
    private final LabelColumn[] labels;
    private final int[][] anyLabel;
    private final Question[] questions;
    private final List<Topology> topologies;

    ZoneJudge(List<Topology> topologies, NodeColumns columns) {
        this.topologies = topologies.stream().distinct().toList();
        labels = Topology.LABELS.stream().map(columns::label).toArray(LabelColumn[]::new);
        anyLabel = Arrays.stream(labels).map(LabelColumn::valueIds).toArray(int[][]::new);
        questions =
                this.topologies.stream()
                        .map(each -> Question.of(each, columns))
                        .toArray(Question[]::new);
    }

    /// One topology, in numbers.
    ///
    /// @param ids the node's label by slot
    /// @param newIds the label that takes its place where the node lacks it
    private record Question(int[] ids, int[] newIds, long[] wanted, long[] newWanted) {
        static Question of(Topology topology, NodeColumns columns) {
            var column = columns.label(topology.key());
            var newColumn = columns.label(topology.newKey());
            return new Question(
                    column.valueIds(),
                    newColumn.valueIds(),
                    wanted(topology, column),
                    wanted(topology, newColumn));
        }

        private static long[] wanted(Topology topology, LabelColumn column) {
            long[] result = new long[(Math.max(1, column.idLimit()) + 63) / 64];
            for (var value : topology.values()) {
                int id = column.idOf(value);
                if (id > 0) {
                    result[id >>> 6] |= 1L << id;
                }
            }
            return result;
        }

        boolean isMet(int slot) {
            int id = ids[slot];
            if (id != 0) {
                return (wanted[id >>> 6] & 1L << id) != 0;
            }
            int newId = newIds[slot];
            return newId != 0 && (newWanted[newId >>> 6] & 1L << newId) != 0;
        }
    }

    @Override
    public boolean passes(int slot) {
        for (var question : questions) {
            if (!question.isMet(slot)) {
                return !hasAnyLabel(slot);
            }
        }
        return true;
    }

    /// A node without any of the labels is in a cluster of one zone.
    private boolean hasAnyLabel(int slot) {
        for (var ids : anyLabel) {
            if (ids[slot] != 0) {
                return true;
            }
        }
        return false;
    }

    /// Labels that no node has tell nothing apart.
    @Override
    public @Nullable List<SlotTrait> traits() {
        var traits = new ArrayList<SlotTrait>(labels.length);
        for (var label : labels) {
            if (label.idLimit() > NodeQuestion.MOST_VALUES) {
                return null;
            }
            if (label.idLimit() > 1) {
                traits.add(label);
            }
        }
        return traits;
    }

    @Override
    public String detail(int slot) {
        for (int i = 0; i < questions.length; i++) {
            if (!questions[i].isMet(slot)) {
                var topology = topologies.get(i);
                return "a volume is in %s %s"
                        .formatted(
                                topology.key().substring(topology.key().lastIndexOf('/') + 1),
                                String.join(" or ", new TreeSet<>(topology.values())));
            }
        }
        return "";
    }

    @Override
    public Verdict explain(int slot) {
        return passes(slot) ? Verdict.PASS : VolumeZone.OTHER_ZONE;
    }
}
