package io.berth.lab.shadow;

import io.berth.api.explain.Standing;
import io.berth.api.verdict.Refusal;
import java.time.Instant;
import java.util.Comparator;

/// What was found about one decision.
///
/// @param pod `namespace/name`
/// @param node that the pod was bound to
/// @param standing of that node, in the cluster just before
public record Finding(
        String pod, String profile, String node, Instant at, Result result, Standing standing) {
    /// Those that nothing explains first, then by how much better the best node was.
    static final Comparator<Finding> WORST_FIRST =
            Comparator.comparing((Finding finding) -> !finding.result.isUnexplained())
                    .thenComparing(finding -> finding.result != Result.REFUSED)
                    .thenComparingLong(finding -> -finding.standing.regret())
                    .thenComparing(Finding::pod);

    /// The plugin that made the difference; empty where there is none.
    public String plugin() {
        return standing.refusal()
                .map(answer -> answer.plugin())
                .orElseGet(() ->
                        standing.leads().isEmpty() ? "" : standing.leads().getFirst().plugin());
    }

    /// What the difference is.
    public String sentence() {
        if (standing.isAbsent()) {
            return "the node was not among those to look at";
        }
        if (standing.refusal().isPresent()) {
            var answer = standing.refusal().get();
            return answer.plugin()
                    + ": "
                    + (answer.verdict() instanceof Refusal refusal
                            ? String.join(", ", refusal.reasons())
                            : "refused");
        }
        if (standing.leads().isEmpty()) {
            return "";
        }
        var lead = standing.leads().getFirst();
        return "%s gives %s %d %s more"
                .formatted(
                        lead.plugin(),
                        standing.bestNode(),
                        lead.points(),
                        lead.points() == 1 ? "point" : "points");
    }
}
