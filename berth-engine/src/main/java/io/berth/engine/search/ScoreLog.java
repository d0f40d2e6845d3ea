package io.berth.engine.search;

import io.berth.api.explain.Decision;
import io.berth.api.explain.ScoreSheet;
import io.berth.api.handle.Log;
import io.berth.api.model.Pod;
import io.berth.engine.port.AttemptObserver;
import java.util.List;
import java.util.function.Supplier;

/// Tells the log about the scores of attempts, at a level that nobody uses in production: the
/// weighted score of every plugin for every feasible node, and the sums (rule E-179).
///
/// @param next hears everything, too
public record ScoreLog(Log log, AttemptObserver next) implements AttemptObserver {
    private static final int LEVEL = 10;

    @Override
    public void decided(Pod pod, String profile, Supplier<Decision> decision) {
        next.decided(pod, profile, decision);
    }

    @Override
    public void failed(Pod pod, String profile, String message) {
        next.failed(pod, profile, message);
    }

    @Override
    public void givenBack(Pod pod, String node) {
        next.givenBack(pod, node);
    }

    @Override
    public boolean wantsScores() {
        return log.isOn(LEVEL) || next.wantsScores();
    }

    /// Node by node, each plugin in the order of the profile.
    @Override
    public void scored(Pod pod, ScoreSheet sheet) {
        next.scored(pod, sheet);
        for (int i = 0; i < sheet.nodes().size(); i++) {
            for (var row : sheet.rows()) {
                log.info(
                        LEVEL,
                        "Plugin scored node for pod",
                        "pod",
                        pod.key(),
                        "plugin",
                        row.plugin(),
                        "node",
                        sheet.nodes().get(i),
                        "score",
                        row.answer(i).weighted());
            }
        }
    }

    @Override
    public void summed(Pod pod, List<String> nodes, List<Long> totals) {
        next.summed(pod, nodes, totals);
        for (int i = 0; i < nodes.size(); i++) {
            log.info(
                    LEVEL,
                    "Calculated node's final score for pod",
                    "pod",
                    pod.key(),
                    "node",
                    nodes.get(i),
                    "score",
                    totals.get(i));
        }
    }
}
