package io.berth.sim.invariant;

import io.berth.engine.Inspection;
import io.berth.sim.plain.Broken;

/// Nothing is left half done when nothing is under way any more.
final class Unfinished implements Invariant {
    private final Watched watched;
    private final Bindings bindings;

    Unfinished(Watched watched, Bindings bindings) {
        this.watched = watched;
        this.bindings = bindings;
    }

    @Override
    public void atRest() {
        var engine = watched.engine();
        var unanswered = bindings.unanswered();
        var counts = Inspection.of(engine).queue().counts();
        Broken.require(
                counts.active() == 0 && counts.backoff() == 0,
                "pods are still to be tried when all is calm: %s",
                counts);
        Broken.require(
                Inspection.of(engine).queue().inFlightUids().isEmpty(),
                "pods are in flight for ever: %s",
                Inspection.of(engine).queue().inFlightUids());
        Broken.require(
                engine.queries().underWay() == unanswered.size(),
                "%d bindings and status writes are under way, but %d are to be answered",
                engine.queries().underWay(),
                unanswered.size());
        for (var pod : Inspection.of(engine).state().pods()) {
            Broken.require(
                    !Inspection.of(engine).state().isAssumed(pod.uid())
                            || unanswered.contains(pod.uid()),
                    "%s is assumed for ever",
                    pod.key());
        }
    }
}
