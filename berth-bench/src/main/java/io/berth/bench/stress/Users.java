package io.berth.bench.stress;

import io.berth.kube.client.ApiException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/// Whoever uses the cluster: pods and nodes come and go, and every kubelet says all the time that
/// its node is well.
///
/// All pods but bosses ask for one processor, so that a boss, who asks for three, needs three
/// victims and never more.
final class Users implements AutoCloseable {
    static final String BOSS = "boss";
    static final int BOSS_CPUS = 3;
    static final int NODES = 20;
    static final int NODE_CPUS = 4;

    private static final int MOST_PODS = 140;
    private static final int FLOODS = 2;

    private final Cluster cluster;
    private final SplittableRandom random;
    private final SplittableRandom operators;
    private final List<Thread> threads = new ArrayList<>();
    private final List<String> pods = new ArrayList<>();
    private final AtomicLong heartbeats = new AtomicLong();
    private long number;
    private volatile boolean closed;

    private interface Act {
        void run() throws InterruptedException;
    }

    Users(Cluster cluster, long seed) {
        this.cluster = cluster;
        this.random = new SplittableRandom(seed);
        this.operators = random.split();
        for (int i = 0; i < NODES; i++) {
            cluster.createNode("n" + i, NODE_CPUS, "");
        }
    }

    void start() {
        again("users", this::actOnPods);
        again("operators", this::actOnNodes);
        for (int i = 0; i < FLOODS; i++) {
            again("flood", this::flood);
        }
    }

    private void again(String name, Act act) {
        threads.add(
                Thread.ofVirtual()
                        .name(name)
                        .start(() -> {
                            while (!closed) {
                                try {
                                    act.run();
                                } catch (ApiException refused) {
                                    // A name that is not free yet.
                                } catch (InterruptedException stop) {
                                    return;
                                }
                            }
                        }));
    }

    private void actOnPods() throws InterruptedException {
        Thread.sleep(random.nextInt(80));
        int dice = random.nextInt(100);
        if (dice < 8 && pods.size() > 8) {
            anew();
        } else if (dice < 45 && !pods.isEmpty() || pods.size() > MOST_PODS) {
            cluster.deletePod(pods.remove(random.nextInt(pods.size())));
        } else {
            create("p" + number++, dice);
        }
    }

    private void create(String name, int dice) {
        if (dice < 52) {
            pods.add(BOSS + name);
            cluster.createPod(
                    BOSS + name, "", "\"priorityClassName\": \"" + BOSS + "\",", BOSS_CPUS);
        } else {
            pods.add(name);
            cluster.createPod(name, dice < 70 ? "\"gang\": \"yes\"" : "", "", 1);
        }
    }

    /// Another pod under the name of one that waits, or whatever else that is.
    private void anew() {
        var name = pods.get(random.nextInt(pods.size()));
        if (!name.startsWith(BOSS)) {
            cluster.deletePod(name);
            cluster.createPod(name, "", "", 1);
        }
    }

    /// With the number of nodes changes what every waiting pod has to say.
    private void actOnNodes() throws InterruptedException {
        cluster.createNode("extra", NODE_CPUS, "closed");
        Thread.sleep(500 + operators.nextInt(2000));
        cluster.deleteNode("extra");
        Thread.sleep(500 + operators.nextInt(2000));
    }

    private void flood() throws InterruptedException {
        long count = heartbeats.incrementAndGet();
        cluster.heartbeat("n" + count % NODES, count);
        if (count % 400 == 0) {
            Thread.sleep(500);
        }
    }

    long heartbeats() {
        return heartbeats.get();
    }

    /// Ends what they do, and waits for its end.
    void stop() throws InterruptedException {
        close();
        for (var thread : threads) {
            thread.join();
        }
        cluster.deleteNode("extra");
    }

    @Override
    public void close() {
        closed = true;
        for (var thread : threads) {
            thread.interrupt();
        }
    }
}
