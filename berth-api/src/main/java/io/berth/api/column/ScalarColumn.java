package io.berth.api.column;

/// One scalar resource of all nodes, by slot. Read only.
public record ScalarColumn(long[] allocatable, long[] requested) {}
