package io.berth.bench.load;

import io.berth.e2e.ControlPlane;
import io.berth.e2e.HttpApi;
import io.berth.e2e.SchedulerProcess;
import io.berth.e2e.SchedulerProgram;
import java.util.regex.Pattern;

/// A scheduler on disk, in a process of its own.
record ProgramContestant(SchedulerProgram program) implements Contestant {
    private static final Pattern ALGORITHM =
            Pattern.compile(
                    "(?m)^scheduler_scheduling_algorithm_duration_seconds_(sum|count) (\\S+)$");
    private static final String[] FLAGS = {
        "--leader-elect=false", "--kube-api-qps=5000", "--kube-api-burst=5000"
    };

    @Override
    public String name() {
        return program.name();
    }

    @Override
    public Run start(ControlPlane plane, String namespace) {
        return begin(plane);
    }

    Life begin(ControlPlane plane) {
        return new Life(plane.start(program, FLAGS));
    }

    record Life(SchedulerProcess scheduler) implements Run {
        @Override
        public void serve(String namespace) {
            // As it does with all namespaces.
        }

        @Override
        public boolean isAlive() {
            return scheduler.process().running();
        }

        @Override
        public double cpuSeconds() {
            return facts().cpuSeconds();
        }

        @Override
        public double peakRssMib() {
            return facts().peakRssBytes() / (double) (1 << 20);
        }

        HttpApi api() {
            return scheduler.api();
        }

        private ProcessFacts facts() {
            return ProcessFacts.of(scheduler.process().pid());
        }

        @Override
        public Attempts attempts() {
            var matcher = ALGORITHM.matcher(scheduler.api().get("/metrics").body().asText());
            double sum = 0;
            double count = 0;
            while (matcher.find()) {
                double value = Double.parseDouble(matcher.group(2));
                if (matcher.group(1).equals("sum")) {
                    sum += value;
                } else {
                    count += value;
                }
            }
            return new Attempts(count, sum);
        }

        @Override
        public String lastWords() {
            return scheduler.process().logTail();
        }

        @Override
        public void close() {
            scheduler.close();
        }
    }
}
