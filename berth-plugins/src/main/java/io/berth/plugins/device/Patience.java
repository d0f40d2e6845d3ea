package io.berth.plugins.device;

/// When a search for devices has had its time. Asked now and then, not at each step.
@FunctionalInterface
public interface Patience {
    /// For as long as it takes.
    Patience ENDLESS = () -> false;

    boolean isOver();
}
