package io.berth.e2e.differential;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.e2e.Binaries;
import io.berth.e2e.SchedulerProgram;
import io.berth.e2e.differential.scenario.About;
import io.berth.e2e.fixture.PackagedScheduler;
import io.berth.e2e.fixture.RealControlPlane;
import io.berth.e2e.fixture.Thorough;
import io.berth.testkit.Progress;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Berth decides as the real kube-scheduler does, in a few clusters of a large family. More of
/// them: `berth-e2e/differential`.
@Thorough
@RealControlPlane
@PackagedScheduler
final class DifferentialIT {
    private static final int SEEDS = Integer.getInteger("berth.differential.seeds", 10);
    private static final int CASES_PER_SEED = 20;

    /// On a control plane of its own, because nothing else may move in it.
    @Test
    @Tag("E-109")
    @Tag("E-179")
    @Tag("E-183")
    void bothSchedulersDecideAlike() {
        try (var plane = Arena.controlPlane((Binaries.Found) Binaries.find(), "");
                var arena = Arena.open(plane, SchedulerProgram.berth().orElseThrow(), "")) {
            var run = new DifferentialRun(arena, true, Progress.silent(), About::of);
            for (int seed = 1; seed <= SEEDS; seed++) {
                run.play(seed, 1, CASES_PER_SEED);
            }
            System.out.println(run.tally());
            assertThat(run.tally().findings()).isEmpty();
            assertThat(run.tally().unsteadyCount()).isZero();
            assertThat(run.tally().silentCount()).isZero();
            assertThat(run.tally().compared()).isGreaterThan(SEEDS * CASES_PER_SEED / 2);
        }
    }
}
