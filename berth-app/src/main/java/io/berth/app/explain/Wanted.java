package io.berth.app.explain;

/// Which pods without a node a question is about.
///
/// @param isAll all of them, as listed a moment ago
/// @param pod `namespace/name` of one that is to be as it is now; empty for none
record Wanted(boolean isAll, String pod) {
    static final Wanted ALL = new Wanted(true, "");

    static Wanted pod(String key) {
        return new Wanted(false, key);
    }

    /// A pod among all others.
    static Wanted allAnd(String key) {
        return new Wanted(true, key);
    }
}
