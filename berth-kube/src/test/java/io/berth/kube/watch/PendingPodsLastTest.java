package io.berth.kube.watch;

import static io.berth.kube.testing.Patience.await;
import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.kube.testing.NotedFeed;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@Tag("E-66")
class PendingPodsLastTest {
    private static final Pod PENDING = pod("p").build();

    private final NotedFeed heard = new NotedFeed();
    private final PendingPodsLast feed =
            new PendingPodsLast(heard, Set.of(Kind.POD, Kind.NODE, Kind.NAMESPACE));

    @Test
    void podsWithoutNodeComeWhenAllOtherKindsAreListed() {
        feed.seen(PENDING);
        feed.seen(pod("bound").onNode("a").build());
        var pods = CompletableFuture.runAsync(() -> feed.synced(Kind.POD));
        feed.seen(node("a").build());
        feed.synced(Kind.NODE);
        assertThat(heard.notes()).containsExactly("+default/bound", "+a", "synced");
        assertThat(pods).isNotDone();
        feed.synced(Kind.NAMESPACE);
        pods.join();
        assertThat(heard.notes()).endsWith("synced", "+default/p", "synced").hasSize(6);
    }

    @Test
    void theirNewestFormComes() {
        feed.seen(PENDING);
        feed.seen(pod("gone").build());
        feed.seen(pod("since-bound").build());
        feed.gone(Kind.POD, "default", "gone");
        feed.seen(pod("since-bound").onNode("a").build());
        var newest = PENDING.toBuilder().resourceVersion("9").build();
        feed.seen(newest);
        assertThat(heard.notes()).containsExactly("+default/since-bound");
        listAll();
        assertThat(heard.objects()).last().isEqualTo(newest);
        assertThat(heard.notes()).doesNotContain("+default/gone", "-default/gone");
    }

    @Test
    void laterOnesPassAtOnce() {
        listAll();
        feed.seen(PENDING);
        feed.gone(Kind.POD, "default", "p");
        assertThat(heard.notes()).endsWith("+default/p", "-default/p");
    }

    /// Nothing is lost where a watch is woken before its time: the next list ends the wait.
    @Test
    void thoseOfAnInterruptedWaitAreKept() throws Exception {
        feed.seen(PENDING);
        var interrupted = new CompletableFuture<Throwable>();
        var waiting =
                Thread.ofPlatform()
                        .uncaughtExceptionHandler((_, broken) -> interrupted.complete(broken))
                        .start(() -> feed.synced(Kind.POD));
        await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
        waiting.interrupt();
        waiting.join();
        assertThat(interrupted.join()).hasMessage("interrupted while other kinds were listed");
        assertThat(heard.notes()).isEmpty();
        listAll();
        assertThat(heard.notes()).containsExactly("synced", "synced", "+default/p", "synced");
    }

    private void listAll() {
        feed.synced(Kind.NODE);
        feed.synced(Kind.NAMESPACE);
        feed.synced(Kind.POD);
    }
}
