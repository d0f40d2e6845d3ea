package io.berth.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.berth.e2e.Binaries;
import io.berth.e2e.ControlPlane;
import io.berth.testkit.Progress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

final class TrialTest {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int NODES = 3;

    /// The null scheduler, with meters that show twice as much whenever they are read.
    private record Metered(NullScheduler nobody, List<String> namespaces) implements Contestant {
        @Override
        public String name() {
            return "metered";
        }

        @Override
        public Run start(ControlPlane plane, String namespace) {
            namespaces.add(namespace);
            return new Life(nobody.start(plane, namespace), namespaces);
        }

        private static final class Life implements Run {
            private final Run run;
            private final List<String> namespaces;
            private double seconds = 1;

            Life(Run run, List<String> namespaces) {
                this.run = run;
                this.namespaces = namespaces;
            }

            @Override
            public void serve(String namespace) {
                namespaces.add(namespace);
                run.serve(namespace);
            }

            @Override
            public boolean isAlive() {
                return true;
            }

            @Override
            public double cpuSeconds() {
                seconds *= 2;
                return seconds;
            }

            @Override
            public double peakRssMib() {
                return 7;
            }

            @Override
            public Attempts attempts() {
                return new Attempts(seconds, seconds * 3);
            }

            @Override
            public String lastWords() {
                return run.lastWords();
            }

            @Override
            public void close() {
                run.close();
            }
        }
    }

    @Test
    @EnabledIfEnvironmentVariable(
            named = "BERTH_REQUIRE_CONTROL_PLANE",
            matches = "true",
            disabledReason = "runs in .ci/run")
    void podsThatWerePlacedBeforeDoNotCount() throws Exception {
        if (!(Binaries.find() instanceof Binaries.Found binaries)) {
            throw new IllegalStateException(Binaries.REMEDY);
        }
        try (var plane = ControlPlane.start(binaries)) {
            var cluster = new LoadCluster(plane, NODES);
            var trial = new Trial(plane, cluster, LIMIT, Progress.silent());
            for (var workload : Workloads.all()) {
                if (workload.name().equals("claims") || workload.makesRoom()) {
                    var namespaces = new ArrayList<String>();
                    var metered = new Metered(new NullScheduler(), namespaces);

                    var warm = trial.run(metered, workload, 12, 4);

                    assertThat(namespaces).hasSize(2);
                    assertThat(warm.schedulerCpuMillis()).isEqualTo((4 - 2) * 1e3 / 4);
                    assertThat(warm.algorithmMicros()).isEqualTo(3e6);

                    var cold = trial.run(metered, workload, 0, 4);

                    assertThat(namespaces).hasSize(3);
                    assertThat(cold.schedulerCpuMillis()).isEqualTo(2 * 1e3 / 4);
                }
            }
        }
    }

    @Test
    void attemptsAreCountedFromAReadingOn() {
        var before = new Attempts(2, 0.002);

        assertThat(new Attempts(4, 0.003).since(before).meanMicros()).isCloseTo(500, within(1e-6));
        assertThat(Attempts.UNKNOWN.since(before).meanMicros()).isNaN();
    }
}
