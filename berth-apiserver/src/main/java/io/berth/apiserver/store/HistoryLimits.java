package io.berth.apiserver.store;

/// How much history is kept for watches that start in the past and for pages of a list.
public record HistoryLimits(int changes, long bytes) {
    public static final HistoryLimits DEFAULT = new HistoryLimits(100_000, 256L << 20);

    public HistoryLimits {
        if (changes < 1 || bytes < 1) {
            throw new IllegalArgumentException(
                    "history limits must be positive: "
                            + changes
                            + " changes, "
                            + bytes
                            + " bytes");
        }
    }
}
