package io.berth.e2e.differential;

import io.berth.e2e.differential.scenario.About;
import io.berth.e2e.differential.scenario.Scenario;
import io.berth.e2e.differential.scenario.ScenarioMaker;
import io.berth.e2e.differential.scenario.Yaml;
import io.berth.testkit.Progress;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongFunction;
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
    private final Progress progress;
    private final LongFunction<About> abouts;

    /// @param abouts what the clusters are about, by seed
    public DifferentialRun(
            Arena arena, boolean isShrinking, Progress progress, LongFunction<About> abouts) {
        this.arena = arena;
        this.isShrinking = isShrinking;
        this.progress = progress;
        this.abouts = abouts;
    }

    public Tally tally() {
        return tally;
    }

    /// Plays the cases `from` to `to` (both included) of a seed.
    public void play(long seed, int from, int to) {
        var maker = new ScenarioMaker(seed, abouts.apply(seed));
        var suspects = new TreeMap<Integer, Suspect>();
        try {
            for (int number = from; number <= to; number++) {
                var scenario = new Scenario(maker.objects(number), maker.pod(number));
                var differences = compare(scenario);
                if (!differences.isEmpty()) {
                    suspects.put(number, new Suspect(scenario, differences));
                }
                progress.advance(1);
            }
        } finally {
            arena.strike();
        }
        suspects.forEach((number, suspect) -> examine(seed + "/" + number, suspect));
    }

    private record Suspect(Scenario scenario, List<Difference> differences) {}

    private List<Difference> compare(Scenario scenario) {
        try {
            arena.become(scenario.objects());
            var pair = arena.play(scenario.pod());
            var differences = pair.differences();
            if (differences.isEmpty()) {
                tally.alike(pair.berth());
            }
            return differences;
        } catch (RefusedException e) {
            refused(e);
            return List.of();
        }
    }

    private void refused(RefusedException e) {
        if (Boolean.getBoolean("berth.differential.refusals")) {
            say("refused: " + e.getMessage());
        }
        tally.refused();
    }

    private void examine(String id, Suspect suspect) {
        var scenario = suspect.scenario;
        var pair = playAlone(scenario);
        var differences = pair.map(Arena.Pair::differences).orElse(List.of());
        if (pair.isEmpty() || differences.isEmpty()) {
            say("case " + id + " differed once, but not again: " + text(suspect.differences));
            tally.unsteady();
            return;
        }
        var explanation = explanation(scenario, pair.get());
        if (explanation.isPresent()) {
            tally.explained(explanation.get().reason());
            return;
        }
        say("case " + id + " differs: " + text(differences));
        progress.failed();
        var small = isShrinking ? shrink(scenario, differences.getFirst().kind()) : scenario;
        var finding =
                "case %s: %s%n%s%n"
                        .formatted(
                                id,
                                text(differences(small)),
                                isShrinking ? small.yaml() : Yaml.of(small.pod()));
        say(finding);
        tally.found(finding);
    }

    private void say(String line) {
        progress.clear();
        System.out.println(line);
    }

    /// Of outcomes that differ: the reason, if upstream decides as Berth did once it is away.
    private Optional<Explanation> explanation(Scenario scenario, Arena.Pair pair) {
        return Explanation.of(scenario)
                .filter(found ->
                        playAlone(found.reworded())
                                .filter(reworded ->
                                        Difference.between(pair.berth(), reworded.upstream())
                                                .isEmpty())
                                .isPresent());
    }

    private Scenario shrink(Scenario scenario, String kind) {
        return new Shrinker(smaller -> differsStill(smaller, kind), SHRINKING_LIMIT)
                .shrink(scenario);
    }

    private boolean differsStill(Scenario scenario, String kind) {
        var pair = playAlone(scenario);
        return pair.isPresent()
                && pair.get().differences().stream().anyMatch(d -> d.kind().equals(kind))
                && explanation(scenario, pair.get()).isEmpty();
    }

    private List<Difference> differences(Scenario scenario) {
        return playAlone(scenario).map(Arena.Pair::differences).orElse(List.of());
    }

    /// Both outcomes in a fresh cluster; empty where the API server does not take the scenario.
    private Optional<Arena.Pair> playAlone(Scenario scenario) {
        try {
            arena.become(scenario.objects());
            return Optional.of(arena.play(scenario.pod()));
        } catch (RefusedException notAScenario) {
            return Optional.empty();
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
