package io.berth.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.berth.sim.Simulation.Outcome;
import io.berth.sim.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class SimulationTest {
    /// CI asks for more.
    private static final int SEEDS = Integer.getInteger("berth.sim.seeds", 100);

    private static final int TOLD_FAILURES = 3;

    /// By seed, since two tests look at them.
    private static final Map<Long, Plain> PLAIN = new ConcurrentHashMap<>();

    @Test
    @Tag("E-180")
    void whatMustHoldHoldsInEveryRun() {
        var failures =
                LongStream.rangeClosed(1, SEEDS)
                        .mapToObj(SimulationTest::plain)
                        .flatMap(run -> run.failure().stream())
                        .toList();
        if (!failures.isEmpty()) {
            fail(
                    "%d of %d runs failed:\n%s",
                    failures.size(),
                    SEEDS,
                    String.join(
                            "\n", failures.subList(0, Math.min(TOLD_FAILURES, failures.size()))));
        }
    }

    @Test
    @Tag("E-180")
    void sameSeedGivesTheSameStory() {
        for (long seed = 1; seed <= 10; seed++) {
            var scenario = Scenario.of(seed);
            assertThat(story(scenario)).as("seed %d", seed).isEqualTo(story(scenario));
        }
    }

    /// Explaining a pod changes nothing: the runs of all seeds are the same, line by line, where
    /// somebody asks about pending pods between the engine's steps.
    @Test
    @Tag("E-180")
    void beingAskedChangesNothing() {
        LongStream.rangeClosed(1, SEEDS > 100 ? SEEDS : 4)
                .forEach(seed ->
                        assertThat(Simulation.run(Scenario.of(seed), true, _ -> {}).checksum())
                                .as("seed %d", seed)
                                .isEqualTo(plain(seed).checksum()));
    }

    /// How a run ended in which nobody asks.
    private record Plain(String checksum, Optional<String> failure) {}

    private static Plain plain(long seed) {
        return PLAIN.computeIfAbsent(
                seed,
                _ -> {
                    try {
                        var run = Simulation.run(Scenario.of(seed), _ -> {});
                        return new Plain(run.checksum(), Optional.empty());
                    } catch (SimulationFailure failure) {
                        return new Plain("", Optional.of(String.valueOf(failure.getMessage())));
                    }
                });
    }

    /// Plugins that break by chance are asked once more where somebody times them, so the runs with
    /// them may differ.
    @Test
    @Tag("E-137")
    @Tag("E-180")
    void beingLookedAtChangesNothing() {
        for (long seed = 1; seed <= 24; seed++) {
            var scenario = Scenario.of(seed);
            if (scenario.mishaps() == 0) {
                assertThat(story(scenario.withMetrics(true)))
                        .as("seed %d", seed)
                        .isEqualTo(story(scenario.withMetrics(false)));
            }
        }
    }

    @Test
    void runsAreNotIdle() {
        var outcomes = new ArrayList<Outcome>();
        for (long seed = 1; seed <= 10; seed++) {
            outcomes.add(Simulation.run(Scenario.of(seed), _ -> {}));
        }
        assertThat(outcomes).allSatisfy(outcome -> assertThat(outcome.lines()).isGreaterThan(50));
        assertThat(outcomes).extracting(Outcome::checksum).doesNotHaveDuplicates();
    }

    /// All lines but the first, which names the scenario.
    private static List<String> story(Scenario scenario) {
        var lines = new ArrayList<String>();
        Simulation.run(scenario, lines::add);
        return lines.subList(1, lines.size());
    }
}
