package io.berth.engine.framework;

import java.util.Map;

/// What every node would be to a pod at this moment, without choosing one: for explanations and
/// checks.
///
/// @param totals by name of a node that could take the pod: its weighted score
/// @param refusals by name of any other node that was looked at: who refuses it and why
public record Evaluation(Map<String, Long> totals, Map<String, String> refusals) {
    public Evaluation {
        totals = Map.copyOf(totals);
        refusals = Map.copyOf(refusals);
    }
}
