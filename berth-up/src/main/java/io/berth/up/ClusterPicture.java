package io.berth.up;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.model.PodCondition;
import io.berth.engine.port.ClusterFeed;
import io.berth.up.scenario.View;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// What is known of the cluster by watching it, for the screen and for scenarios.
///
/// The watches write, the screen reads; every access holds the object's lock, which is held for
/// short. Listeners are called outside the lock, by the watch that saw the change.
final class ClusterPicture implements ClusterFeed, View {
    private static final int RECENT = 100;

    private final Consumer<Happening> listener;
    private final Instant start;
    private final Map<String, Pod> pods = new LinkedHashMap<>();
    private final Map<String, Node> nodes = new HashMap<>();
    private final Deque<Happening.Placed> recent = new ArrayDeque<>();
    private int placedCount;
    private Duration firstPlacement = Duration.ZERO;
    private long version;

    /// Something that the user may like to read.
    sealed interface Happening {
        String text();

        record Placed(String pod, String node) implements Happening {
            @Override
            public String text() {
                return pod + " -> " + node;
            }
        }

        /// A line of a scenario.
        record Told(String text) implements Happening {}

        record Pending(String pod, String reason) implements Happening {
            @Override
            public String text() {
                return pod + " stays pending: " + reason;
            }
        }
    }

    /// @param start when the cluster began, to tell how long the first placement took
    ClusterPicture(Instant start, Consumer<Happening> listener) {
        this.start = start;
        this.listener = listener;
    }

    @Override
    public void seen(ClusterObject object) {
        switch (object) {
            case Pod pod -> podSeen(pod);
            case Node node -> nodeSeen(node);
            default -> {}
        }
    }

    private void podSeen(Pod pod) {
        var happenings = new ArrayList<Happening>(1);
        synchronized (this) {
            Pod before = pods.put(pod.key(), pod);
            version++;
            boolean same = before != null && before.uid().equals(pod.uid());
            if (pod.isAssigned() && !(same && before.isAssigned())) {
                var placed = new Happening.Placed(pod.key(), pod.nodeName());
                placedCount++;
                if (placedCount == 1) {
                    firstPlacement = Duration.between(start, Instant.now());
                }
                recent.addLast(placed);
                if (recent.size() > RECENT) {
                    recent.removeFirst();
                }
                happenings.add(placed);
            } else if (!pod.isAssigned() && !reason(pod).isEmpty()) {
                if (!same || !reason(before).equals(reason(pod))) {
                    happenings.add(new Happening.Pending(pod.key(), reason(pod)));
                }
            }
        }
        happenings.forEach(listener);
    }

    private synchronized void nodeSeen(Node node) {
        nodes.put(node.name(), node);
        version++;
    }

    @Override
    public synchronized void gone(Kind kind, String namespace, String name) {
        if (kind == Kind.POD) {
            pods.remove(namespace + "/" + name);
        } else if (kind == Kind.NODE) {
            nodes.remove(name);
        }
        version++;
    }

    @Override
    public void synced(Kind kind) {}

    @Override
    public synchronized Counts count(Predicate<Pod> wanted, String zone) {
        int pending = 0;
        int placed = 0;
        int running = 0;
        for (Pod pod : pods.values()) {
            if (pod.isTerminating() || !wanted.test(pod)) {
                continue;
            }
            if (!pod.isAssigned()) {
                pending++;
                continue;
            }
            if (zone.isEmpty() || zone.equals(zoneOf(nodes.get(pod.nodeName())))) {
                placed++;
                running += pod.phase().equals("Running") ? 1 : 0;
            }
        }
        return new Counts(pending, placed, running);
    }

    /// Grows with every change.
    synchronized long version() {
        return version;
    }

    synchronized Snapshot snapshot() {
        var used = new HashMap<String, Snapshot.Amounts>();
        var pending = new ArrayList<Snapshot.PendingPod>();
        int running = 0;
        for (Pod pod : pods.values()) {
            if (pod.isAssigned()) {
                var asked = pod.requests().exact();
                used.merge(
                        pod.nodeName(),
                        new Snapshot.Amounts(asked.cpuMillis(), asked.memoryBytes(), 1),
                        Snapshot.Amounts::plus);
                running += pod.phase().equals("Running") ? 1 : 0;
            } else {
                pending.add(new Snapshot.PendingPod(pod.key(), reason(pod)));
            }
        }
        List<Snapshot.NodeUse> uses =
                nodes.values().stream()
                        .sorted(Comparator.comparing(Node::name, ClusterPicture::compareNatural))
                        .map(node -> use(node, used))
                        .toList();
        return new Snapshot(
                uses,
                pending,
                recent.stream().map(Happening.Placed::text).toList(),
                new Snapshot.Counts(
                        pods.size(), running, pending.size(), placedCount, firstPlacement));
    }

    private static Snapshot.NodeUse use(Node node, Map<String, Snapshot.Amounts> used) {
        var room = node.allocatable();
        return new Snapshot.NodeUse(
                node.name(),
                zoneOf(node),
                node.unschedulable(),
                used.getOrDefault(node.name(), Snapshot.Amounts.NONE),
                new Snapshot.Amounts(room.cpuMillis(), room.memoryBytes(), room.pods()));
    }

    private static String zoneOf(@Nullable Node node) {
        return node == null
                ? ""
                : Objects.requireNonNullElse(node.labels().value(Node.ZONE_LABEL), "");
    }

    private static String reason(Pod pod) {
        PodCondition condition = pod.condition(PodCondition.POD_SCHEDULED);
        return condition == null || condition.status().equals("True") ? "" : condition.message();
    }

    /// Orders `node-2` before `node-10`.
    static int compareNatural(String left, String right) {
        String leftText = left.replaceAll("[0-9]+$", "");
        String rightText = right.replaceAll("[0-9]+$", "");
        int byText = leftText.compareTo(rightText);
        int leftDigits = left.length() - leftText.length();
        int rightDigits = right.length() - rightText.length();
        if (byText != 0 || leftDigits == rightDigits) {
            return byText != 0 ? byText : left.compareTo(right);
        }
        return Integer.compare(leftDigits, rightDigits);
    }
}
