package io.berth.e2e.flood;

/// What a crowd cost one scheduler.
///
/// @param worstSeconds from a pod's creation to its binding, at the worst
/// @param leaseKept whether it led all the time
/// @param answered calls that got a 200
/// @param unanswered calls that got something else, or nothing
public record FloodSample(
        double worstSeconds,
        double medianSeconds,
        int pods,
        boolean leaseKept,
        long answered,
        long unanswered) {}
