package io.berth.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.berth.sim.Simulation.Way;
import io.berth.sim.scenario.Scenario;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Many lives of a cluster, every other seed: two halves run beside each other, each in a process
/// of its own.
abstract class LivesCase {
    /// CI asks for more.
    private static final int SEEDS = Integer.getInteger("berth.sim.seeds", 60);

    /// Of so many lives there is a second one, in which somebody asks.
    private static final int ASKED = SEEDS > 60 ? SEEDS : 4;

    /// Of so many there is one more, in which all pods may have claims: for volumes and for
    /// devices.
    private static final int CLAIMING = SEEDS > 60 ? SEEDS : 4;

    private static final int TOLD_FAILURES = 3;

    private final long first;

    /// By seed, since both tests look at them. Each test has an instance of its own.
    private static final Map<Long, Plain> PLAIN = new HashMap<>();

    LivesCase(long first) {
        this.first = first;
    }

    /// How a run ended in which nobody asks.
    private record Plain(String checksum, Optional<String> failure) {}

    @Test
    @Tag("E-180")
    final void whatMustHoldHoldsInEveryRun() {
        tellAll(
                seeds(SEEDS)
                        .mapToObj(LivesCase::plain)
                        .flatMap(run -> run.failure().stream())
                        .toList());
    }

    /// Explaining a pod changes nothing: the runs of all seeds are the same, line by line, where
    /// somebody asks about pending pods between the engine's steps.
    @Test
    @Tag("E-180")
    final void beingAskedChangesNothing() {
        var failures = new ArrayList<String>();
        seeds(ASKED)
                .forEach(seed -> {
                    try {
                        var asked = Simulation.run(Scenario.of(seed), Way.CURIOUS, _ -> {});
                        assertThat(asked.checksum())
                                .as("seed %d", seed)
                                .isEqualTo(plain(seed).checksum());
                    } catch (AssertionError failure) {
                        failures.add(String.valueOf(failure.getMessage()));
                    }
                });
        tellAll(failures);
    }

    /// Claims are in a part of the other lives only, and hardly ever of both sorts.
    @Test
    @Tag("E-180")
    final void whatMustHoldHoldsWherePodsClaimVolumesAndDevices() {
        var failures = new ArrayList<String>();
        seeds(CLAIMING)
                .forEach(seed -> {
                    var scenario = Scenario.of(seed).withVolumes().withDevices();
                    try {
                        Simulation.run(scenario, Way.NOT_REPLAYED, _ -> {});
                    } catch (SimulationFailure failure) {
                        failures.add(String.valueOf(failure.getMessage()));
                    }
                });
        tellAll(failures);
    }

    private LongStream seeds(int last) {
        return LongStream.iterate(first, seed -> seed <= last, seed -> seed + 2);
    }

    private static void tellAll(List<String> failures) {
        if (!failures.isEmpty()) {
            fail(
                    "%d of the runs failed:\n%s",
                    failures.size(),
                    String.join(
                            "\n", failures.subList(0, Math.min(TOLD_FAILURES, failures.size()))));
        }
    }

    private static Plain plain(long seed) {
        return PLAIN.computeIfAbsent(
                seed,
                _ -> {
                    try {
                        var way = seed <= ASKED ? Way.NOT_REPLAYED : Way.PLAIN;
                        var run = Simulation.run(Scenario.of(seed), way, _ -> {});
                        return new Plain(run.checksum(), Optional.empty());
                    } catch (SimulationFailure failure) {
                        return new Plain("", Optional.of(String.valueOf(failure.getMessage())));
                    }
                });
    }
}
