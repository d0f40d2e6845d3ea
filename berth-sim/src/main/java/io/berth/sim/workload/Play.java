package io.berth.sim.workload;

/// A small deliberate situation: a pod waits for one thing, and then that one thing happens. No
/// other event can hide that it does not wake the pod.
///
/// @param help what the pod waits for, in words
/// @param begin makes the pod wait
/// @param end helps it
/// @param waiting `namespace/name` of the pod
public record Play(String help, Runnable begin, Runnable end, String waiting) {}
