package io.berth.lab.explain;

/// A priority that pods may ask for by name.
///
/// @param preempts whether its pods may evict others
public record PriorityClass(String name, int value, boolean preempts) {}
