package io.berth.api.verdict;

import java.time.Duration;

/// What a plugin says about binding the pod now.
public sealed interface PermitVerdict permits Pass, Refusal, PermitVerdict.Wait {
    PermitVerdict PASS = Pass.INSTANCE;

    /// Not yet: the pod keeps its place until the plugin allows or rejects it, or the time is up.
    record Wait(Duration limit) implements PermitVerdict {}
}
