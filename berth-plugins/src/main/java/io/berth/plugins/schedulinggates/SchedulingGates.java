package io.berth.plugins.schedulinggates;

import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.event.Registration.Hint;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.PreEnqueue;
import io.berth.api.verdict.Refusal;
import io.berth.plugins.hint.Hints;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Holds a pod back until its last scheduling gate has been removed.
public final class SchedulingGates implements PreEnqueue, Events {
    public static final String NAME = "SchedulingGates";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Optional<Refusal> preEnqueue(Pod pod) {
        var gates = pod.spec().schedulingGates();
        return gates.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        Refusal.hopeless(
                                "waiting for scheduling gates: [" + String.join(" ", gates) + "]"));
    }

    @Override
    public List<Registration> events() {
        return List.of(
                Registration.of(
                        ClusterEvent.POD,
                        Action.UPDATE_POD_SCHEDULING_GATES_ELIMINATED,
                        SchedulingGates::ownGatesGone));
    }

    private static Hint ownGatesGone(
            Pod waiting, @Nullable ClusterObject before, @Nullable ClusterObject after) {
        return Hints.queueIf(Hints.isSame(waiting, Hints.pod(after)));
    }
}
