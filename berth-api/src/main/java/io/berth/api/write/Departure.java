package io.berth.api.write;

import java.util.concurrent.atomic.AtomicReference;

/// How far a write has come on its way out, so that who asked for it can take it back in time.
///
/// ```
///   WAITING ──leaves──► UNDER_WAY ──comesBack (it was not carried out, and is tried again)──► WAITING
///      └──withdraw──► WITHDRAWN
/// ```
///
/// Thread-safe: one thread sends, another withdraws.
public final class Departure {
    private enum State {
        WAITING,
        UNDER_WAY,
        WITHDRAWN
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

    /// Asked by the sender immediately before it sends.
    ///
    /// @return false where the write was withdrawn and must not be sent
    public boolean leaves() {
        return state.compareAndSet(State.WAITING, State.UNDER_WAY)
                || state.get() == State.UNDER_WAY;
    }

    /// Told by the sender when the server has not carried it out and it waits for another try.
    public void comesBack() {
        state.compareAndSet(State.UNDER_WAY, State.WAITING);
    }

    /// Whether it is with the server, or may be.
    public boolean isUnderWay() {
        return state.get() == State.UNDER_WAY;
    }

    /// Whether it was taken back in time, so that the sender need not wait any longer.
    public boolean isWithdrawn() {
        return state.get() == State.WITHDRAWN;
    }

    /// Takes the write back, unless it has been sent. Whether that was in time is told by the
    /// outcome of the sending.
    public void withdraw() {
        state.compareAndSet(State.WAITING, State.WITHDRAWN);
    }
}
