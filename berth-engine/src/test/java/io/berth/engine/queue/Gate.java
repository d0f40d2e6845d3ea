package io.berth.engine.queue;

import io.berth.api.event.Registration;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.PreEnqueue;
import io.berth.api.verdict.Refusal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A PreEnqueue plugin that keeps out the pods it is told to.
final class Gate implements PreEnqueue, Events {
    private final String name;
    private final List<Registration> events;
    final Set<String> closedFor = new HashSet<>();
    final List<String> asked = new ArrayList<>();
    boolean broken;

    Gate(String name, Registration... events) {
        this.name = name;
        this.events = List.of(events);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Registration> events() {
        return events;
    }

    @Override
    public Optional<Refusal> preEnqueue(Pod pod) {
        asked.add(pod.name());
        if (broken) {
            throw new IllegalStateException("gate is broken");
        }
        return closedFor.contains(pod.name())
                ? Optional.of(Refusal.hopeless("closed"))
                : Optional.empty();
    }
}
