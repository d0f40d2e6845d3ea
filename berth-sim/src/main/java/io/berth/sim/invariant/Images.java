package io.berth.sim.invariant;

import io.berth.api.model.Pod;
import io.berth.engine.Inspection;
import io.berth.sim.plain.PlainImages;
import java.util.List;

/// Nodes show the images that they have by the letter of the contract when an attempt begins.
final class Images implements Invariant {
    private final Watched watched;
    private final PlainImages plain;

    Images(Watched watched, PlainImages plain) {
        this.watched = watched;
        this.plain = plain;
    }

    @Override
    public void atAttempt(Pod pod) {
        plain.check(List.copyOf(Inspection.of(watched.engine()).state().nodes().all()));
    }
}
