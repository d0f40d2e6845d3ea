package io.berth.app.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NamespaceRightsTest {
    @Test
    void namespacesAreOpenByRight() {
        var decided = new NamespaceRights("mine"::equals).of(List.of("mine", "theirs"));
        assertThat(decided.open()).containsExactly("mine");
        assertThat(decided.undecided()).isZero();
        assertThat(new NamespaceRights(_ -> true).of(List.of()).open()).isEmpty();
    }

    @Test
    void fewAreAskedAfter() {
        var asked = new AtomicInteger();
        var names = IntStream.range(0, 2_000).mapToObj(i -> "n" + i).toList();
        var decided = new NamespaceRights(_ -> asked.incrementAndGet() > 0).of(names);
        assertThat(asked).hasValue(NamespaceRights.MOST);
        assertThat(decided.open()).hasSize(NamespaceRights.MOST);
        assertThat(decided.undecided()).isEqualTo(2_000 - NamespaceRights.MOST);
    }

    /// An API server that does not answer keeps nobody; whoever waits for it is told to stop.
    @Test
    void nobodyWaitsForLong() throws InterruptedException {
        var isStopped = new CountDownLatch(1);
        var rights =
                new NamespaceRights(
                        namespace -> {
                            if (namespace.equals("quick")) {
                                return true;
                            }
                            try {
                                new CountDownLatch(1).await();
                            } catch (InterruptedException stop) {
                                isStopped.countDown();
                                Thread.currentThread().interrupt();
                            }
                            return true;
                        },
                        Duration.ofMillis(200));
        var decided = rights.of(List.of("slow", "slower", "quick"));
        assertThat(decided.open()).isSubsetOf("quick");
        assertThat(decided.undecided()).isGreaterThanOrEqualTo(2);
        assertThat(isStopped.await(1, TimeUnit.MINUTES)).isTrue();
    }
}
