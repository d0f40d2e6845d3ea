package io.berth.api.verdict;

/// What came of a plugin's try to bind.
public sealed interface BindVerdict permits Pass, Skip, Refusal {
    BindVerdict BOUND = Pass.INSTANCE;

    /// The next bind plugin may try.
    BindVerdict SKIP = Skip.INSTANCE;
}
