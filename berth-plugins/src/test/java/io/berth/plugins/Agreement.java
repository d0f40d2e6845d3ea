package io.berth.plugins;

import java.util.function.Consumer;

/// Runs a trial on many random clusters. Where one fails, smaller clusters of the same seed are
/// tried, and the smallest that fails is reported.
public final class Agreement {
    private static final int NODES = 10;
    private static final int PODS = 40;

    private Agreement() {}

    public static void check(int clusters, Consumer<RandomCluster> trial) {
        for (long seed = 1; seed <= clusters; seed++) {
            try {
                trial.accept(new RandomCluster(seed, NODES, PODS));
            } catch (AssertionError | RuntimeException failure) {
                throw smallest(seed, trial, failure);
            }
        }
    }

    private static AssertionError smallest(
            long seed, Consumer<RandomCluster> trial, Throwable failure) {
        for (int nodes = 1; nodes <= NODES; nodes++) {
            for (int pods = 0; pods <= PODS; pods = 2 * pods + 1) {
                try {
                    trial.accept(new RandomCluster(seed, nodes, pods));
                } catch (AssertionError | RuntimeException smaller) {
                    return report(seed, nodes, pods, smaller);
                }
            }
        }
        return report(seed, NODES, PODS, failure);
    }

    private static AssertionError report(long seed, int nodes, int pods, Throwable failure) {
        return new AssertionError(
                "seed %d with at most %d nodes and %d pods: %s"
                        .formatted(seed, nodes, pods, failure.getMessage()),
                failure);
    }
}
