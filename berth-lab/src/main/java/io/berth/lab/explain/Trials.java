package io.berth.lab.explain;

import io.berth.api.model.Node;
import io.berth.engine.port.ClusterImage;
import io.berth.lab.Twin;
import io.berth.lab.explain.PodExplanation.Effort;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Tries changes on a twin, within a budget: so many, and for so long.
final class Trials {
    private static final long PATIENCE_SECONDS = 60;

    /// How much may be tried.
    record Budget(int most, long millis) {}

    private final Twin twin;
    private final Map<String, Node> nodes;
    private final ClusterImage image;
    private final Budget budget;
    private final long begin = System.nanoTime();
    private int tried;
    private boolean isCut;

    /// @param nodes those that the twin knows, by name
    /// @param image all that it knows
    Trials(Twin twin, Map<String, Node> nodes, ClusterImage image, Budget budget) {
        this.twin = twin;
        this.nodes = nodes;
        this.image = image;
        this.budget = budget;
    }

    /// The nodes that could take the pod with a change; none where the budget is spent.
    List<String> feasible(Change change) {
        if (isSpent()) {
            isCut = true;
            return List.of();
        }
        tried++;
        change.tell(twin.feed());
        try {
            return ask(twin, queries -> queries.feasible(change.pod()));
        } finally {
            change.takeBack(twin.feed(), nodes, image);
        }
    }

    boolean isSpent() {
        return tried >= budget.most || millis() >= budget.millis;
    }

    private long millis() {
        return (System.nanoTime() - begin) / 1_000_000;
    }

    Effort effort() {
        return new Effort(tried, millis(), isCut);
    }

    /// Asks a twin and waits for the answer.
    ///
    /// @throws ExplainException where it takes too long, or a plugin breaks
    static <T> T ask(
            Twin twin,
            java.util.function.Function<io.berth.engine.query.EngineQueries, T> question) {
        try {
            return twin.ask(question).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException slow) {
            throw new ExplainException(
                    "no answer within " + PATIENCE_SECONDS + " s; the cluster is too large", slow);
        } catch (java.util.concurrent.ExecutionException broken) {
            var cause = broken.getCause() == null ? broken : broken.getCause();
            throw new ExplainException("the pod cannot be judged: " + cause.getMessage(), cause);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new ExplainException("interrupted", stop);
        }
    }
}
