package io.berth.api.model;

/// A mark on a node that keeps pods away unless they tolerate it.
public record Taint(String key, String value, String effect) {}
