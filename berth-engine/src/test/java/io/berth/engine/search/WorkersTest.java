package io.berth.engine.search;

import static io.berth.engine.Scripted.filter;
import static io.berth.engine.Scripted.score;
import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import io.berth.engine.Bed;
import io.berth.engine.port.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The outcome of a search does not depend on the number of workers, nor on their pace.
@Tag("E-94")
@Tag("E-3")
final class WorkersTest {
    private final ExecutorService threads = Executors.newFixedThreadPool(4);

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    /// Hands out the indices one by one, in no particular order.
    private final class Pool implements Workers {
        @Override
        public int parallelism() {
            return 4;
        }

        @Override
        public void forEach(int count, IntConsumer body) {
            var calls = new ArrayList<Future<?>>();
            for (int i = count - 1; i >= 0; i--) {
                int index = i;
                calls.add(
                        threads.submit(() -> {
                            if (ThreadLocalRandom.current().nextInt(16) == 0) {
                                LockSupport.parkNanos(1_000);
                            }
                            body.accept(index);
                        }));
            }
            for (var call : calls.reversed()) {
                try {
                    call.get();
                } catch (InterruptedException | ExecutionException broken) {
                    throw new IllegalStateException(broken);
                }
            }
        }
    }

    /// Places pods on a cluster where about a third of the nodes refuse each of them, some break,
    /// and says what became of each.
    private static List<String> run(Workers workers) {
        var bed =
                Bed.withWorkers(
                        workers,
                        profile -> profile,
                        filter(
                                "Third",
                                (pod, node) -> {
                                    int hash = (pod.name() + node.name()).hashCode();
                                    if (Math.floorMod(hash, 1009) == 3) {
                                        throw new IllegalStateException("broke on " + node.name());
                                    }
                                    return Math.floorMod(hash, 3) == 0
                                            ? Refusal.mayPreempt("refused")
                                            : Verdict.PASS;
                                }),
                        filter(
                                "Rare",
                                (pod, node) ->
                                        pod.name().startsWith("rare")
                                                ? Refusal.hopeless(
                                                        "no " + node.name().substring(0, 2))
                                                : Verdict.PASS),
                        score("Score", node -> Math.floorMod(node.name().hashCode(), 7)));
        for (int i = 0; i < 700; i++) {
            bed.scheduler.add(node("n" + i).zone("z" + i % 3).build());
        }
        var outcome = new ArrayList<String>();
        for (int i = 0; i < 30; i++) {
            String name = (i % 5 == 4 ? "rare" : "p") + i;
            bed.run(pod(name).build());
            outcome.add(name + " " + bed.nodeOf(name) + " " + bed.messageOf(name));
        }
        return outcome;
    }

    @Test
    void outcomeIsThatOfOneThread() {
        var alone = run(Workers.NONE);
        assertThat(alone)
                .anyMatch(line -> line.contains("broke on"))
                .anyMatch(line -> line.contains("0/700 nodes are available"));
        for (int round = 0; round < 3; round++) {
            assertThat(run(new Pool())).isEqualTo(alone);
        }
    }

    @Test
    @Tag("E-180")
    void sameMessagesGiveTheSameDecisions() {
        assertThat(run(Workers.NONE)).isEqualTo(run(Workers.NONE));
    }
}
