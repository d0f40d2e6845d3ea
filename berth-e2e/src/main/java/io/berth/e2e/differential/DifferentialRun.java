package io.berth.e2e.differential;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Collectors;

/// Plays scenarios of many seeds and says in which Berth and kube-scheduler differ.
///
/// A seed is a cluster; its cases are pods that are tried in it one after the other. A case in
/// which both differ is played again in a fresh cluster, so that what was left by another case
/// cannot be the cause, and then made smaller.
public final class DifferentialRun {
    private static final int SHRINKING_LIMIT = 250;

    private final Arena arena;
    private final Tally tally = new Tally();
    private final boolean isShrinking;

    public DifferentialRun(Arena arena, boolean isShrinking) {
        this.arena = arena;
        this.isShrinking = isShrinking;
    }

    public Tally tally() {
        return tally;
    }

    /// Plays the cases `from` to `to` (both included) of a seed.
    public void play(long seed, int from, int to) {
        var maker = new ScenarioMaker(seed);
        var suspects = new java.util.TreeMap<Integer, ObjectNode>();
        arena.raise(maker.objects());
        try {
            for (int number = from; number <= to; number++) {
                var pod = maker.pod(number);
                if (!agree(pod)) {
                    suspects.put(number, pod);
                }
            }
        } finally {
            arena.strike();
        }
        suspects.forEach(
                (number, pod) ->
                        examine(seed + "/" + number, new Scenario(maker.objects(), pod)));
    }

    private boolean agree(ObjectNode pod) {
        try {
            var pair = arena.play(pod);
            if (!pair.differences().isEmpty()) {
                return false;
            }
            tally.alike(pair.berth());
        } catch (RefusedException e) {
            if (Boolean.getBoolean("berth.differential.refusals")) {
                System.out.println("refused: " + e.getMessage());
            }
            tally.refused();
        }
        return true;
    }

    private void examine(String id, Scenario scenario) {
        var differences = differences(scenario);
        if (differences.isEmpty()) {
            System.out.println("case " + id + " differed once, but not again");
            tally.unsteady();
            return;
        }
        var reason = Explanation.of(scenario, differences);
        if (reason.isPresent()) {
            tally.explained(reason.get());
            return;
        }
        System.out.println("case " + id + " differs: " + text(differences));
        var small = scenario;
        if (isShrinking) {
            var kind = differences.getFirst().kind();
            small =
                    new Shrinker(
                                    smaller ->
                                            differences(smaller).stream()
                                                    .anyMatch(d -> d.kind().equals(kind)),
                                    SHRINKING_LIMIT)
                            .shrink(scenario);
        }
        var finding =
                "case %s: %s%n%s%n"
                        .formatted(id, text(differences(small)), isShrinking ? small.yaml() : Yaml.of(small.pod()));
        System.out.println(finding);
        tally.found(finding);
    }

    /// Of a scenario that is played in a fresh cluster.
    private List<Difference> differences(Scenario scenario) {
        try {
            arena.raise(scenario.objects());
            return arena.play(scenario.pod()).differences();
        } catch (RefusedException notAScenario) {
            return List.of();
        } finally {
            arena.strike();
        }
    }

    private static String text(List<Difference> differences) {
        return differences.stream()
                .map(d -> d.kind() + ": " + d.detail())
                .collect(Collectors.joining("\n  ", "\n  ", ""));
    }
}
