package io.berth.sim.cluster;

import io.berth.api.handle.ClusterException;

/// What becomes of one write.
///
/// @param happens whether and when the server does it
/// @param answerMillis how long the caller waits; ignored where no answer ever comes
/// @param effectMillis when the server does it, counted from the call
/// @param failure what the caller is told instead of the server's answer; null: the server's answer
public record WriteFate(
        Effect happens,
        long effectMillis,
        long answerMillis,
        ClusterException.@org.jspecify.annotations.Nullable Kind failure) {
    /// Whether the server does what it was asked to.
    public enum Effect {
        DONE,
        NOT_DONE
    }

    /// An answer that never comes.
    public static final long NEVER = Long.MAX_VALUE;

    static WriteFate answered(long effectMillis, long answerMillis) {
        return new WriteFate(Effect.DONE, effectMillis, answerMillis, null);
    }

    static WriteFate failed(long answerMillis, ClusterException.Kind kind) {
        return new WriteFate(Effect.NOT_DONE, 0, answerMillis, kind);
    }

    static WriteFate failedButDone(
            long effectMillis, long answerMillis, ClusterException.Kind kind) {
        return new WriteFate(Effect.DONE, effectMillis, answerMillis, kind);
    }
}
