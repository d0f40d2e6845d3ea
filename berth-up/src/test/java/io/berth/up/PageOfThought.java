package io.berth.up;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.app.explain.LiveState;
import io.berth.engine.port.ClusterImage;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// The page about a cluster that is only thought of, as large and as busy as one likes.
public final class PageOfThought implements AutoCloseable {
    private static final int WAITING = 20;
    private static final int TURNS_PER_SECOND = 20;

    private final UpPage page = new UpPage(false, 0);
    private final List<Node> nodes = new ArrayList<>();
    private final List<Pod> pods = new ArrayList<>();
    private final Random random = new Random(1);
    private final ScheduledThreadPoolExecutor worker =
            new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().factory());
    private final int placed;
    private int count;

    /// @param podsPerSecond that end, each with another one elsewhere in its place
    public PageOfThought(int size, int podsPerNode, int podsPerSecond) {
        placed = size * podsPerNode;
        for (int i = 0; i < size; i++) {
            nodes.add(node("node-" + i).zone("zone-" + i % 3).cpu("8").memory("32Gi").build());
        }
        for (int i = 0; i < placed; i++) {
            pods.add(onSomeNode());
        }
        for (int i = 0; i < WAITING; i++) {
            pods.add(pod("large", "large-" + i).uid("large-" + i).cpu("64").build());
        }
        page.show(() -> CompletableFuture.supplyAsync(this::state, worker));
        if (podsPerSecond > 0) {
            var _ =
                    worker.scheduleAtFixedRate(
                            () -> change(podsPerSecond / TURNS_PER_SECOND),
                            0,
                            1000 / TURNS_PER_SECOND,
                            TimeUnit.MILLISECONDS);
        }
    }

    private Pod onSomeNode() {
        int number = count++;
        return pod("shop", "web-" + number)
                .uid("uid-" + number)
                .cpu("1")
                .memory("1Gi")
                .onNode("node-" + random.nextInt(nodes.size()))
                .build();
    }

    private void change(int some) {
        for (int i = 0; i < some; i++) {
            pods.set(random.nextInt(placed), onSomeNode());
        }
    }

    private LiveState state() {
        var all = new ArrayList<ClusterObject>(nodes);
        all.addAll(pods);
        return LiveState.of(ClusterImage.of(all));
    }

    public String link() {
        return page.link();
    }

    @Override
    public void close() {
        page.close();
        worker.shutdownNow();
    }
}
