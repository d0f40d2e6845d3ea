package io.berth.api.explain;

import io.berth.api.verdict.PreFilterVerdict;

/// What one plugin said about a pod before any node was looked at.
public record PreFilterAnswer(String plugin, PreFilterVerdict verdict) {}
