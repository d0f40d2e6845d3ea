package io.berth.engine.port;

/// Picks about one in ten of what it is asked about: what is worth timing in detail.
///
/// The sequence is fixed and its own. The engine's chance must not be used for it, or else the
/// decisions would depend on whether somebody looks.
public final class Sampler {
    private static final long STEP = 0x9E3779B97F4A7C15L;
    private static final int ONE_IN = 10;

    private long state;

    public boolean next() {
        state += STEP;
        // A counter would lock step with workloads that alternate; the mix breaks that up.
        long mixed = (state ^ state >>> 30) * 0xBF58476D1CE4E5B9L;
        return Long.remainderUnsigned(mixed ^ mixed >>> 27, ONE_IN) == 0;
    }
}
