package io.berth.sim.invariant;

import io.berth.api.model.Pod;
import io.berth.sim.plain.Broken;
import java.util.HashSet;
import java.util.Set;

/// A reservation is given back before the next one is made for the same pod.
final class Reservations implements Invariant {
    private final Set<String> reserved = new HashSet<>();

    @Override
    public void atChoice(Pod pod, String node) {
        Broken.require(
                reserved.add(pod.uid()),
                "%s has a reservation already, which nobody told to give back",
                pod.key());
    }

    @Override
    public void atReturn(Pod pod) {
        reserved.remove(pod.uid());
    }
}
