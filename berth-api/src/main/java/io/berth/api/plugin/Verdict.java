package io.berth.api.plugin;

/// What a filter says about one node.
public sealed interface Verdict permits Pass, Refusal {
    Verdict PASS = Pass.INSTANCE;
}
