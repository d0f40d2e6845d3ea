package io.berth.engine.port;

/// The steps that are timed, as metrics name them (rule P-275). There are more of them than
/// extension points that a profile lists plugins for.
public enum TimedPoint {
    PRE_ENQUEUE("PreEnqueue"),
    PRE_FILTER("PreFilter"),
    ADD_POD("PreFilterExtensionAddPod"),
    REMOVE_POD("PreFilterExtensionRemovePod"),
    FILTER("Filter"),
    POST_FILTER("PostFilter"),
    PRE_SCORE("PreScore"),
    SCORE("Score"),
    NORMALIZE("ScoreExtensionNormalize"),
    RESERVE("Reserve"),
    UNRESERVE("Unreserve"),
    PERMIT("Permit"),
    PRE_BIND_PRE_FLIGHT("PreBindPreFlight"),
    PRE_BIND("PreBind"),
    BIND("Bind"),
    POST_BIND("PostBind");

    private final String text;

    TimedPoint(String text) {
        this.text = text;
    }

    /// The name in metrics.
    public String text() {
        return text;
    }

    /// Whether it is counted how often a plugin was asked here.
    public boolean countsEvaluations() {
        return switch (this) {
            case PRE_FILTER, FILTER, PRE_SCORE, SCORE -> true;
            default -> false;
        };
    }
}
