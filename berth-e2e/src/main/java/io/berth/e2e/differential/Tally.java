package io.berth.e2e.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What came out of a run.
public final class Tally {
    private int placed;
    private int unplaced;
    private int preempting;
    private int refused;
    private int silent;
    private int unsteady;
    private final Map<String, Integer> explained = new TreeMap<>();
    private final List<String> findings = new ArrayList<>();

    void alike(Outcome outcome) {
        switch (outcome) {
            case Outcome.Placed _ -> placed++;
            case Outcome.Unplaced pod when !pod.victims().isEmpty() -> preempting++;
            case Outcome.Unplaced _ -> unplaced++;
            case Outcome.Silent _ -> silent++;
        }
    }

    void refused() {
        refused++;
    }

    /// A difference that did not show again in a fresh cluster.
    void unsteady() {
        unsteady++;
    }

    void explained(String reason) {
        explained.merge(reason, 1, Integer::sum);
    }

    void found(String finding) {
        findings.add(finding);
    }

    /// Cases in which both schedulers decided.
    public int compared() {
        return placed + unplaced + preempting + unsteady + explainedCount() + findings.size();
    }

    /// Differences that nothing explains, each with the YAML that shows it.
    public List<String> findings() {
        return List.copyOf(findings);
    }

    /// Cases in which nothing was heard of either scheduler.
    public int silentCount() {
        return silent;
    }

    /// Differences that did not show again.
    public int unsteadyCount() {
        return unsteady;
    }

    private int explainedCount() {
        return explained.values().stream().mapToInt(Integer::intValue).sum();
    }

    @Override
    public String toString() {
        return ("%d cases compared: %d placed alike, %d unplaced alike, %d preempting alike,"
                        + " %d explained differences %s, %d that did not show again,"
                        + " %d differences; %d cases refused by the API server,"
                        + " %d in which nothing was heard of either")
                .formatted(
                        compared(),
                        placed,
                        unplaced,
                        preempting,
                        explainedCount(),
                        explained,
                        unsteady,
                        findings.size(),
                        refused,
                        silent);
    }
}
