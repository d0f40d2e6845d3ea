package io.berth.engine.journal;

import io.berth.api.handle.Extender;
import io.berth.api.model.Pod;

/// Stands in for an extender: is of its kind, and answers in its own way.
abstract class StandInExtender implements Extender {
    private final Extender real;

    StandInExtender(Extender real) {
        this.real = real;
    }

    final Extender real() {
        return real;
    }

    @Override
    public final String name() {
        return real.name();
    }

    @Override
    public final boolean isIgnorable() {
        return real.isIgnorable();
    }

    @Override
    public final boolean isInterested(Pod pod) {
        return real.isInterested(pod);
    }

    @Override
    public final boolean isFilter() {
        return real.isFilter();
    }

    @Override
    public final boolean isPrioritizer() {
        return real.isPrioritizer();
    }

    @Override
    public final boolean isBinder() {
        return real.isBinder();
    }

    @Override
    public final boolean supportsPreemption() {
        return real.supportsPreemption();
    }

    @Override
    public final long weight() {
        return real.weight();
    }
}
