package io.berth.lab.shadow;

/// Hears of everything that a shadow finds, while it finds it. Called on the shadow's thread.
public interface ShadowObserver {
    ShadowObserver NONE = new ShadowObserver() {};

    /// @param nanos how long judging took
    default void judged(Finding finding, long nanos) {}

    default void leftOut(Omission reason) {}

    /// How far judging is behind what is seen, besides the time that it waits on purpose.
    default void lag(long nanos) {}
}
