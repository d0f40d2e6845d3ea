package io.berth.api.verdict;

/// What a filter says about one node.
public sealed interface Verdict permits Pass, Refusal {
    Verdict PASS = Pass.INSTANCE;
}
