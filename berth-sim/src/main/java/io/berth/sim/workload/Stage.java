package io.berth.sim.workload;

import io.berth.api.amount.Resources;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.spec.PodSpec;
import io.berth.api.spec.Taint;
import io.berth.api.spec.Toleration;
import io.berth.sim.cluster.ApiServer;
import io.berth.sim.time.Chance;
import io.berth.sim.time.VirtualTime;
import io.berth.testkit.Nodes;
import io.berth.testkit.Pods;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A node for one play, and the pods in it. Nobody else goes there, except for pods that tolerate
/// everything.
final class Stage {
    /// The label of nodes that are there for plays.
    static final String KEY = "stage";

    private final String name;
    private final ApiServer server;
    private final VirtualTime time;
    private final Chance chance;
    private final Consumer<String> story;
    private final List<String> nodes = new ArrayList<>();
    private final List<String> actors = new ArrayList<>();
    private final List<ClusterObject> props = new ArrayList<>();

    Stage(int number, ApiServer server, VirtualTime time, Chance chance, Consumer<String> story) {
        this.chance = chance;
        this.name = KEY + number;
        this.server = server;
        this.time = time;
        this.story = story;
    }

    String name() {
        return name;
    }

    /// A label that nobody else has.
    String app() {
        return "app-" + name;
    }

    /// The node: two cores, two gibibytes, few pods.
    Nodes node() {
        return node(name);
    }

    /// A second node.
    Nodes annex() {
        return node(name + "-annex");
    }

    private Nodes node(String nodeName) {
        return Nodes.node(nodeName)
                .cpu("2")
                .memory("2Gi")
                .pods(4)
                .label(KEY, name)
                .taint(KEY, name, Taint.NO_SCHEDULE)
                .with(builder -> builder.uid(server.newUid()));
    }

    /// A pod that can go nowhere else.
    Pods actor(String role) {
        return Pods.pod("default", role + "-" + name)
                .uid(server.newUid())
                .scheduler(PodSpec.DEFAULT_SCHEDULER)
                .spec(spec -> spec.mayPreempt(false))
                .cpu("10m")
                .nodeSelector(KEY, name)
                .tolerates(KEY, Toleration.EXISTS, "", "");
    }

    void put(Node node) {
        story.accept(
                "play: node %s %s %s %s"
                        .formatted(node.name(), node.allocatable(), node.labels(), node.taints()));
        nodes.add(node.name());
        server.put(node);
    }

    void change(UnaryOperator<Node> how) {
        var node = server.node(name);
        if (node != null) {
            put(how.apply(node));
        }
    }

    /// Something else that is needed.
    void put(ClusterObject prop) {
        story.accept("play: %s %s".formatted(prop.kind(), prop.key()));
        props.add(prop);
        server.put(prop);
    }

    String newUid() {
        return server.newUid();
    }

    @Nullable ClusterObject find(Kind kind, String key) {
        var stored = server.find(kind, key);
        return stored == null ? null : stored.object();
    }

    void remove(Kind kind, String key) {
        story.accept("play: - %s %s".formatted(kind, key));
        server.remove(kind, key);
    }

    void remove(Node node) {
        story.accept("play: - node " + node.name());
        server.remove(Kind.NODE, node.name());
    }

    void enter(Pod pod) {
        story.accept("play: + pod " + pod.key());
        actors.add(pod.key());
        server.put(pod.toBuilder().createdAt(time.now()).build());
    }

    void leave(Pod pod) {
        story.accept("play: - pod " + pod.key());
        server.remove(Kind.POD, pod.key());
    }

    void within(int mostMillis, Runnable act) {
        time.in(chance.between(1, mostMillis), act);
    }

    void change(Pod pod, UnaryOperator<Pod> how) {
        story.accept("play: ~ pod " + pod.key());
        server.change(
                pod.key(),
                pod.uid(),
                now -> how.apply(now).toBuilder().generation(now.generation() + 1).build());
    }

    Play play(String help, @Nullable Pod occupant, Pod waiting, Runnable end) {
        return new Play(
                help,
                () -> {
                    put(node().build());
                    if (occupant != null) {
                        enter(occupant);
                    }
                    enter(waiting);
                },
                end,
                waiting.key());
    }

    /// A pod that comes to the node before the others.
    Pods occupant() {
        return actor("o").priority(100);
    }

    void relabel(Pod pod, String key, String value) {
        change(pod, now -> now.toBuilder().labels(now.labels().with(key, value)).build());
    }

    void respec(Pod pod, Pod like) {
        change(
                pod,
                now ->
                        now.toBuilder()
                                .labels(now.labels().with("version", "2"))
                                .spec(like.spec())
                                .build());
    }

    static Node grown(Node node) {
        return resized(node, 4000, 4 << 10, 5);
    }

    static Node resized(Node node, int cpuMillis, int memoryMib, int pods) {
        return node.toBuilder()
                .allocatable(new Resources(cpuMillis, (long) memoryMib << 20, 0, pods, Map.of()))
                .build();
    }

    static Node labelled(Node node, String key, String value) {
        return node.toBuilder().labels(node.labels().with(key, value)).build();
    }

    /// All is over.
    void clear() {
        actors.forEach(key -> server.remove(Kind.POD, key));
        nodes.forEach(node -> server.remove(Kind.NODE, node));
        props.forEach(prop -> server.remove(prop.kind(), prop.key()));
    }
}
