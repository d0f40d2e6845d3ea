package io.berth.plugins;

import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

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

    /// Makes a plugin on each cluster and tries it after each of some changes to the cluster.
    public static <P> void checkWhileChanging(
            int clusters,
            int changes,
            Function<RandomCluster, P> plugin,
            BiConsumer<RandomCluster, P> trial) {
        check(
                clusters,
                random -> {
                    var tried = plugin.apply(random);
                    for (int i = 0; i < changes; i++) {
                        random.change();
                        random.cluster.state.refresh();
                        trial.accept(random, tried);
                    }
                });
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
