package io.berth.app.compiler;

/// When a process is no longer young: it has placed some thousand pods, and either has nothing to
/// do just now or has placed that many several times over.
final class Youth {
    /// The first rush, in which code that was compiled well comes too late to pay.
    static final long RUSH = 6_000;

    static final long BUSY_RUSH = 3 * RUSH;

    private long before = -1;

    /// Asked once a second or so.
    ///
    /// @param placed how many pods have been placed so far; may begin anew at 0
    boolean isOver(long placed) {
        boolean isCalm = placed == before;
        before = placed;
        return placed >= BUSY_RUSH || placed >= RUSH && isCalm;
    }
}
