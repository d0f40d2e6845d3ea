package io.berth.lab.explain;

import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.engine.query.EngineQueries;
import io.berth.engine.search.Room;
import io.berth.lab.KnownCluster;
import io.berth.lab.Twin;
import io.berth.lab.explain.PodExplanation.Effort;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/// Tries changes on a twin, within a budget: so many, and for so long.
final class Trials {
    private static final long PATIENCE_SECONDS = 60;

    /// How much may be tried.
    record Budget(int most, long millis) {}

    private final Twin twin;
    private final KnownCluster cluster;
    private final Budget budget;
    private final long begin = System.nanoTime();
    private int tried;
    private boolean isCut;

    /// @param cluster all that the twin knows
    Trials(Twin twin, KnownCluster cluster, Budget budget) {
        this.twin = twin;
        this.cluster = cluster;
        this.budget = budget;
    }

    /// How many nodes could take the pod with a change; none where the budget is spent.
    Room room(Change change) {
        return tried(change, queries -> queries.room(change.pod())).orElse(Room.NONE);
    }

    /// The first of them.
    Optional<String> first(Change change) {
        return tried(change, queries -> queries.firstFeasible(change.pod()))
                .flatMap(first -> first);
    }

    /// How many there are where a certain one is among them; else none.
    Room roomWith(String node, Change change) {
        return tried(
                        change,
                        queries ->
                                queries.isFeasible(change.pod(), node)
                                        ? queries.room(change.pod())
                                        : Room.NONE)
                .orElse(Room.NONE);
    }

    private <T> Optional<T> tried(Change change, Function<EngineQueries, T> question) {
        if (isSpent()) {
            isCut = true;
            return Optional.empty();
        }
        tried++;
        var before = counts(twin, change.gone());
        try {
            change.tell(twin.feed());
            return Optional.of(ask(twin, question));
        } finally {
            change.takeBack(twin.feed(), cluster);
            order(twin, cluster, before);
        }
    }

    /// How many pods the twin keeps on the nodes of some pods that are to go in thought.
    static Map<String, Integer> counts(Twin twin, Collection<Pod> pods) {
        var counts = new LinkedHashMap<String, Integer>();
        for (var pod : pods) {
            counts.computeIfAbsent(pod.nodeName(), node -> podsOn(twin, node).size());
        }
        return counts;
    }

    /// Has the twin keep the pods on these nodes in the order that it was told them in, after some
    /// of them went in thought and came back.
    ///
    /// @param before how many there were
    /// @throws IllegalStateException where not as many came back
    static void order(Twin twin, KnownCluster cluster, Map<String, Integer> before) {
        before.forEach((node, count) -> {
            order(twin, cluster, node);
            int now = podsOn(twin, node).size();
            if (now != count) {
                throw new IllegalStateException(
                        "%d pods on node %s after what was tried, and %d before"
                                .formatted(now, node, count));
            }
        });
    }

    private static List<Pod> podsOn(Twin twin, String node) {
        return ask(twin, queries -> queries.podsOn(node));
    }

    private static void order(Twin twin, KnownCluster cluster, String node) {
        var wanted = cluster.podsOn(node);
        var kept = podsOn(twin, node);
        if (kept.equals(wanted)) {
            return;
        }
        if (kept.size() != wanted.size() || !kept.containsAll(wanted)) {
            return;
        }
        int first = 0;
        while (kept.get(first).equals(wanted.get(first))) {
            first++;
        }
        var feed = twin.feed();
        for (int i = kept.size() - 1; i >= first; i--) {
            feed.gone(Kind.POD, kept.get(i).namespace(), kept.get(i).name());
        }
        wanted.subList(first, wanted.size()).forEach(feed::seen);
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
    static <T> T ask(Twin twin, Function<EngineQueries, T> question) {
        try {
            return twin.ask(question).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException slow) {
            throw new ExplainException(
                    "no answer within " + PATIENCE_SECONDS + " s; the cluster is too large", slow);
        } catch (java.util.concurrent.ExecutionException broken) {
            var cause = broken.getCause() == null ? broken : broken.getCause();
            if (cause instanceof ExplainException told) {
                throw told;
            }
            throw new ExplainException("the pod cannot be judged: " + cause.getMessage(), cause);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new ExplainException("interrupted", stop);
        }
    }
}
