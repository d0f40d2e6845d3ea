package io.berth.plugins.legacy;

import io.berth.api.column.NodeColumns;
import io.berth.api.handle.Cycle;
import io.berth.api.handle.Handle;
import io.berth.api.label.Labels;
import io.berth.api.model.Pod;
import io.berth.api.plugin.ClusterScore;
import io.berth.api.plugin.FeasibleNodes;
import io.berth.api.plugin.Normalize;
import io.berth.api.plugin.PreScore;
import io.berth.api.plugin.Score;
import io.berth.api.plugin.SlotScore;
import io.berth.plugins.topology.DefaultSelectors;
import io.berth.plugins.topology.KeptCounts;
import io.berth.plugins.topology.PodQuery;
import io.berth.plugins.topology.SlotCounts;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/// Spreads the pods of a service or controller over nodes and, weighing twice as much, over zones.
/// PodTopologySpread's system defaults took its place.
public final class SelectorSpread implements PreScore, ClusterScore, Normalize {
    public static final String NAME = "SelectorSpread";

    private static final double ZONE_WEIGHT = 2.0 / 3.0;

    private final NodeColumns columns;
    private final DefaultSelectors selectors;
    private final KeptCounts kept;

    public SelectorSpread(Handle handle) {
        this.columns = handle.columns();
        this.selectors = new DefaultSelectors(handle.listers());
        this.kept = KeptCounts.of(handle);
    }

    @Override
    public String name() {
        return NAME;
    }

    /// A pod with constraints of its own is left to PodTopologySpread.
    @Override
    public boolean preScore(Cycle cycle, Pod pod, FeasibleNodes feasible) {
        return pod.spec().topologySpread().isEmpty();
    }

    @Override
    public SlotScore scorer(Cycle cycle, Pod pod, NodeColumns unused) {
        var query = new PodQuery.Spread(pod.namespace(), selectors.of(pod));
        SlotCounts counts = kept.view(query).bySlot();
        return counts::get;
    }

    @Override
    public void normalize(Cycle cycle, Pod pod, Scores scores) {
        long[] values = scores.values();
        var zones = new String[scores.count()];
        Map<String, Long> byZone = new HashMap<>();
        long maxNode = 0;
        for (int i = 0; i < scores.count(); i++) {
            maxNode = Math.max(maxNode, values[i]);
            zones[i] = zoneOf(columns.node(scores.slots()[i]).node().labels());
            if (!zones[i].isEmpty()) {
                byZone.merge(zones[i], values[i], Long::sum);
            }
        }
        long maxZone = byZone.values().stream().mapToLong(Long::longValue).max().orElse(0);
        for (int i = 0; i < scores.count(); i++) {
            double score = fewness(values[i], maxNode);
            var inZone = byZone.get(zones[i]);
            if (inZone != null) {
                score = score * (1.0 - ZONE_WEIGHT) + ZONE_WEIGHT * fewness(inZone, maxZone);
            }
            values[i] = (long) score;
        }
    }

    private static double fewness(long count, long max) {
        return max == 0 ? Score.MAX : Score.MAX * ((double) (max - count) / (double) max);
    }

    /// Region and zone as one key, empty where the node has neither.
    private static String zoneOf(Labels labels) {
        var region = label(labels, "region");
        var zone = label(labels, "zone");
        return region.isEmpty() && zone.isEmpty() ? "" : region + ":\0:" + zone;
    }

    private static String label(Labels labels, String what) {
        var beta = labels.value("failure-domain.beta.kubernetes.io/" + what);
        return Objects.requireNonNullElse(
                beta != null ? beta : labels.value("topology.kubernetes.io/" + what), "");
    }
}
