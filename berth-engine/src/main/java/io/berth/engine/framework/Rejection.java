package io.berth.engine.framework;

import io.berth.api.verdict.Refusal;

/// A refusal together with the plugin that gave it.
public record Rejection(String plugin, Refusal refusal) {
    public String message() {
        return String.join(", ", refusal.reasons());
    }
}
