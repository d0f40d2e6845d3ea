package io.berth.api.plugin;

/// What a plugin says after preparing a binding.
public sealed interface PreBindVerdict permits Pass, Refusal {
    PreBindVerdict PASS = Pass.INSTANCE;
}
