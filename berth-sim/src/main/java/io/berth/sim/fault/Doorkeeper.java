package io.berth.sim.fault;

import io.berth.api.column.NodeView;
import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.handle.Cycle;
import io.berth.api.handle.Handle;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.Permit;
import io.berth.api.verdict.PermitVerdict;
import io.berth.api.verdict.Refusal;
import io.berth.sim.time.Chance;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.BiConsumer;

/// A permit plugin that keeps some pods waiting. While no node has its door open, pods wait in vain
/// until their time is up; a node that opens its door is the event that helps them. While a door is
/// open, pods are let in at once or later, or sent back because something went wrong.
public final class Doorkeeper implements Permit, Events {
    public static final String NAME = "Doorkeeper";

    /// Pods with this label meet the doorkeeper.
    public static final String LABEL = "door";

    /// Nodes with this label have their door open.
    public static final String OPEN_LABEL = "door-open";

    private final Handle handle;
    private final Chance chance;
    private final BiConsumer<Long, Runnable> later;

    /// @param later does something after so many milliseconds, on a thread of its own
    public Doorkeeper(Handle handle, Chance chance, BiConsumer<Long, Runnable> later) {
        this.handle = handle;
        this.chance = chance;
        this.later = later;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Registration> events() {
        return List.of(
                Registration.of(
                        ClusterEvent.NODE,
                        Action.ADD | Action.UPDATE_NODE_LABEL,
                        (waiting, before, after) ->
                                after instanceof Node node && node.labels().has(OPEN_LABEL)
                                        ? Registration.Hint.QUEUE
                                        : Registration.Hint.SKIP));
    }

    /// Whether any door is open.
    public static boolean isOpen(Collection<Node> nodes) {
        return nodes.stream().anyMatch(node -> node.labels().has(OPEN_LABEL));
    }

    /// Whether the doorkeeper is asked about this pod.
    public static boolean concerns(Pod pod) {
        return pod.labels().has(LABEL);
    }

    @Override
    public PermitVerdict permit(Cycle cycle, Pod pod, String nodeName) {
        if (!concerns(pod)) {
            return PermitVerdict.PASS;
        }
        var nodes = handle.nodes().all().stream().map(NodeView::node).toList();
        if (!isOpen(nodes)) {
            return chance.happens(0.2)
                    ? Refusal.mayPreempt("no open door")
                    : new PermitVerdict.Wait(Duration.ofMillis(chance.between(100, 5000)));
        }
        int mood = chance.between(0, 9);
        if (mood < 3) {
            return PermitVerdict.PASS;
        }
        String uid = pod.uid();
        boolean lets = mood < 8;
        later.accept((long) chance.between(1, 5000), () -> decide(uid, lets));
        return new PermitVerdict.Wait(Duration.ofSeconds(6));
    }

    private void decide(String uid, boolean lets) {
        var waiting = handle.waitingPod(uid);
        if (waiting == null) {
            return;
        }
        if (lets) {
            waiting.allow(NAME);
        } else {
            waiting.preempt(NAME, "thought again");
        }
    }
}
