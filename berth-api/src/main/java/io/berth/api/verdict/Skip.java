package io.berth.api.verdict;

/// "Not my business": the plugin has nothing to say about this pod.
public record Skip() implements PreFilterVerdict, BindVerdict {
    static final Skip INSTANCE = new Skip();
}
