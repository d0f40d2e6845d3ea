package io.berth.api.plugin;

/// What a plugin says when a node has been chosen.
public sealed interface ReserveVerdict permits Pass, Refusal {
    ReserveVerdict PASS = Pass.INSTANCE;
}
