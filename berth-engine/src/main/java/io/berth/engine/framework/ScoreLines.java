package io.berth.engine.framework;

import io.berth.api.model.Pod;
import io.berth.api.plugin.Log;
import io.berth.engine.state.ClusterState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the log tells about the scores of one attempt, at a level that nobody uses in production:
/// the weighted score of every plugin for every feasible node, and the sums (rule E-179).
final class ScoreLines {
    private static final int LEVEL = 10;

    private final Log log;
    private final Pod pod;
    private final ClusterState state;
    private final int[] slots;
    private final int count;
    private final List<Row> rows = new ArrayList<>();

    private record Row(String plugin, long[] weighted) {}

    private ScoreLines(Log log, Pod pod, ClusterState state, int[] slots, int count) {
        this.log = log;
        this.pod = pod;
        this.state = state;
        this.slots = slots;
        this.count = count;
    }

    /// Null where nobody listens, so that an ordinary attempt pays for one question.
    static @Nullable ScoreLines ifWanted(
            Log log, Pod pod, ClusterState state, int[] slots, int count) {
        return log.isOn(LEVEL) ? new ScoreLines(log, pod, state, slots, count) : null;
    }

    /// Notes what a plugin gave each node.
    void add(String plugin, long[] scores, long weight) {
        var weighted = new long[count];
        for (int i = 0; i < count; i++) {
            weighted[i] = scores[i] * weight;
        }
        rows.add(new Row(plugin, weighted));
    }

    /// Notes what a plugin gave to all nodes alike.
    void addEqual(String plugin, long score, long weight) {
        var weighted = new long[count];
        java.util.Arrays.fill(weighted, score * weight);
        rows.add(new Row(plugin, weighted));
    }

    /// Node by node, each plugin in the order of the profile.
    void tellPlugins() {
        for (int i = 0; i < count; i++) {
            for (var row : rows) {
                log.info(
                        LEVEL,
                        "Plugin scored node for pod",
                        "pod",
                        pod.key(),
                        "plugin",
                        row.plugin,
                        "node",
                        state.view(slots[i]).name(),
                        "score",
                        row.weighted[i]);
            }
        }
    }

    /// The sums, with what extenders added to them.
    static void tellTotals(
            Log log, Pod pod, ClusterState state, int[] slots, int count, long[] totals) {
        if (!log.isOn(LEVEL)) {
            return;
        }
        for (int i = 0; i < count; i++) {
            log.info(
                    LEVEL,
                    "Calculated node's final score for pod",
                    "pod",
                    pod.key(),
                    "node",
                    state.view(slots[i]).name(),
                    "score",
                    totals[i]);
        }
    }
}
