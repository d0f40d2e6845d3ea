package io.berth.api.verdict;

/// What a plugin says when a node has been chosen.
public sealed interface ReserveVerdict permits Pass, Refusal {
    ReserveVerdict PASS = Pass.INSTANCE;
}
