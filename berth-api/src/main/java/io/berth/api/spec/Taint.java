package io.berth.api.spec;

/// A mark on a node that keeps pods away unless they tolerate it.
public record Taint(String key, String value, String effect) {
    public static final String NO_SCHEDULE = "NoSchedule";
    public static final String PREFER_NO_SCHEDULE = "PreferNoSchedule";
    public static final String NO_EXECUTE = "NoExecute";

    /// Whether a pod that does not tolerate this taint may not be placed (as opposed to "rather
    /// not").
    public boolean keepsPodsAway() {
        return effect.equals(NO_SCHEDULE) || effect.equals(NO_EXECUTE);
    }
}
