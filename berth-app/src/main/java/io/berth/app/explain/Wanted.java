package io.berth.app.explain;

/// Which pods without a node a question is about.
///
/// @param pod `namespace/name`; empty for all of them
record Wanted(String pod) {
    static final Wanted ALL = new Wanted("");

    static Wanted pod(String key) {
        return new Wanted(key);
    }

    boolean isAll() {
        return pod.isEmpty();
    }
}
