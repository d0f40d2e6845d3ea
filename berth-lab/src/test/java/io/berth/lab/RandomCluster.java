package io.berth.lab;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;

import io.berth.api.label.LabelSelector;
import io.berth.api.label.Labels;
import io.berth.api.model.Namespace;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.spec.PodSpec;
import io.berth.engine.framework.ProfileSettings;
import io.berth.engine.port.Ports;
import io.berth.plugins.InTree;
import io.berth.testkit.Pods;
import io.berth.testkit.TestScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;

/// A cluster that a real engine has placed pods in for a while: some are bound, some assumed since
/// the watch is slow, some nominated, some parked, some on a node that is gone.
final class RandomCluster {
    static final ProfileSettings PROFILE =
            ProfileSettings.of(PodSpec.DEFAULT_SCHEDULER, InTree.defaults());

    final TestScheduler scheduler;
    private final Random random;
    private int podNumber;

    RandomCluster(long seed) {
        this(seed, ports -> ports);
    }

    RandomCluster(long seed, UnaryOperator<Ports> ports) {
        scheduler = TestScheduler.with(InTree.factories(), settings -> settings, ports, PROFILE);
        random = new Random(seed);
        int nodeCount = 3 + random.nextInt(10);
        for (int i = 0; i < nodeCount; i++) {
            scheduler.add(randomNode("n" + i));
        }
        create(20 + random.nextInt(40));
        scheduler.settle();
        scheduler.remove(node("n" + random.nextInt(nodeCount)).build());
        leave(random.nextInt(20));
        scheduler.pass(Duration.ofSeconds(random.nextInt(15)));
        create(10 + random.nextInt(20));
        scheduler.cluster().hold();
        scheduler.settle();
    }

    /// Something else happens, as the engine sees it or works on it.
    void change() {
        int number = random.nextInt(1000);
        switch (random.nextInt(9)) {
            case 0 -> scheduler.add(randomNode("m" + random.nextInt(4)));
            case 1 -> scheduler.remove(anyNode());
            case 2 -> scheduler.add(anyNode().toBuilder().unschedulable(number % 2 == 0).build());
            case 3 -> leave(1 + random.nextInt(4));
            case 4 -> scheduler.cluster().hold();
            case 5 -> scheduler.cluster().release();
            case 6 -> scheduler.pass(Duration.ofSeconds(random.nextInt(15)));
            case 7 ->
                    scheduler.add(
                            new Namespace("space" + number % 3, Labels.of("n", "v" + number % 5)));
            default -> create(1 + random.nextInt(8));
        }
        scheduler.settle();
    }

    private Node anyNode() {
        var nodes = scheduler.engine().queries().nodes();
        return nodes.isEmpty()
                ? randomNode("only")
                : nodes.get(random.nextInt(nodes.size())).node();
    }

    private void create(int count) {
        for (int i = 0; i < count; i++) {
            scheduler.create(randomPod());
        }
    }

    private void leave(int count) {
        var pods = scheduler.cluster().pods();
        for (int i = 0; i < count && i < pods.size(); i++) {
            scheduler.cluster().remove(pods.get(i * pods.size() / count));
        }
    }

    private Node randomNode(String name) {
        var node =
                node(name)
                        .zone(oneOf("east", "west", "south"))
                        .cpu(oneOf("2", "4", "8"))
                        .label("disk", oneOf("ssd", "hdd"));
        if (random.nextInt(4) == 0) {
            node.taint("dedicated", "batch", oneOf("NoSchedule", "PreferNoSchedule"));
        }
        return (random.nextInt(8) == 0 ? node.unschedulable() : node).build();
    }

    /// A pod that nobody has seen, out of few values, so that they meet often.
    Pod randomPod() {
        int number = podNumber++;
        var pod =
                pod("p" + number)
                        .uid("u" + number)
                        .cpu(oneOf("100m", "500m", "1500m"))
                        .label("app", oneOf("web", "db"))
                        .priority(random.nextInt(5) == 0 ? 10 : 0);
        return wish(pod).build();
    }

    private Pods wish(Pods pod) {
        return switch (random.nextInt(8)) {
            case 0 -> pod.away(Node.HOSTNAME_LABEL, "app", "db");
            case 1 -> pod.near(Node.ZONE_LABEL, "app", "web");
            case 2 -> pod.prefersAway(10, Node.ZONE_LABEL, "app", "web");
            case 3 -> pod.spread(1, Node.ZONE_LABEL, true, LabelSelector.matching("app", "web"));
            case 4 -> pod.nodeSelector("disk", "ssd");
            case 5 -> pod.tolerates("dedicated", "Equal", "batch", "NoSchedule");
            case 6 -> pod.hostPort(8080);
            default -> pod;
        };
    }

    private String oneOf(String... values) {
        return List.of(values).get(random.nextInt(values.length));
    }
}
